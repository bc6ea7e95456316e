import ScrollTraceKit

/// The forms of a report.
enum ReportFormat: String, CaseIterable, Sendable {
  case text
  case json

  /// What names of files of this form end in, without the dot.
  var ending: String {
    switch self {
    case .text: "txt"
    case .json: "json"
    }
  }

  /// The form that files called like `path` have.
  init?(endingOf path: String) {
    guard let format = Self.allCases.first(where: { path.hasSuffix("." + $0.ending) }) else {
      return nil
    }
    self = format
  }
}

/// One form of a report and where it goes.
struct ReportDestination: Sendable {
  /// The form.
  let format: ReportFormat
  /// The file; `nil` for standard output.
  let file: String?

  /// A destination; the file `-` is standard output.
  init(_ format: ReportFormat, file: String? = nil) {
    self.format = format
    self.file = file == "-" ? nil : file
  }

  /// Writes the report there.
  func write(_ text: String, inputs: [String], on console: Console) throws(OutputError) {
    guard let file else { return try console.print(text) }
    try FileWriter.replace(file, with: text, inputs: inputs)
  }
}
