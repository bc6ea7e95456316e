import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// The leading surface's frames over time.
  var graph: [TextLine] {
    guard let series else { return [] }
    return caption(series) + plainGraph
  }

  /// The same without what explains it.
  var plainGraph: [TextLine] { frameGraph?.lines() ?? [] }

  /// The leading surface's frames over time, what that shows and how it is read.
  var drawing: (graph: FrameGraph, title: String, explanation: String)? {
    guard let frameGraph else { return nil }
    let series = frameGraph.series
    return (frameGraph, title(of: series.kind), explanation(of: series, unit: unit(of: series)))
  }

  private var frameGraph: FrameGraph? {
    guard let surface, let series else { return nil }
    let moving = surface.interactions.map(\.range)
    return FrameGraph(
      series: series, range: graphRange, moving: moving, style: style, origin: trace.range.start)
  }

  /// The leading surface's frames, as far as they are selected.
  private var series: FrameSeries? {
    surface.flatMap { FrameSeries($0, in: trace, selected: run.selectedTime) }
  }

  /// From the first to the last selected instant.
  private var graphRange: TimeRange {
    guard let ranges = run.selectedTime?.ranges, let first = ranges.first, let last = ranges.last
    else { return trace.range }
    return TimeRange(start: first.start, end: last.end)
  }

  /// The leading surface's frames in one row.
  var sparkline: [TextLine] {
    guard let series else { return [] }
    var line = TextLine("  " + glyphs.edge)
    line.append(
      FrameGraph.sparkline(series, range: graphRange, columns: style.width - 4, style: style))
    line.pad(to: style.width - 1)
    line.append(glyphs.edge)
    return [line]
  }

  private func caption(_ series: FrameSeries) -> [TextLine] {
    [heading(title(of: series.kind))]
      + wrapped(explanation(of: series, unit: unit(of: series)), indent: 0, ink: .faint)
  }

  private func unit(of series: FrameSeries) -> String {
    let word = series.kind == .frameSpacing && surface?.refreshInterval == nil ? "" : "mostly "
    return series.unit.map { ", \(word)\(Quantity.interval($0))" } ?? ""
  }

  /// What a graph shows.
  func title(of kind: FrameSeries.Kind) -> String {
    switch kind {
    case .mainWork: "Main-thread work per frame"
    case .commit: "Length of commits"
    case .gap: "Time from frame to frame on the glass"
    case .frameSpacing: "Time from frame to frame, not judged"
    case .hitch: "Length of hitches in ms"
    }
  }

  /// How a graph is read, where 1x is of this length.
  func explanation(of series: FrameSeries, unit: String) -> String {
    let scale =
      switch series.kind {
      case .mainWork: "1x is the time a frame had\(unit)"
      case .commit, .gap: "1x is a refresh\(unit)"
      case .frameSpacing where surface?.refreshInterval == nil: "1x is the median\(unit)"
      case .frameSpacing: "1x is a refresh\(unit)"
      case .hitch: "The refresh interval is unknown"
      }
    let knowsBackground = series.points.contains { $0.background != nil }
    let background = knowsBackground ? " bg work: a full cell is one busy thread." : ""
    return "\(scale). Each column shows its worst frame, nothing is averaged.\(background)"
  }
}
