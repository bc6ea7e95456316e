/// One form of a report: text, JSON and the like.
package protocol ReportRenderer: Sendable {
  /// The report in this form. Pure: no files, no clock, no environment.
  func render(_ report: Report) -> String
}
