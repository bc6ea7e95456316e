import ScrollTraceKit

/// `scrolltrace predict`: predicts the effect of changes.
enum PredictCommand: Command {
  static let change = Flag(
    name: "change", value: "change", choices: changes.map(PredictionMessages.word(for:)),
    choiceAliases: [
      "spare-time": "prepare-when-idle", "one-ahead": "prepare-one-ahead",
      "reconfigure": "reconfigure-items", "differences": "apply-differences",
    ], takesList: true, isRepeatable: true,
    help: "Predict only these changes.")
  static let speedup = Flag(
    name: "speedup", aliases: ["cheaper"], value: "work=factor", isRepeatable: true,
    help: "Predict faster main-thread work, such as cell=2 or app/parse=1.5.")
  static let smoothAt = Flag(
    name: "smooth-at", value: "hz", isRepeatable: true,
    standard: "recorded rate and 120; none with --change or --speedup",
    help: "Report the speedup required for zero hitch time at this rate.")

  static let syntax = CommandSyntax(
    name: "predict",
    abstract: "Predict and rank the effect of proposed changes.",
    discussion: """
      The recorded main-thread work is replayed with a change, and the frames are
      evaluated like recorded ones. The report lists the assumptions. Changes
      separated by commas are predicted together.

      EXAMPLES:
        scrolltrace predict run.fxt
        scrolltrace predict run.fxt --change \(examples)
        scrolltrace predict run.fxt --speedup cell/configure=2
        scrolltrace predict run.fxt --smooth-at 120 --format json
      """,
    operand: .init(
      name: "trace",
      help: "A trace, a directory of traces, or '-' for standard input.", isRepeatable: true),
    flags: [change, speedup, smoothAt] + AnalysisFlags.selection + AnalysisFlags.motion + [
      ReportFlags.formatForReading, ReportFlags.output, ReportFlags.force, ReportFlags.width,
      ReportFlags.charset, ReportFlags.color, AnalysisFlags.thresholds, AnalysisFlags.allowLoss,
    ] + InputLimitFlags.all)

  /// Two changes to predict together, for the help.
  private static var examples: String {
    [ProposedChange.prepareWhenIdle, .loadInBackground]
      .map(PredictionMessages.word(for:)).joined(separator: ",")
  }

  /// The changes without parameters.
  private static let changes: [ProposedChange] = [
    .prepareWhenIdle, .prepareOneAhead, .decodeInBackground, .loadInBackground,
    .reuseCells, .reconfigureItems, .applyDifferences,
  ]

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let outputs = try ReportOutputs(
      arguments, format: ReportFlags.formatForReading, in: console.environment)
    let changes = try changes(arguments)
    // With a change, required speedups are reported only if a rate is given.
    let intervals = try intervals(arguments) ?? (changes == nil ? nil : [])
    guard var reader = try RunReader(arguments, on: console) else { return .notEvaluated }
    reader.read(arguments.operands)
    var status = reader.status
    guard !reader.runs.isEmpty else { return status }
    let progress = Progress(console)
    var predictions: [PredictionReport] = []
    for run in reader.runs {
      let path = run.trace.source.path
      progress.show("replaying \(path)")
      do throws(UnknownWork) {
        let changes = try changes.map { groups throws(UnknownWork) in
          try named(groups, in: run.trace)
        }
        predictions.append(PredictionReport(of: run, changes: changes, refreshIntervals: intervals))
      } catch {
        progress.clear()
        console.complain(aboutInput: path, error.problem)
        status = status.merged(with: .notEvaluated)
      }
    }
    progress.clear()
    guard !predictions.isEmpty else { return status }
    let report = Report(predictions: predictions)
    return status.merged(with: outputs.write(report, inputs: reader.paths, on: console))
  }

  /// Returns the groups of changes to predict, and their combination, or `nil` for all changes.
  private static func changes(_ arguments: ParsedArguments) throws(UsageError)
    -> [[ProposedChange]]?
  {
    var groups: [[ProposedChange]] = []
    for text in arguments.values[change.name] ?? [] {
      let words = text.split(separator: ",")
      groups.append(
        words.compactMap { word in
          changes.first { PredictionMessages.word(for: $0) == word }
        })
    }
    for text in arguments.values(of: speedup) {
      guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
        let factor = Double(argument: String(text[text.index(after: equals)...])), factor >= 1,
        factor <= 1000
      else {
        throw .invalidValue(
          text, of: speedup,
          advice: "Please provide CATEGORY=FACTOR or CATEGORY/NAME=FACTOR with a factor from 1 to"
            + " 1000, such as cell/configure=2.")
      }
      let names = text[..<equals].split(separator: "/", maxSplits: 1).map(String.init)
      let work = WorkName(
        category: names.first ?? "", name: names.count > 1 ? names[1] : nil)
      groups.append([.speedup(work, percent: Int((100 / factor).rounded()))])
    }
    if groups.isEmpty { return nil }
    return groups.count > 1 ? groups + [groups.flatMap { $0 }] : groups
  }

  /// Work that a trace does not contain.
  private struct UnknownWork: Error {
    let problem: String
  }

  /// Returns the changes with the trace's category names: reports omit the prefix of reserved
  /// categories.
  private static func named(
    _ groups: [[ProposedChange]], in trace: Trace
  ) throws(UnknownWork) -> [[ProposedChange]] {
    var named: [[ProposedChange]] = []
    for group in groups {
      var changes: [ProposedChange] = []
      for change in group {
        guard case .speedup(let work, let percent) = change else {
          changes.append(change)
          continue
        }
        let names = [work.category, Label.reservedPrefix + work.category].map {
          WorkName(category: $0, name: work.name)
        }
        guard let known = names.first(where: trace.holds) else {
          throw UnknownWork(problem: Messages.text(ofUnknown: work, in: trace))
        }
        changes.append(.speedup(known, percent: percent))
      }
      named.append(changes)
    }
    return named
  }

  /// Returns the refresh intervals for required speedups, or `nil` for the default.
  private static func intervals(_ arguments: ParsedArguments) throws(UsageError) -> [TimeSpan]? {
    let texts = arguments.values(of: smoothAt)
    guard !texts.isEmpty else { return nil }
    var intervals: [TimeSpan] = []
    for text in texts {
      guard let interval = TimeSpan(refreshRate: text) else {
        throw .invalidValue(
          text, of: smoothAt, advice: "Please provide a rate of 1 to 1000 Hz, such as 120.")
      }
      intervals.append(interval)
    }
    return intervals
  }
}
