/// One form of a report: text, JSON and the like.
public protocol ReportRenderer: Sendable {
  /// The report in this form. Pure: no files, no clock, no environment.
  func render(_ report: Report) -> String
}

package protocol DocumentRenderer: ReportRenderer {
  /// The numbers of rows that the form has room for.
  var limits: RowLimits { get }

  func render(_ document: Document) -> String
}
