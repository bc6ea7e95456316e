import ScrollTraceKit

/// The options of every command that writes a report.
package enum ReportFlags {
  static let format = format(of: ReportFormat.allCases)
  static let formatForReading = format(of: ReportFormat.forReading)
  static let output = Flag(
    name: "output", short: "o", value: "file", isRepeatable: true, group: .output,
    help: "Write to a file; its extension selects the format.")
  package static let overwrite = Flag(
    name: "overwrite", group: .output, help: "Overwrite an existing file.")
  static let open = Flag(
    name: "open", group: .output,
    help: "Open the HTML report that -o writes.")
  static let full = Flag(
    name: "full", group: .output,
    help: "Show every section, not only the first screen.")
  static let quiet = Flag(
    name: "quiet", group: .output, help: "Print the verdict line and errors only.")
  static let width = Flag(
    name: "width", value: "columns", standard: "terminal width, or 80", group: .output,
    help: "Text width in columns, \(widths.lowerBound) to \(widths.upperBound).")
  static let charset = Flag(
    name: "charset", value: "charset", choices: ["auto"] + GraphCharset.allCases.map(\.rawValue),
    standard: "auto", group: .output, help: "Graph characters.")
  static let color = Flag(
    name: "color", value: "when", choices: ["auto", "always", "never"], standard: "auto",
    group: .output, help: "When to use color.")
  static let hitches = Flag(
    name: "hitches", value: "count", standard: "5", group: .output,
    help: "Number of hitches to list, or 'all'.")
  static let frame = Flag(
    name: "frame", value: "number", group: .select,
    help: "Report one frame in detail.")
  static let at = Flag(
    name: "at", value: "time", group: .select,
    help: "Report the frame made at this time, or the next.")
  static let series = Flag(
    name: "series", group: .output, help: "Include per-frame main-thread work in JSON.")

  private static func format(of formats: [ReportFormat]) -> Flag {
    Flag(
      name: "format", short: "f", value: "format", choices: formats.map(\.rawValue),
      takesList: true, standard: "text", group: .output,
      help: "Output formats: text,json,html. Separated by commas.")
  }

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
          expecting: "a file that ends in "
            + formats.map { ".\($0.ending)" }.joined(separator: ", "))
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
      (hitches, listing), (frame, ReportFormat.forReading), (at, ReportFormat.forReading),
      (series, [.json]),
    ]
    for (flag, formats) in needs where arguments.has(flag) {
      guard !destinations.contains(where: { formats.contains($0.format) }) else { continue }
      let names = formats.map(\.rawValue).joined(separator: " or ")
      throw UsageError(message: "'--\(flag.name)' requires the format \(names)", flag: flag)
    }
    if let asked = [frame, at].first(where: arguments.has),
      let other = [hitches, series, asked == frame ? at : frame].first(where: arguments.has)
    {
      throw .conflict(asked, other)
    }
    if arguments.has(open), !destinations.contains(where: { $0.format == .html && $0.file != nil })
    {
      throw UsageError(
        message: "'--open' needs an HTML file; add '-o report.html'", flag: open)
    }
    if arguments.has(quiet),
      let other = destinations.first(where: { $0.file == nil && $0.format != .text })
    {
      throw UsageError(
        message: "'--quiet' needs the \(other.format.rawValue) report in a file; add '-o FILE'",
        flag: quiet)
    }
  }

  private static let widths = TextStyle.minimumWidth...10_000

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
      hitchLimit: limit == .max ? nil : limit ?? TextStyle().hitchLimit,
      isFull: arguments.has(full) || limit != nil)
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
    case .json: return JSONRenderer(includesSeries: arguments.has(series))
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
