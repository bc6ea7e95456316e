import ScrollTraceAnalysis

/// Renders the numbers of a report as github-action-benchmark reads them with
/// `customSmallerIsBetter`.
///
/// The tool accepts one direction for each file, so other metrics are omitted.
package struct BenchmarkActionRenderer: ReportRenderer {
  package init() {}

  package func render(_ report: Report) -> String {
    JSONValue.array(MeasuredSurface.all(of: report).flatMap(entries)).text
  }

  private func entries(_ surface: MeasuredSurface) -> [JSONValue] {
    let frames = surface.measurements.first { $0.metric.name == "frames" }
    let rating = surface.ratingLevel.map { level in
      [
        JSONValue.object([
          ("name", .string("\(surface.name): rating")),
          ("unit", .string("0 good, 1 warning, 2 critical, 3 severe")), ("value", .count(level)),
        ])
      ]
    }
    return (rating ?? [])
      + surface.measurements.filter { $0.metric.better == .lower }.map { measurement in
        let members: [(String, JSONValue)] = [
          ("name", .string("\(surface.name): \(measurement.metric.name)")),
          ("unit", .string(measurement.metric.unit.rawValue)), ("value", measurement.json),
        ]
        return .object(members + (frames.map { [("extra", .string("\($0.text) frames"))] } ?? []))
      }
  }
}
