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
  static let split = Flag(
    name: "split", value: "parts", takesList: true, isRepeatable: true, standard: "device",
    group: .select,
    help: "Kinds of traces: an attribute, refresh, screen, state:KEY, interaction.")
  static let only = Flag(
    name: "only", value: "part=value", isRepeatable: true, group: .select,
    help: "Only traces with this value: device=pixel6a, screen=Feed.")
  static let format = Flag(
    name: "format", short: "f", value: "format",
    choices: [ReportFormat.text, .markdown, .html].map(\.rawValue), takesList: true,
    standard: "text", group: .output, help: "Output formats: text,markdown. Separated by commas.")

  static let exitCode = Flag(
    name: "exit-code", group: .output,
    help: "Exit 1 if a change for the worse remains, 2 if undecided.")

  static let syntax = CommandSyntax(
    name: "trend",
    abstract: "Find the build that changed a metric, on which devices, and why.",
    examples: [
      "scrolltrace trend lines.ndjson",
      """
      scrolltrace merge lines.ndjson --by attribute:build,attribute:device |
          scrolltrace trend -
      """,
      "scrolltrace trend lines.ndjson --only screen=Feed -o trend.html",
    ],
    discussion: """
      Reads summary lines that have an attribute such as build=1.10. Builds are
      ordered by name; numbers in a name are compared as numbers, so 1.9 precedes
      1.10. Traces are compared at a constant mix of devices and refresh rates;
      devices come from the attribute device, which 'merge --by' has to keep.
      """,
    exitStatuses: [
      (.done, "success"), (.exceeded, "with --exit-code: worse"),
      (.notEvaluated, "unreadable input or unwritable output; with --exit-code: undecided"),
      (.usage, "usage error"),
    ],
    operand: .init(
      name: "lines", help: "A file of summary lines, or '-' for standard input.", isRepeatable: true
    ),
    flags: [
      by, metric, split, only, format, exitCode, ReportFlags.output, ReportFlags.overwrite,
      ReportFlags.open, ReportFlags.width, ReportFlags.charset, ReportFlags.color,
      AnalysisFlags.thresholds, InputLimitFlags.symbols,
    ],
    common: [by, metric, split, only, format, exitCode, ReportFlags.output, ReportFlags.open])

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let outputs = try ReportOutputs(arguments, format: format, in: console.environment)
    let query = try Self.query(arguments)
    var (attributes, states): (Set<String>, Set<String>) = ([], [])
    let dividesTime = (query.split + query.only.map(\.part)).contains(where: \.isScope)
    let (sum, status) = SummaryLines.sum(of: arguments.operands, on: console) { summary in
      attributes.formUnion(summary.attributeNames)
      if dividesTime { states.formUnion(summary.stateKeys) }
      return query.reduce(summary)
    }
    let trend = Trend(of: SummaryLines.named(sum, arguments), query)
    guard !sum.rows.isEmpty else { return status.merged(with: .notEvaluated) }
    if let (selection, problem) = unknown(arguments, of: query, in: sum, attributes, states) {
      console.fail(about: selection, problem)
      return .notEvaluated
    }
    guard !trend.isEmpty || trend.unknownCount == 0 else {
      console.fail(
        about: "--metric \(query.measure.rawValue)", "no line has this metric")
      return .notEvaluated
    }
    guard !trend.isEmpty || query.only.count < 2 else {
      console.fail(
        about: arguments.values(of: only).map { "--\(only.name) \($0)" }.joined(separator: " "),
        "no line has all of these values")
      return .notEvaluated
    }
    guard !trend.isEmpty else {
      console.fail(
        about: "--by \(query.attribute)",
        "no line has this attribute and a known value; add it with:"
          + " \(ScrollTraceCommand.name) summarize --attribute \(query.attribute)=VALUE")
      return .notEvaluated
    }
    let found: ExitStatus =
      !arguments.has(exitCode)
      ? .done : trend.isWorse ? .exceeded : trend.isUndecided ? .notEvaluated : .done
    return status.merged(with: found).merged(
      with: outputs.write(Report(trend), inputs: arguments.operands, on: console))
  }

  /// Returns the first selection that no line fits, with what there is instead, or `nil` if lines fit all.
  private static func unknown(
    _ arguments: ParsedArguments, of query: TrendQuery, in sum: TraceSummary,
    _ attributes: Set<String>, _ states: Set<String>
  ) -> (selection: String, problem: String)? {
    let selections: [(text: String, part: TrendPart, value: String?)] =
      zip(arguments.values(of: split), query.split).map { ("--\(split.name) \($0)", $1, nil) }
      + zip(arguments.values(of: only), query.only).map {
        ("--\(only.name) \($0)", $1.part, $1.value)
      }
    for (text, part, value) in selections {
      let values = part.values(in: sum)
      if case .attribute = part, values.isEmpty {
        return (text, SummaryLines.nothing(has: "attribute", attributes))
      }
      if part == .interaction, values.isEmpty {
        return (text, "no line has sums by interaction")
      }
      if case .state(let key) = part, !states.contains(key) {
        return (text, SummaryLines.nothing(has: "state", states))
      }
      if let value, !values.contains(value) {
        return (text, SummaryLines.nothing(has: "value", values))
      }
    }
    return nil
  }

  /// The question that `arguments` describe.
  private static func query(_ arguments: ParsedArguments) throws(UsageError) -> TrendQuery {
    var query = TrendQuery()
    query.attribute = arguments.value(of: by) ?? query.attribute
    query.measure =
      arguments.value(of: metric).flatMap(Trend.Measure.init(rawValue:)) ?? query.measure
    query.thresholds = AnalysisFlags.ratingThresholds(arguments) ?? query.thresholds
    let words = arguments.values(of: split)
    if !words.isEmpty {
      query.split = []
      for word in words { query.split.append(try part(word, of: split)) }
    }
    for text in arguments.values(of: only) {
      let words = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard words.count == 2 else {
        throw .invalidValue(text, of: only, expecting: "PART=VALUE")
      }
      let part = try part(words[0], of: only)
      let isNumber = part == .refresh && Double(words[1]) != nil
      query.only.append((part, isNumber ? words[1] + " Hz" : words[1]))
    }
    let scopes = query.only.map(\.part).filter(\.isScope) + Set(query.split.filter(\.isScope))
    guard scopes.count < 2 else {
      throw UsageError(
        message: "Lines have sums by screen or by interaction, not by both; name only one",
        flag: split)
    }
    return query
  }

  private static func part(_ word: String, of flag: Flag) throws(UsageError) -> TrendPart {
    guard let part = TrendPart(word) else {
      throw .invalidValue(word, of: flag, expecting: "a kind of traces")
    }
    return part
  }
}
