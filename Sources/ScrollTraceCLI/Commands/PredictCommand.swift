import ScrollTraceKit

/// `scrolltrace predict`: reports how much hitch time fixing each cause can remove.
enum PredictCommand: Command {
  static let speedup = Flag(
    name: "speedup", value: "work=factor", isRepeatable: true, group: .input,
    help: "Predict only this main-thread work at this speed, such as cell=2 or app/parse=1.5.")
  static let targetRate = Flag(
    name: "target-hz", value: "hz", isRepeatable: true,
    standard: "recorded rate and 120; none with --speedup", group: .input,
    help: "Report the speedup that zero hitch time needs.")

  static let syntax = CommandSyntax(
    name: "predict",
    abstract: "Show how much hitch time fixing each cause can remove.",
    examples: [
      "scrolltrace predict run.fxt",
      "scrolltrace predict run.fxt --speedup cell/configure=2",
      "scrolltrace predict run.fxt --target-hz 120 --format json",
    ],
    discussion: """
      The recorded hitches are evaluated again without the time of a cause, waits
      included. A change that moves, shortens or avoids the cause removes at most
      this much.
      """,
    operand: .init(
      name: "trace",
      help: "A trace, a directory of traces, or '-' for standard input.", isRepeatable: true),
    flags: [speedup, targetRate] + AnalysisFlags.selection + AnalysisFlags.motion + [
      ReportFlags.formatForReading, ReportFlags.output, ReportFlags.overwrite, ReportFlags.open,
      ReportFlags.width, ReportFlags.charset, ReportFlags.color, AnalysisFlags.thresholds,
      AnalysisFlags.allowLoss,
    ] + InputLimitFlags.all,
    common: [
      speedup, targetRate, AnalysisFlags.from, AnalysisFlags.to, AnalysisFlags.only,
      AnalysisFlags.define, ReportFlags.formatForReading, ReportFlags.output, ReportFlags.open,
    ])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let outputs = try ReportOutputs(
      arguments, format: ReportFlags.formatForReading, in: console.environment)
    let speedups = try arguments.values(
      of: speedup, as: speedup(argument:), expecting: "WORK=FACTOR, factor 1 to 1000")
    let rates = try arguments.values(
      of: targetRate, as: TimeSpan.init(refreshRate:), expecting: "a rate from 1 to 1000 Hz")
    // With a speedup, required ones are reported only if a rate is given.
    let intervals = rates.isEmpty && speedups.isEmpty ? nil : rates
    var reader = try RunReader(arguments, on: console)
    reader.read(arguments.operands)
    for note in reader.notesOnDuplicates { console.warn(note) }
    var status = reader.status
    guard !reader.runs.isEmpty else { return status }
    var predictions: [PredictionReport] = []
    for run in reader.runs {
      let names = speedups.map { name(of: $0.work, in: run.trace) }
      if let unknown = names.firstIndex(of: nil) {
        let problem = Messages.text(ofUnknown: speedups[unknown].work, in: run.trace)
        console.fail(aboutInput: run.trace.source.path, problem)
        status = status.merged(with: .notEvaluated)
        continue
      }
      let named = zip(names, speedups).compactMap { name, speedup in
        name.map { PredictionReport.Speedup($0, factor: speedup.factor) }
      }
      predictions.append(
        PredictionReport(
          of: run, speedups: named.isEmpty ? nil : named, refreshIntervals: intervals))
    }
    guard !predictions.isEmpty else { return status }
    let report = Report(predictions: predictions)
    return status.merged(with: outputs.write(report, inputs: reader.paths, on: console))
  }

  private static func speedup(argument text: String) -> PredictionReport.Speedup? {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
      let factor = Double(argument: String(text[text.index(after: equals)...])), factor >= 1,
      factor <= 1000
    else { return nil }
    let names = text[..<equals].split(separator: "/", maxSplits: 1).map(String.init)
    let work = WorkName(category: names.first ?? "", name: names.count > 1 ? names[1] : nil)
    return PredictionReport.Speedup(work, factor: factor)
  }

  /// Returns the work with the trace's category name, or `nil` if there is none: reports omit the prefix
  /// of reserved categories.
  private static func name(of work: WorkName, in trace: Trace) -> WorkName? {
    [work.category, Label.reservedPrefix + work.category]
      .map { WorkName(category: $0, name: work.name) }.first(where: trace.holds)
  }
}
