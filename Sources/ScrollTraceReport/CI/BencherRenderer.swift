import ScrollTraceAnalysis

/// Renders the numbers of a report in Bencher's metric format: benchmark, measure, value.
package struct BencherRenderer: ReportRenderer {
  /// Creates a renderer.
  package init() {}

  /// Renders the numbers as a JSON object.
  package func render(_ report: Report) -> String {
    JSONValue.object(
      MeasuredSurface.all(of: report).map { ($0.name, measures(of: $0)) }
    ).text
  }

  private func measures(of surface: MeasuredSurface) -> JSONValue {
    .object(surface.measurements.map { ($0.metric.name, .object([("value", $0.json)])) })
  }
}
