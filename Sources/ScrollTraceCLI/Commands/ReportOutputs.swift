import ScrollTraceKit

/// The destinations of a report and their formats.
struct ReportOutputs {
  private var outputs: [(destination: ReportDestination, renderer: any ReportRenderer)] = []
  private let overwrites: Bool
  private let isQuiet: Bool
  private let opensPage: Bool

  /// Creates the outputs that `arguments` request.
  ///
  /// - Parameter format: The format option of the command.
  init(
    _ arguments: ParsedArguments, format: Flag, in environment: CommandEnvironment
  ) throws(UsageError) {
    overwrites = arguments.has(ReportFlags.overwrite)
    isQuiet = arguments.has(ReportFlags.quiet)
    opensPage = arguments.has(ReportFlags.open)
    let destinations = try ReportFlags.destinations(arguments, for: format)
    try ReportFlags.check(arguments, destinations)
    for destination in destinations {
      outputs.append(
        (destination, try ReportFlags.renderer(destination, arguments, in: environment)))
    }
  }

  /// The first requested format that a report on sums cannot have, or `nil`.
  var formatWithoutSums: ReportFormat? {
    outputs.map(\.destination.format).first { ![.text, .markdown, .html].contains($0) }
  }

  /// What the requested formats need of each run if there are many; JSON contains all in full.
  var retention: RunReader.Retention {
    outputs.isEmpty
      ? .nothing : outputs.contains { $0.destination.format == .json } ? .whole : .digests
  }

  /// Whether a requested format of a gate contains findings.
  var showFindings: Bool {
    outputs.contains { [.json, .markdown, .html].contains($0.destination.format) }
  }

  /// Whether a requested format contains more of a run than its first screen.
  var detailsWork: Bool {
    outputs.contains { ($0.renderer as? TextRenderer)?.style.isFull ?? true }
  }

  var isEmpty: Bool { outputs.isEmpty }

  /// Removes the first JSON report, which is written while runs are read, and returns it, if there is one.
  mutating func removeRunOutput(inputs: [String], on console: Console) -> RunOutput? {
    for (index, (destination, renderer)) in outputs.enumerated() {
      guard let renderer = renderer as? JSONRenderer else { continue }
      outputs.remove(at: index)
      return RunOutput(
        destination, JSONReportWriter(includesSeries: renderer.includesSeries),
        overwrites: overwrites, inputs: inputs, on: console)
    }
    return nil
  }

  /// Reports why no file can be written, so that nothing needs to be read for them; `nil` if something can be
  /// written or printed.
  func refusal(inputs: [String], on console: Console) -> ExitStatus? {
    var errors: [OutputError] = []
    for (destination, _) in outputs {
      do throws(OutputError) {
        try destination.check(overwrites: overwrites, inputs: inputs)
      } catch {
        errors.append(error)
      }
    }
    guard !isQuiet, !errors.isEmpty, errors.count == outputs.count else { return nil }
    for error in errors { console.fail(about: error.path, error.problem) }
    return .notEvaluated
  }

  /// Writes `report` to all destinations; a failure does not affect the others.
  func write(_ report: Report, inputs: [String], on console: Console) -> ExitStatus {
    var status = ExitStatus.done
    func write(_ text: String, to destination: ReportDestination) {
      do {
        try destination.write(text, overwrites: overwrites, inputs: inputs, on: console)
      } catch {
        console.fail(about: error.path, error.problem)
        status = .notEvaluated
      }
    }
    for (destination, renderer) in outputs where !isQuiet || destination.file != nil {
      let isFrame = destination.format == .json && report.frame != nil
      let renderer = isFrame ? JSONRenderer(frame: report.frame) : renderer
      write(renderer.render(report), to: destination)
    }
    if isQuiet {
      // The first line of the brief report is the verdict.
      let verdict = BriefRenderer().render(report).prefix { $0 != "\n" }
      write(verdict + "\n", to: ReportDestination(.brief))
    }
    if status == .done, opensPage { openPage(on: console) }
    return status
  }

  /// Opens the first page that was written.
  private func openPage(on console: Console) {
    let pages = outputs.lazy.map(\.destination).filter { $0.format == .html }
    guard let page = pages.compactMap(\.file).first else { return }
    if let problem = SystemOpener.open(page, in: console.environment) {
      console.warn(about: page, "cannot be opened: \(problem)")
    }
  }
}

