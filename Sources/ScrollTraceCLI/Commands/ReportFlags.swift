import ScrollTraceKit

/// The options of every command that writes a report.
package enum ReportFlags {
  static let format = format(of: ReportFormat.allCases)
  static let formatForReading = format(of: ReportFormat.forReading)
  static let output = Flag(
    name: "output", short: "o", value: "file", isRepeatable: true,
    help: "Write to a file; its extension selects the format.")
  package static let force = Flag(name: "force", help: "Overwrite an existing file.")
  static let width = Flag(
    name: "width", value: "columns", standard: "terminal width, or 80",
    help: "Text width in columns, \(widths.lowerBound) to \(widths.upperBound).")
  static let charset = Flag(
    name: "charset", value: "charset", choices: ["auto"] + GraphCharset.allCases.map(\.rawValue),
    standard: "auto", help: "Graph characters.")
  static let color = Flag(
    name: "color", value: "when", choices: ["auto", "always", "never"], standard: "auto",
    help: "When to use color.")
  static let hitches = Flag(
    name: "hitches", value: "count", standard: "5",
    help: "Number of hitches to list, or 'all'.")
  static let frame = Flag(
    name: "frame", value: "number", help: "Report one frame in detail.")
  static let series = Flag(
    name: "series", help: "Include per-frame main-thread work in JSON.")

  /// Returns the option of a command that has these formats.
  private static func format(of formats: [ReportFormat]) -> Flag {
    Flag(
      name: "format", value: "format", choices: formats.map(\.rawValue), takesList: true,
      standard: "text", help: "Output formats, comma-separated.")
  }

  /// Returns the requested formats and their destinations.
  static func destinations(
    _ arguments: ParsedArguments, for flag: Flag
  ) throws(UsageError) -> [ReportDestination] {
    let files = arguments.values(of: output)
    var formats = arguments.values(of: flag).compactMap(ReportFormat.init(rawValue:))
    if formats.isEmpty {
      try checkEndings(of: files, flag)
      let endings = files.compactMap { ReportFormat(endingOf: $0) }
      formats = ReportFormat.allCases.filter(endings.contains)
      for format in formats where !flag.choices.contains(format.rawValue) {
        throw .unknownChoice(format.rawValue, of: flag)
      }
    }
    if formats.isEmpty { formats = [.text] }
    if formats.count == 1, files.count <= 1 {
      return [ReportDestination(formats[0], file: files.first)]
    }
    var destinations: [ReportDestination] = []
    for file in files {
      guard let ending = ReportFormat(endingOf: file), formats.contains(ending) else {
        throw .invalidValue(
          file, of: output,
          advice: "Please provide a file that ends in "
            + formats.map { ".\($0.ending)" }.joined(separator: ", ") + ".")
      }
      destinations.append(ReportDestination(ending, file: file))
    }
    let rest = formats.filter { format in !destinations.contains { $0.format == format } }
    return rest.map { ReportDestination($0) } + destinations
  }

  /// Checks that no file's name ends as if it had a format that there is not.
  private static func checkEndings(of files: [String], _ flag: Flag) throws(UsageError) {
    for file in files {
      guard file.fileName.dropFirst().contains("."), ReportFormat(endingOf: file) == nil else {
        continue
      }
      let endings = flag.choices.compactMap(ReportFormat.init(rawValue:)).map(\.ending)
      throw .unknownExtension(of: file, endings: endings, flag)
    }
  }

  /// Checks that options for certain formats come with one of these formats.
  static func check(
    _ arguments: ParsedArguments, _ destinations: [ReportDestination]
  ) throws(UsageError) {
    // JSON lists all hitches anyway.
    let listing: [ReportFormat] = arguments.value(of: hitches) == "all" ? [.text, .json] : [.text]
    let needs = [
      (hitches, listing), (frame, ReportFormat.forReading), (series, [.json]),
    ]
    for (flag, formats) in needs where arguments.has(flag) {
      guard !destinations.contains(where: { formats.contains($0.format) }) else { continue }
      let names = formats.map(\.rawValue).joined(separator: ", ")
      throw UsageError(
        message: "'--\(flag.name)' requires one of the formats \(names); see --format", flag: flag)
    }
    if arguments.has(frame), let other = [hitches, series].first(where: arguments.has) {
      throw .conflict(frame, other)
    }
  }

  /// Returns the runs that contain the requested frame, and reports those that do not.
  static func runs(
    _ runs: [Analysis], _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> [Analysis] {
    guard let number = try frameNumber(arguments) else { return runs }
    return runs.filter { run in
      guard let problem = run.problem(withFrame: number) else { return true }
      let path = run.trace.source.path
      console.complain(aboutInput: path, Messages.text(of: problem))
      return false
    }
  }

  static func frameNumber(_ arguments: ParsedArguments) throws(UsageError) -> UInt64? {
    try arguments.value(
      of: frame, as: { UInt64($0) }, expecting: "the number of a frame, as in the report")
  }

  /// The possible widths of a text report.
  private static let widths = TextStyle.minimumWidth...10_000

  /// Returns the style of a text report.
  private static func style(
    _ arguments: ParsedArguments, in environment: CommandEnvironment
  ) throws(UsageError) -> TextStyle {
    let columns = try arguments.value(
      of: width,
      as: { Int($0).flatMap { widths.contains($0) ? $0 : nil } },
      expecting: "a number of columns from \(widths.lowerBound) to \(widths.upperBound)")
    let limit = try arguments.value(
      of: hitches, as: { $0 == "all" ? Int.max : Int($0).flatMap { $0 >= 0 ? $0 : nil } },
      expecting: "a number or 'all'")
    let palette: Palette =
      switch arguments.value(of: color) {
      case "always": environment.colors
      case "never": .none
      default: environment.palette
      }
    let tier =
      arguments.value(of: charset).flatMap(GraphCharset.init(rawValue:)) ?? environment.tier
    return TextStyle(
      width: columns ?? environment.width, tier: tier, palette: palette,
      hitchLimit: limit == .max ? nil : limit ?? TextStyle().hitchLimit, isFull: limit != nil)
  }

  /// Returns the renderer for a destination. A file gets no colors and no terminal-specific
  /// characters unless an option requests them.
  static func renderer(
    _ destination: ReportDestination, _ arguments: ParsedArguments,
    in environment: CommandEnvironment
  ) throws(UsageError) -> any ReportRenderer {
    switch destination.format {
    case .text:
      let place = destination.file == nil ? environment : environment.forFiles
      return TextRenderer(try style(arguments, in: place))
    case .brief: return BriefRenderer()
    case .json:
      return JSONRenderer(
        includesSeries: arguments.has(series), frame: try frameNumber(arguments))
    case .markdown: return MarkdownRenderer()
    case .junit: return JUnitRenderer()
    case .github: return GitHubRenderer()
    case .openMetrics: return OpenMetricsRenderer()
    case .benchmarkAction: return BenchmarkActionRenderer()
    case .bencher: return BencherRenderer()
    case .html: return HTMLRenderer()
    }
  }
}
