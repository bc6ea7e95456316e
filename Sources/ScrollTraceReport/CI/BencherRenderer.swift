/// The numbers of a report in Bencher's metric format: benchmark, measure, value.
package struct BencherRenderer: ReportRenderer {
  /// A renderer.
  package init() {}

  /// The numbers as a JSON object.
  package func render(_ report: Report) -> String {
    JSONValue.object(
      MeasuredSurface.all(of: report).map { ($0.name, measures(of: $0)) }
    ).text
  }

  private func measures(of surface: MeasuredSurface) -> JSONValue {
    .object(
      surface.measures.map { measure in
        let name = measure.words.replacing(" ", with: "-")
        return (name, .object([("value", .number(measure.value))]))
      })
  }
}
