import ScrollTraceKit

/// The options of every command that analyzes a trace.
package enum AnalysisFlags {
  static let thresholds = Flag(
    name: "thresholds", value: "name",
    choices: RatingThresholds.allCases.map(\.rawValue), standard: RatingThresholds.scroll.rawValue,
    group: .output, help: "Rating thresholds.")
  static let define = Flag(
    name: "define", value: "name=from..to", isRepeatable: true, group: .interactions,
    help: "Define an interaction: fling=1.2s..3s.")
  static let defineFrom = Flag(
    name: "define-from", value: "file", group: .interactions,
    help: "Read interaction definitions from a file.")
  static let defineFromMarks = Flag(
    name: "define-from-marks", value: "glob", group: .interactions,
    help: "Treat marks or async spans that match GLOB as interactions.")
  static let alwaysMoving = Flag(
    name: "always-moving", group: .interactions,
    help: "Treat the whole recording as one interaction.")
  static let refreshRate = Flag(
    name: "refresh-rate", value: "hz", group: .input,
    help: "Refresh rate, if the trace does not state it. Such as 60, 59.94 or 60000/1001.")
  package static let allowLoss = Flag(
    name: "allow-loss", group: .input, help: "Exit 0 despite lost trace data.")

  static let from = Flag(
    name: "from", value: "time", group: .select,
    help: "Start of the window, since the trace's start: 1.2s.")
  static let to = Flag(
    name: "to", value: "time", group: .select,
    help: "End of the window, since the trace's start: 300ms.")
  static let only = Flag(
    name: "only", value: "interaction", group: .select,
    help: "Only interactions of this kind, name or number.")
  static let state = Flag(
    name: "state", value: "key=value", isRepeatable: true, group: .select,
    help: "Include only time with this state, such as screen=Feed.")
  static let surface = Flag(
    name: "surface", value: "name", group: .select, help: "Report only this surface.")

  /// The options that select a part of the trace.
  static let selection = [from, to, only, state, surface]

  /// The options that supply what a trace lacks.
  static let motion = [define, defineFrom, defineFromMarks, alwaysMoving, refreshRate]

  /// Returns the rating thresholds that `arguments` name, or `nil` if they name none.
  static func ratingThresholds(_ arguments: ParsedArguments) -> RatingThresholds? {
    arguments.value(of: thresholds).flatMap(RatingThresholds.init(rawValue:))
  }

  static func options(_ arguments: ParsedArguments) throws -> AnalysisOptions {
    var options = AnalysisOptions()
    if let thresholds = ratingThresholds(arguments) { options.thresholds = thresholds }
    options.interactions = try arguments.values(
      of: define, as: AnalysisOptions.NamedRange.init(argument:),
      expecting: "NAME=FROM..TO with times such as 1.2s")
    if let path = arguments.value(of: defineFrom) {
      options.interactions += try InteractionFile.read(path)
    }
    options.interactionMarks = arguments.value(of: defineFromMarks)
    options.isAlwaysMoving = arguments.has(alwaysMoving)
    if options.isAlwaysMoving,
      let other = [define, defineFrom, defineFromMarks].first(where: arguments.has)
    {
      throw UsageError.conflict(alwaysMoving, other)
    }
    options.refreshInterval = try arguments.value(
      of: refreshRate, as: TimeSpan.init(refreshRate:),
      expecting: "a rate from 1 to 1000 Hz")
    options.selection = try selection(arguments)
    options.arguments = words(
      motion + InputLimitFlags.all + (options.thresholds == .scroll ? [] : [thresholds]),
      of: arguments)
    options.selection.arguments = words(selection, of: arguments)
    return options
  }

  private static func words(_ flags: [Flag], of arguments: ParsedArguments) -> [String] {
    flags.flatMap { flag -> [String] in
      guard arguments.has(flag) else { return [] }
      guard flag.value != nil else { return ["--\(flag.name)"] }
      return arguments.values(of: flag).flatMap { value in
        value.isEmpty || value.hasPrefix("-")
          ? ["--\(flag.name)=\(value)"] : ["--\(flag.name)", value]
      }
    }
  }

  private static func selection(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> AnalysisOptions.Selection {
    var selection = AnalysisOptions.Selection()
    let time = "a time such as 1.2s or 300ms"
    selection.from = try arguments.value(of: from, as: TimeSpan.init(argument:), expecting: time)
    selection.to = try arguments.value(of: to, as: TimeSpan.init(argument:), expecting: time)
    if let begin = selection.from, let end = selection.to, begin >= end,
      let text = arguments.value(of: to)
    {
      throw .invalidValue(text, of: to, expecting: "a time after --from")
    }
    selection.interaction = arguments.value(of: only)
    for text in arguments.values(of: state) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw .invalidValue(text, of: state, expecting: "KEY=VALUE")
      }
      selection.states.append(
        AnalysisOptions.State(key: String(parts[0]), value: String(parts[1])))
    }
    selection.surface = arguments.value(of: surface)
    return selection
  }
}

/// A file of interaction definitions, one `NAME=FROM..TO` per line.
enum InteractionFile {
  /// Reads the definitions in the file at `path`; `#` starts a comment.
  static func read(_ path: String) throws(ImportError) -> [AnalysisOptions.NamedRange] {
    var ranges: [AnalysisOptions.NamedRange] = []
    let text = try TextFile.read(path, as: "list of interactions")
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let bare = line.prefix { $0 != "#" }
      let trimmed = String(
        bare.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      guard !trimmed.isEmpty else { continue }
      guard let range = AnalysisOptions.NamedRange(argument: trimmed) else {
        throw ImportError(
          "invalid interaction at line \(index + 1)", advice: "write it like fling=1.2s..3s"
        ).inFile(path)
      }
      ranges.append(range)
    }
    return ranges
  }
}
