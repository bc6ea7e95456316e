import ScrollTraceKit

/// `scrolltrace trend`: values by build in order, and where they change.
enum TrendCommand: Command {
  static let by = Flag(
    name: "by", value: "attribute", standard: "build", group: .select,
    help: "Attribute that names the build.")
  static let metric = Flag(
    name: "metric", value: "name", choices: Trend.Measure.allCases.map(\.rawValue),
    standard: Trend.Measure.hitchTimeRatio.rawValue, group: .select,
    help: "Metric to show.")
  static let format = Flag(
    name: "format", short: "f", value: "format",
    choices: [ReportFormat.text, .markdown, .html].map(\.rawValue), takesList: true,
    standard: "text", group: .output, help: "Output formats: text,markdown. Separated by commas.")

  static let exitCode = Flag(
    name: "exit-code", group: .output,
    help: "Exit 1 if the last change is worse, 2 on too few builds.")

  static let syntax = CommandSyntax(
    name: "trend",
    abstract: "Show a metric by build, and the builds in which it changed.",
    examples: [
      "scrolltrace trend lines.ndjson",
      "scrolltrace merge lines.ndjson --by attribute:build | scrolltrace trend -",
      "scrolltrace trend lines.ndjson --metric over10Share -o trend.html",
    ],
    discussion: """
      Reads summary lines that have an attribute such as build=1.10. Builds are
      ordered by name; numbers in a name are compared as numbers, so 1.9 precedes
      1.10.
      """,
    exitStatuses: ExitStatus.meaningsWithoutTraces,
    operand: .init(
      name: "lines", help: "A file of summary lines, or '-' for standard input.", isRepeatable: true
    ),
    flags: [
      by, metric, format, exitCode, ReportFlags.output, ReportFlags.overwrite, ReportFlags.open,
      ReportFlags.width, ReportFlags.charset, ReportFlags.color, AnalysisFlags.thresholds,
    ],
    common: [by, metric, format, exitCode, ReportFlags.output, ReportFlags.open])

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let outputs = try ReportOutputs(arguments, format: format, in: console.environment)
    let attribute = arguments.value(of: by) ?? "build"
    let measure =
      arguments.value(of: metric).flatMap(Trend.Measure.init(rawValue:)) ?? .hitchTimeRatio
    let thresholds = AnalysisFlags.ratingThresholds(arguments) ?? .scroll
    let (sum, status) = SummaryLines.sum(of: arguments.operands, on: console, \.withoutOrigin)
    let trend = Trend(of: sum, by: attribute, measure, thresholds: thresholds)
    guard !sum.rows.isEmpty else { return status.merged(with: .notEvaluated) }
    guard !trend.isEmpty else {
      console.fail(
        about: "--by \(attribute)",
        "no line has this attribute and a known value; add it with:"
          + " \(ScrollTraceCommand.name) summarize --attribute \(attribute)=VALUE")
      return .notEvaluated
    }
    let found: ExitStatus =
      !arguments.has(exitCode)
      ? .done : trend.isWorse ? .exceeded : trend.hasTooFew ? .notEvaluated : .done
    return status.merged(with: found).merged(
      with: outputs.write(Report(trend), inputs: arguments.operands, on: console))
  }
}
