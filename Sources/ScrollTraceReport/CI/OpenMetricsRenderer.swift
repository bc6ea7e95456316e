package import ScrollTraceAnalysis
import ScrollTraceSummary

/// Renders the numbers of a report as OpenMetrics text, which GitLab's metrics reports read.
///
/// Every metric is a gauge named `scrolltrace_…` with the trace and the surface as labels. The rating is a
/// state set: one sample for each rating, which is 1 for the surface's own.
package struct OpenMetricsRenderer: ReportRenderer {
  package init() {}

  /// Renders each metric in one block, and the line that ends the format.
  package func render(_ report: Report) -> String {
    let surfaces = MeasuredSurface.all(of: report)
    let blocks = Metric.headline.map { metric in
      let samples = surfaces.flatMap { surface in
        surface.measurements.filter { $0.metric == metric }.map { sample($0, of: surface) }
      }
      let name = Self.name(of: metric)
      let unit = Self.unit(of: metric).map { "# UNIT \(name) \($0)\n" } ?? ""
      let start = "# TYPE \(name) gauge\n\(unit)# HELP \(name) \(metric.documentation)\n"
      return samples.isEmpty ? "" : start + samples.joined()
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
    let value = Self.value(measurement.value.number, of: measurement.metric)
    return "\(Self.name(of: measurement.metric)){\(labels(of: surface))} \(value)\n"
  }

  private func labels(of surface: MeasuredSurface) -> String {
    "trace=\"\(escape(surface.trace))\",surface=\"\(escape(surface.surface))\""
  }

  /// Returns the gauge of a metric, with its base unit as a suffix: `scrolltrace_commit_p95_seconds` for
  /// `commitNs.p95`.
  package static func name(of metric: Metric) -> String {
    let name = metric.path.reduce(into: "\(ToolIdentity.name)_") { name, character in
      if character == "." {
        name.append("_")
      } else if character.isUppercase {
        name += "_" + character.lowercased()
      } else {
        name.append(character)
      }
    }
    return unit(of: metric).map { "\(name)_\($0)" } ?? name
  }

  private static func unit(of metric: Metric) -> String? {
    switch metric.unit {
    case .ns: "seconds"
    case .msPerS, .share, .factor: "ratio"
    case .count, .perS: nil
    }
  }

  package static func value(_ value: Double, of metric: Metric) -> Double {
    switch metric.unit {
    case .ns: value / 1e9
    case .msPerS: value / 1e3
    case .count, .share, .factor, .perS: value
    }
  }

  private func escape(_ text: String) -> String { EscapingContext.openMetricsLabel.escape(text) }
}
