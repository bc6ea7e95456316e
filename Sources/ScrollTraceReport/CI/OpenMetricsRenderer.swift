/// The numbers of a report as OpenMetrics text, as GitLab's metrics reports take it.
///
/// Every number is a gauge named `scrolltrace_…` with the trace and the surface as labels.
package struct OpenMetricsRenderer: ReportRenderer {
  /// A renderer.
  package init() {}

  /// The numbers, each metric in one block, and the line that ends the format.
  package func render(_ report: Report) -> String {
    let surfaces = MeasuredSurface.all(of: report)
    var names: [String] = []
    var samples: [String: [String]] = [:]
    for surface in surfaces {
      for measure in surface.measures {
        let name = Self.name(of: measure)
        if samples[name] == nil { names.append(name) }
        let labels =
          "trace=\"\(escape(surface.trace))\",surface=\"\(escape(surface.surface))\""
        samples[name, default: []].append("\(name){\(labels)} \(measure.value)\n")
      }
    }
    return names.map { name in
      "# TYPE \(name) gauge\n" + (samples[name] ?? []).joined()
    }.joined() + "# EOF\n"
  }

  /// `hitch time ratio` in ms/s as `scrolltrace_hitch_time_ratio_ms_per_s`.
  private static func name(of measure: ReportMeasure) -> String {
    let unit = measure.unit.isEmpty ? "" : " " + measure.unit
    return "\(ToolIdentity.name)_"
      + (measure.words + unit).replacing("/", with: " per ").replacing(" ", with: "_")
  }

  private func escape(_ text: String) -> String { EscapingContext.openMetricsLabel.escape(text) }
}
