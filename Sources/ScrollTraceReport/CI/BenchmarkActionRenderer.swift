/// The numbers of a report as github-action-benchmark reads them with `customSmallerIsBetter`.
///
/// Only numbers that get better by getting smaller are there: the tool takes one direction a file.
package struct BenchmarkActionRenderer: ReportRenderer {
  /// A renderer.
  package init() {}

  /// The numbers as a JSON array.
  package func render(_ report: Report) -> String {
    JSONValue.array(MeasuredSurface.all(of: report).flatMap(entries)).text
  }

  private func entries(_ surface: MeasuredSurface) -> [JSONValue] {
    let frames = surface.measures.first { $0.direction == .neutral }
    let extra = frames.map { "\(Quantity.fixed($0.value, places: 0)) \($0.words)" }
    return surface.measures.filter { $0.direction == .smallerIsBetter }.map { measure in
      let members: [(String, JSONValue)] = [
        ("name", .string("\(surface.name): \(measure.words)")),
        ("unit", .string(measure.unit.isEmpty ? "count" : measure.unit)),
        ("value", .number(measure.value)),
      ]
      return .object(members + (extra.map { [("extra", .string($0))] } ?? []))
    }
  }
}
