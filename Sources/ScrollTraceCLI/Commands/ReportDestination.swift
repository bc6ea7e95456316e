import ScrollTraceKit

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
