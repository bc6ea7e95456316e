import ScrollTraceKit

/// The report on lines of summaries, which `analyze` writes.
enum FleetReport {
  /// Reads the lines in the files of `arguments` and reports on their sum.
  ///
  /// - Parameter input: The first bytes of standard input, which were read before.
  static func run(
    _ arguments: ParsedArguments, _ outputs: ReportOutputs, input: [UInt8], on console: Console
  ) throws(UsageError) -> ExitStatus {
    if let format = outputs.formatWithoutSums {
      throw UsageError(
        message: "A report on summaries has no format \(format.rawValue); 'merge' adds them up as"
          + " lines of JSON", flag: ReportFlags.format)
    }
    let flags =
      AnalysisFlags.selection + AnalysisFlags.motion + [ReportFlags.frame, ReportFlags.at]
    if let flag = flags.first(where: arguments.has) {
      throw UsageError(
        message: "'--\(flag.name)' needs a trace; use it with 'summarize'", flag: flag)
    }
    if let path = arguments.operands.first(where: { !SummaryLines.areIn($0, input: input) }) {
      throw UsageError(
        message: "'\(path)' has no summary lines, but other operands do; report on them separately")
    }
    let (sum, status) = SummaryLines.sum(of: arguments.operands, input: input, on: console)
    guard !sum.rows.isEmpty else { return status.merged(with: .notEvaluated) }
    let thresholds = AnalysisFlags.ratingThresholds(arguments) ?? .scroll
    return status.merged(
      with: outputs.write(
        Report(SummaryLines.named(sum, arguments), thresholds: thresholds),
        inputs: arguments.operands, on: console))
  }
}
