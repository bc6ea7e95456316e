import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// The leading surface's frames over time.
  var graph: [TextLine] {
    guard let surface, let series = FrameSeries(surface, in: trace) else { return [] }
    return caption(series) + plainGraph
  }

  /// The same without what explains it.
  var plainGraph: [TextLine] {
    guard let surface, let series = FrameSeries(surface, in: trace) else { return [] }
    let moving = surface.interactions.map(\.range)
    return FrameGraph(series: series, range: trace.range, moving: moving, style: style).lines()
  }

  /// The leading surface's frames in one row.
  var sparkline: [TextLine] {
    guard let surface, let series = FrameSeries(surface, in: trace) else { return [] }
    var line = TextLine("  " + glyphs.edge)
    line.append(
      FrameGraph.sparkline(series, range: trace.range, columns: style.width - 4, style: style))
    line.pad(to: style.width - 1)
    line.append(glyphs.edge)
    return [line]
  }

  private func caption(_ series: FrameSeries) -> [TextLine] {
    let title: String
    let scale: String
    let unit = series.unit.map { ", mostly \(Quantity.interval($0))" } ?? ""
    switch series.kind {
    case .mainWork:
      title = "Main-thread work per frame"
      scale = "1x is the time a frame had\(unit)"
    case .commit:
      title = "Length of commits"
      scale = "1x is a refresh\(unit)"
    case .gap:
      title = "Time from frame to frame on the glass"
      scale = "1x is a refresh\(unit)"
    case .hitch:
      title = "Length of hitches in ms"
      scale = "The refresh interval is unknown"
    }
    let knowsBackground = series.points.contains { $0.background != nil }
    let background = knowsBackground ? " bg work: a full cell is one busy thread." : ""
    let note = "\(scale). Each column shows its worst frame, nothing is averaged.\(background)"
    return [heading(title)] + wrapped(note, indent: 0, ink: .faint)
  }
}
