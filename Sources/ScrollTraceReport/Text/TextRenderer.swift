package import ScrollTraceAnalysis
import ScrollTraceModel

/// A report as text for people: in a terminal, a pipe or the log of a build server.
///
/// The last lines contain what matters most.
public struct TextRenderer: DocumentRenderer {
  /// How the report looks.
  package let style: TextStyle

  /// Creates a renderer of 80 columns without color.
  public init() { self.init(TextStyle()) }

  /// Creates a renderer of that style.
  package init(_ style: TextStyle) {
    self.style = style
  }

  /// The rows that a terminal has room for.
  package var limits: RowLimits {
    var limits = RowLimits()
    limits.hitches = style.hitchLimit
    if style.width >= 100 { limits.trackColumns = 32 }
    return limits
  }

  /// The report in this form.
  public func render(_ report: Report) -> String { render(Document(report, limits: limits)) }

  /// The document, its lines no wider than the style allows, except commands: those are never cut.
  package func render(_ document: Document) -> String {
    let layout = TextLayout(document, style: style)
    return text(of: layout.sections)
  }

  /// Only the graph of a run's frames, without its explanation; empty if nothing can be drawn.
  package func renderGraph(of run: Analysis) -> String {
    let graph = RunMessages(run, limits: limits).graph
    return text(of: graph.map { FrameGraph($0, style: style).lines() } ?? [])
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
