package import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTracePrediction

/// A report as text for people: in a terminal, a pipe or the log of a build server.
///
/// One run is told in full, several in a short section each. The last lines say what matters most.
public struct TextRenderer: ReportRenderer {
  /// How the report looks.
  package let style: TextStyle
  /// The number of the frame that is looked at closely, in place of all; `nil` for the whole report.
  package let frame: UInt64?

  /// Creates a renderer for 80 columns without color.
  public init() { self.init(TextStyle()) }

  /// A renderer of that style.
  package init(_ style: TextStyle = TextStyle(), frame: UInt64? = nil) {
    self.style = style
    self.frame = frame
  }

  /// The report, its lines no wider than the style says, but for commands: those are never cut.
  public func render(_ report: Report) -> String {
    if let comparison = report.comparison {
      return text(of: TextComparison(comparison, style: style).sections)
    }
    if !report.predictions.isEmpty {
      return text(
        of: zip(report.runs, report.predictions).flatMap {
          TextPrediction($0, $1, style: style).sections
        })
    }
    if report.verdict != .withoutBudget {
      let sections = TextVerdict(report, style: style).sections
      // Without answers there is no table, and the verdict stays the last word.
      let rows =
        report.verdict.results.isEmpty ? sections.prefix(1) : sections.dropLast()
      return text(
        of: rows + [TextGateNotes(report, style: style).lines] + sections.suffix(1))
    }
    let runs = report.runs.map { TextRun($0, style: style) }
    if let frame { return text(of: runs.flatMap { $0.sections(onFrame: frame) }) }
    let sections =
      runs.count == 1 ? runs.flatMap(\.sections) : [[TextRun.title]] + runs.map(\.summary)
    let closing =
      runs.count == 1 ? runs.flatMap(\.closing) : TextRun.closing(runs, style: style)
    return text(of: sections + [closing])
  }

  /// Only the graph of a run's frames, without what explains it; empty where nothing can be drawn.
  package func renderGraph(of run: Analysis) -> String {
    text(of: TextRun(run, style: style).plainGraph)
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
