import ScrollTraceKit

/// The options of every command that analyzes: what a trace does not say itself (M-5).
enum AnalysisFlags {
  static let profile = Flag(
    name: "profile", value: "profile", choices: RatingThresholds.allCases.map(\.rawValue),
    standard: RatingThresholds.scroll.rawValue,
    help: "The limits that ratios are held against.")
  static let interaction = Flag(
    name: "interaction", value: "name=from..to", isRepeatable: true,
    help: "Say when something moved, counted from the trace's start, such as fling=1.2s..3s or"
      + " drag=0ms..500ms. Can be repeated; replaces what the trace says.")
  static let interactions = Flag(
    name: "interactions", value: "file",
    help: "Read such lines from a file; '#' starts a comment.")
  static let marks = Flag(
    name: "interactions-from-marks", value: "pattern",
    help: "Take marks NAME:begin and NAME:end (or NAME-start and so on) and asynchronous spans NAME"
      + " for interactions, where the pattern with '*' and '?' fits NAME.")
  static let alwaysMoving = Flag(
    name: "always-moving", help: "Take the whole recording for one interaction.")
  static let refreshRate = Flag(
    name: "refresh-rate", value: "hz",
    help: "The refresh rate where the trace does not say it: 60, 59.94, 60000/1001.")
  static let allowLoss = Flag(
    name: "allow-loss", help: "Exit with 0 although a trace had lost data.")

  static let from = Flag(
    name: "from", value: "time",
    help: "Count only from then on, measured from the trace's start: 1.2s, 300ms. Of what is"
      + " selected in several ways only what fits all of them counts.")
  static let to = Flag(name: "to", value: "time", help: "Count only until then.")
  static let interval = Flag(
    name: "interval", value: "word",
    help: "Count only interactions of this kind or name, or the one of this number, from 1 on.")
  static let state = Flag(
    name: "state", value: "key=value", isRepeatable: true,
    help: "Count only while a state held a value, such as screen=Feed. Can be repeated.")
  static let surface = Flag(
    name: "surface", value: "name",
    help: "Tell this surface in full; the JSON report holds no other.")

  /// Those that select a part of the trace.
  static let selection = [from, to, interval, state, surface]

  /// Those that say what a trace does not say itself.
  static let motion = [interaction, interactions, marks, alwaysMoving, refreshRate]

  /// What `arguments` tell the analysis.
  static func options(_ arguments: ParsedArguments) throws(ArgumentFailure) -> AnalysisOptions {
    var options = AnalysisOptions()
    if let name = arguments.value(of: profile), let value = RatingThresholds(rawValue: name) {
      options.thresholds = value
    }
    for text in arguments.values(of: interaction) {
      guard let stretch = AnalysisOptions.NamedRange(argument: text) else {
        throw .usage(.invalidValue(text, of: interaction, advice: formOfInteraction))
      }
      options.interactions.append(stretch)
    }
    if let path = arguments.value(of: interactions) {
      options.interactions += try InteractionFile.read(path)
    }
    options.interactionMarks = arguments.value(of: marks)
    options.isAlwaysMoving = arguments.has(alwaysMoving)
    if options.isAlwaysMoving,
      let other = [interaction, interactions, marks].first(where: arguments.has)
    {
      throw .usage(
        UsageError(
          message: "--always-moving takes the whole recording for one interaction, and"
            + " --\(other.name) names others. Please provide one of the two.", flag: alwaysMoving))
    }
    do {
      options.refreshInterval = try arguments.value(
        of: refreshRate, as: TimeSpan.init(refreshRate:),
        expecting: "a rate of 1 to 1000 Hz, such as 60, 59.94 or 60000/1001")
      options.selection = try selection(arguments)
    } catch {
      throw .usage(error)
    }
    options.arguments = words(
      motion + InputLimitFlags.all + (options.thresholds == .scroll ? [] : [profile]), of: arguments
    )
    options.selection.arguments = words(selection, of: arguments)
    return options
  }

  /// The words that say `flags` again as `arguments` do.
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

  /// The part of a trace that `arguments` select.
  private static func selection(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> AnalysisOptions.Selection {
    var selection = AnalysisOptions.Selection()
    let time = "a time in s, ms, us or ns, such as 1.2s"
    selection.from = try arguments.value(of: from, as: TimeSpan.init(argument:), expecting: time)
    selection.to = try arguments.value(of: to, as: TimeSpan.init(argument:), expecting: time)
    if let begin = selection.from, let end = selection.to, begin >= end,
      let text = arguments.value(of: to)
    {
      throw .invalidValue(text, of: to, advice: "Please provide a time after --from.")
    }
    selection.interaction = arguments.value(of: interval)
    for text in arguments.values(of: state) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw .invalidValue(text, of: state, advice: "Please provide KEY=VALUE.")
      }
      selection.states.append(
        AnalysisOptions.State(key: String(parts[0]), value: String(parts[1])))
    }
    selection.surface = arguments.value(of: surface)
    return selection
  }

  private static let formOfInteraction =
    "Please provide NAME=FROM..TO with times in s, ms, us or ns, such as 'fling=1.2s..3s'."
}
