import ScrollTraceAnalysis
import ScrollTraceGate

/// What stands beside the answers of a gate, in text: its notes.
struct TextGateNotes {
  private let report: Report
  private let style: TextStyle

  /// The notes of `report`.
  init(_ report: Report, style: TextStyle) {
    self.report = report
    self.style = style
  }

  /// The lines.
  var lines: [TextLine] {
    var all: [[TextLine]] = []
    for note in report.gateNotes {
      let lines = line(
        "\(note.level.rawValue): \(note.text)", note.level == .note ? .faint : .near)
      // Groups of runs can have one note in common.
      if !all.contains(where: { $0.map(\.plain) == lines.map(\.plain) }) { all.append(lines) }
    }
    return all.flatMap { $0 }
  }

  private func line(_ text: String, _ ink: TextRole) -> [TextLine] {
    .wrapping(
      style.sink.escape(VerdictMessages.clipped(text, to: 1_000)), width: style.width, first: 2,
      indent: 4, ink: ink, ellipsis: style.glyphs.ellipsis)
  }
}
