import ScrollTraceAnalysis

/// Renders the numbers of a report in Bencher's metric format: benchmark, measure, value.
package struct BencherRenderer: ReportRenderer {
  package init() {}

  package func render(_ report: Report) -> String {
    JSONValue.object(
      MeasuredSurface.all(of: report).map { ($0.name, measures(of: $0)) }
    ).text
  }

  private func measures(of surface: MeasuredSurface) -> JSONValue {
    let rating = surface.ratingLevel.map { [("rating", JSONValue.count($0))] } ?? []
    return .object(
      (rating + surface.measurements.map { ($0.metric.name, $0.json) }).map { name, value in
        (name, .object([("value", value)]))
      })
  }
}
