package import ScrollTraceAnalysis
import ScrollTraceSummary

/// Renders the numbers of a report as OpenMetrics text, which GitLab's metrics reports read.
///
/// Every metric is a gauge named `scrolltrace_…` with the trace and the surface as labels. The rating is a
/// state set: one sample for each rating, which is 1 for the surface's own.
package struct OpenMetricsRenderer: ReportRenderer {
  /// Creates a renderer.
  package init() {}

  /// Renders each metric in one block, and the line that ends the format.
  package func render(_ report: Report) -> String {
    let surfaces = MeasuredSurface.all(of: report)
    let blocks = Metric.headline.map { metric in
      let samples = surfaces.flatMap { surface in
        surface.measurements.filter { $0.metric == metric }.map { sample($0, of: surface) }
      }
      return samples.isEmpty ? "" : "# TYPE \(Self.name(of: metric)) gauge\n" + samples.joined()
    }
    return ratings(of: surfaces) + blocks.joined() + "# EOF\n"
  }

  private func ratings(of surfaces: [MeasuredSurface]) -> String {
    let name = "\(ToolIdentity.name)_rating"
    let samples = surfaces.flatMap { surface in
      Rating.allCases.map { rating in
        "\(name){\(labels(of: surface)),\(name)=\"\(rating.rawValue)\"}"
          + " \(rating == surface.rated.rating ? 1 : 0)\n"
      }
    }
    return samples.isEmpty ? "" : "# TYPE \(name) stateset\n" + samples.joined()
  }

  private func sample(
    _ measurement: MeasuredSurface.Measurement, of surface: MeasuredSurface
  ) -> String {
    "\(Self.name(of: measurement.metric)){\(labels(of: surface))} \(measurement.text)\n"
  }

  private func labels(of surface: MeasuredSurface) -> String {
    "trace=\"\(escape(surface.trace))\",surface=\"\(escape(surface.surface))\""
  }

  /// Returns the gauge of a metric: `scrolltrace_commit_ns_p95` for `commitNs.p95`.
  package static func name(of metric: Metric) -> String {
    metric.name.reduce(into: "\(ToolIdentity.name)_") { name, character in
      if character == "." {
        name.append("_")
      } else if character.isUppercase {
        name += "_" + character.lowercased()
      } else {
        name.append(character)
      }
    }
  }

  private func escape(_ text: String) -> String { EscapingContext.openMetricsLabel.escape(text) }
}
