import ScrollTraceKit

/// `scrolltrace analyze`: reports on traces.
enum AnalyzeCommand: Command {
  static let syntax = CommandSyntax(
    name: "analyze",
    abstract: "Report hitches, deadline misses, work and causes.",
    examples: [
      "scrolltrace analyze run.fxt",
      "scrolltrace analyze run.fxt --at 1.2s",
      "scrolltrace analyze run.fxt -o report.html --open",
      "scrolltrace analyze run.fxt --from 1.2s --to 2s",
      "scrolltrace analyze run.fxt --frame 15",
      "scrolltrace analyze trace.json.gz --define fling=1.2s..3s",
      "scrolltrace analyze runs/ --format text,json -o report.json",
      "scrolltrace analyze run.fxt -o report.html -o junit.xml",
      "scrolltrace analyze lines.ndjson -o fleet.html",
    ],
    operand: .init(
      name: "trace",
      help:
        "A trace, a directory with traces in or below it, or '-' for standard input. Each trace is a run."
        + " Summary lines from 'summarize' or 'merge' are also accepted.",
      isRepeatable: true, replacements: TracePaths.flags),
    flags: [ReportFlags.frame, ReportFlags.at, ReportFlags.hitches] + TracePaths.flags + [
      ParallelJobs.flag
    ]
      + AnalysisFlags.selection
      + AnalysisFlags.motion + [
        ReportFlags.full, ReportFlags.format, ReportFlags.output, ReportFlags.overwrite,
        ReportFlags.open, ReportFlags.series, ReportFlags.width, ReportFlags.charset,
        ReportFlags.color, AnalysisFlags.thresholds, AnalysisFlags.allowLoss,
      ] + InputLimitFlags.all,
    common: [
      ReportFlags.full, ReportFlags.frame, ReportFlags.at, AnalysisFlags.from, AnalysisFlags.to,
      AnalysisFlags.only, AnalysisFlags.define, AnalysisFlags.alwaysMoving,
      AnalysisFlags.refreshRate, ReportFlags.format, ReportFlags.output, ReportFlags.open,
    ])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    var outputs = try ReportOutputs(
      arguments, format: ReportFlags.format, in: console.environment)
    if let status = outputs.refusal(inputs: arguments.operands, on: console) { return status }
    let input = SummaryLines.standardInputStart(arguments.operands)
    if arguments.operands.contains(where: { SummaryLines.areIn($0, input: input) }) {
      return try FleetReport.run(arguments, outputs, input: input, on: console)
    }
    var reader = try RunReader(arguments, input: input, on: console)
    reader.options.detailsWork = outputs.detailsWork
    let request = try FrameRequest(arguments)
    let runOutput =
      request == nil ? outputs.removeRunOutput(inputs: arguments.operands, on: console) : nil
    if let runOutput {
      if runOutput.hasFailed, outputs.isEmpty { return runOutput.finish(inputs: []) }
      reader.output = runOutput
    }
    if request == nil { reader.retention = outputs.retention }
    reader.read(arguments.operands, lists: arguments)
    for note in reader.notesOnDuplicates { console.warn(note) }
    var status = reader.status
    let (runs, frame) = try request?.find(in: reader.runs, on: console) ?? (reader.runs, nil)
    if runs.count < reader.runs.count { status = status.merged(with: .notEvaluated) }
    if let runOutput, runOutput.hasRuns {
      status = status.merged(with: runOutput.finish(inputs: reader.paths))
    }
    guard !runs.isEmpty else { return status }
    let report = Report(runs, frame: frame)
    return status.merged(with: outputs.write(report, inputs: reader.paths, on: console))
  }
}
