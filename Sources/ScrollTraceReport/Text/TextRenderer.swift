package import ScrollTraceAnalysis
import ScrollTraceModel

/// A report as text for people: in a terminal, a pipe or the log of a build server.
public struct TextRenderer: ReportRenderer {
  package let style: TextStyle

  /// Creates a renderer of 80 columns without color.
  public init() { self.init(TextStyle()) }

  package init(_ style: TextStyle) {
    self.style = style
  }

  /// The rows that a terminal has room for.
  private var limits: RowLimits {
    var limits = RowLimits()
    limits.hitches = style.hitchLimit
    if style.width >= 100 { limits.trackColumns = 32 }
    return limits
  }

  /// The report in this form, its lines no wider than the style allows, except commands: those are never cut.
  ///
  /// Of a report with a first screen it is that, unless the style is full.
  public func render(_ report: Report) -> String {
    let document = Document(report, limits: limits, for: style.isFull ? .brief : .first)
    guard let limit = document.sections.compactMap(\.lineLimit).max() else {
      return text(of: TextLayout(document, style: style).sections)
    }
    let isGood = limit == FirstScreen.linesIfGood
    func screen(_ document: Document, fixes count: Int) -> String {
      text(of: TextLayout(document, fixLimit: count, style: style).sections)
    }
    func fits(_ text: String) -> Bool { text.count(where: { $0 == "\n" }) <= limit }
    // What to do is worth more than a graph without a late frame.
    for document in isGood ? [document, document.withoutGraphs] : [document] {
      for count in (1...Self.maximumFixes).reversed() {
        let first = screen(document, fixes: count)
        if fits(first) { return first }
        guard !isGood, count > 1, count <= document.largeFixes else { continue }
        let low = screen(document.withLowGraphs, fixes: count)
        if fits(low) { return low }
      }
    }
    return screen(document, fixes: isGood ? 0 : 1)
  }

  private static let maximumFixes = 3

  /// Only the graph of a run's frames, without its explanation; empty if nothing can be drawn.
  package func renderGraph(of run: Analysis) -> String {
    let graph = RunMessages(run, limits: limits).graph
    return text(of: graph.map { FrameGraph(graph: $0, style: style).lines() } ?? [])
  }

  private func text(of sections: [[TextLine]]) -> String {
    sections.filter { !$0.isEmpty }.map { text(of: $0) }.joined(separator: "\n")
  }

  private func text(of lines: [TextLine]) -> String {
    lines.reduce(into: "") { text, line in
      let clipped = line.clipped(to: style.width, ellipsis: style.glyphs.ellipsis)
      text += clipped.text(in: style.palette) + "\n"
    }
  }
}
