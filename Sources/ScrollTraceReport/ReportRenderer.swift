/// One form of a report: text, JSON and the like.
public protocol ReportRenderer: Sendable {
  /// The report in this form. Pure: no files, no clock, no environment.
  func render(_ report: Report) -> String
}
