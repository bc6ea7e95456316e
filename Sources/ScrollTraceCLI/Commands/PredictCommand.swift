import ScrollTraceKit

/// `scrolltrace predict`: what would come of a recording if something were done otherwise.
enum PredictCommand: Command {
  static let change = Flag(
    name: "change", value: "change", choices: changes.map(PredictionMessages.word(for:)),
    takesList: true,
    isRepeatable: true,
    help: "Try this change in place of all that apply; several with commas between them are tried"
      + " together. Can be repeated.")
  static let cheaper = Flag(
    name: "cheaper", value: "work=factor", isRepeatable: true,
    help: "Try cheaper main-thread work: a category or CATEGORY/NAME as reports name it, and how"
      + " many times cheaper, such as cell=2 or app/parse=1.5.")
  static let smoothAt = Flag(
    name: "smooth-at", value: "hz", isRepeatable: true,
    standard: "the recorded rate, and 120; none where changes are named",
    help: "Say what it would take to be smooth at this refresh rate.")

  static let syntax = CommandSyntax(
    name: "predict",
    abstract: "Predict what a change would do to the hitches of a recording, and rank changes.",
    discussion: """
      The recorded work of the main thread is replayed with a change made to it, and
      the frames are judged as the recorded ones are. Every prediction names what it
      takes for granted.

      EXAMPLES:
        scrolltrace predict run.fxt
        scrolltrace predict run.fxt --change prepare-when-idle,load-in-background
        scrolltrace predict run.fxt --cheaper cell/configure=2
        scrolltrace predict run.fxt --smooth-at 120 --format json

      EXIT STATUS:
        0  done, also where nothing can be predicted
        2  a file cannot be read or written, or has not what was selected or made
           cheaper; the others are reported
        3  done, but a trace had lost data
        64 the command was called in a way it does not understand
      """,
    operand: .init(
      name: "trace",
      help: "A trace, a directory of traces, or '-' for standard input.", isRepeatable: true),
    flags: [change, cheaper, smoothAt] + AnalysisFlags.selection + AnalysisFlags.motion + [
      ReportFlags.formatForReading, ReportFlags.output, ReportFlags.width, ReportFlags.charset,
      ReportFlags.color, AnalysisFlags.profile, AnalysisFlags.allowLoss,
    ] + InputLimitFlags.all)

  /// The changes that need no more than their word.
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
    // Who names a change asks for that; who names a rate as well, for both.
    let intervals = try intervals(arguments) ?? (changes == nil ? nil : [])
    guard var reader = try RunReader(arguments, on: console) else { return .unjudged }
    reader.read(arguments.operands)
    var status = reader.status
    guard !reader.runs.isEmpty else { return status }
    var progress = Progress(console)
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
        console.complain(about: path == "-" ? "standard input" : path, error.problem)
        status = status.merged(with: .unjudged)
      }
    }
    progress.clear()
    guard !predictions.isEmpty else { return status }
    let report = Report(predictions: predictions)
    return status.merged(with: outputs.write(report, inputs: reader.paths, on: console))
  }

  /// The changes that are to be tried: each group alone, and all together; `nil` for all there are.
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
    for text in arguments.values(of: cheaper) {
      guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
        let factor = Double(text[text.index(after: equals)...]), factor >= 1, factor <= 1000
      else {
        throw .invalidValue(
          text, of: cheaper,
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

  /// Work that a trace does not have.
  private struct UnknownWork: Error {
    let problem: String
  }

  /// The changes with work named as the trace names it: reports leave out the prefix that reserved
  /// categories share.
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
        let names = [work.category, "scrolltrace." + work.category].map {
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

  /// The refresh intervals at which it is to be smooth; `nil` for the usual ones.
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