struct ReportDestination: Sendable {
  let format: ReportFormat
  /// The file, or `nil` for standard output.
  let file: String?

  /// Creates a destination; the file `-` is standard output.
  init(_ format: ReportFormat, file: String? = nil) {
    self.format = format
    self.file = file == "-" ? nil : file
  }

  /// The advice for a file that would be overwritten, or `nil` if it may be.
  static func advice(overwrites: Bool) -> String? {
    overwrites ? nil : "replace it with --overwrite"
  }

  /// Throws if `write` would refuse the file.
  func check(overwrites: Bool, inputs: [String]) throws(OutputError) {
    guard let file else { return }
    try FileWriter.check(file, against: inputs)
    try FileWriter.isReplaced(file, unlessForeign: Self.advice(overwrites: overwrites))
  }

  func write(
    _ text: String, overwrites: Bool, inputs: [String], on console: Console
  ) throws(OutputError) {
    guard let file else { return try console.print(text) }
    try FileWriter.replace(
      file, with: text, unlessForeign: Self.advice(overwrites: overwrites), inputs: inputs)
  }
}

/// A report that is written while its runs are read.
///
/// A class because it owns an open file.
final class RunOutput {
  private let destination: ReportDestination
  private let console: Console
  private var writer: JSONReportWriter
  /// The file, or `nil` for standard output.
  private var file: OutputFile?
  /// The problem after which nothing more is written.
  private var error: OutputError?

  init(
    _ destination: ReportDestination, _ writer: JSONReportWriter, overwrites: Bool,
    inputs: [String], on console: Console
  ) {
    self.destination = destination
    self.writer = writer
    self.console = console
    guard let path = destination.file else { return }
    do throws(OutputError) {
      try FileWriter.check(path, against: inputs)
      let advice = ReportDestination.advice(overwrites: overwrites)
      file = try FileWriter.open(path, unlessForeign: advice)
    } catch {
      self.error = error
    }
  }

  /// Whether nothing can be written anymore.
  var hasFailed: Bool { error != nil }

  /// Whether nothing can be written, or nobody reads it.
  var isOver: Bool { hasFailed || isStandardOutput && console.isClosed }

  private(set) var hasRuns = false

  var isStandardOutput: Bool { destination.file == nil }

  func write(_ run: Analysis) {
    hasRuns = true
    guard error == nil else { return }
    do throws(OutputError) {
      try write(writer.next(run))
    } catch {
      self.error = error
      file = nil
    }
  }

  /// Writes the end after at least one run, and reports a problem.
  func finish(inputs: [String]) -> ExitStatus {
    do throws(OutputError) {
      if let error { throw error }
      try write(writer.end)
      if let path = destination.file { try FileWriter.check(path, against: inputs) }
      try file?.finish()
      return .done
    } catch {
      file = nil
      console.fail(about: error.path, error.problem)
      return .notEvaluated
    }
  }

  private func write(_ text: String) throws(OutputError) {
    if let file { try file.write(text) } else { try console.print(text) }
  }
}

enum ReportFormat: String, CaseIterable, Sendable {
  case text
  case brief
  case json
  case markdown
  case junit
  case github
  case openMetrics = "openmetrics"
  case benchmarkAction = "benchmark-action"
  case bencher
  case html

  /// The formats of comparisons and predictions.
  static let forReading: [ReportFormat] = [.text, .brief, .json, .markdown, .html]

  /// The file extension, without the dot.
  var ending: String {
    switch self {
    case .text: "txt"
    case .brief: "brief.txt"
    case .json: "json"
    case .markdown: "md"
    case .junit: "xml"
    case .github: "github.txt"
    case .openMetrics: "prom"
    case .benchmarkAction: "benchmark.json"
    case .bencher: "bmf.json"
    case .html: "html"
    }
  }

  /// Creates the format of a file by its extension; the longest extension wins.
  init?(endingOf path: String) {
    let fitting = Self.allCases.filter { path.hasSuffix("." + $0.ending) }
    guard let format = fitting.max(by: { $0.ending.utf8.count < $1.ending.utf8.count }) else {
      return nil
    }
    self = format
  }
}
