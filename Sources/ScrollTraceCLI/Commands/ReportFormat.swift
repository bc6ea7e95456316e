/// The forms of a report.
enum ReportFormat: String, CaseIterable, Sendable {
  case text
  case json
  case markdown
  case junit
  case github
  case openMetrics = "openmetrics"
  case benchmarkAction = "benchmark-action"
  case bencher
  case html

  /// The forms that tell of a comparison or of predictions.
  static let forReading: [ReportFormat] = [.text, .json, .markdown, .html]

  /// What names of files of this form end in, without the dot.
  var ending: String {
    switch self {
    case .text: "txt"
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

  /// The form that files called like `path` have: of several the one with the longest ending.
  init?(endingOf path: String) {
    let fitting = Self.allCases.filter { path.hasSuffix("." + $0.ending) }
    guard let format = fitting.max(by: { $0.ending.utf8.count < $1.ending.utf8.count }) else {
      return nil
    }
    self = format
  }
}
