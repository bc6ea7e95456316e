import ScrollTraceAnalysis

/// What stands beside the answers of a gate, in text: notes, and what the rows have no room for.
struct TextGateNotes {
  private let report: Report
  private let style: TextStyle

  /// The notes of `report`.
  init(_ report: Report, style: TextStyle) {
    self.report = report
    self.style = style
  }

  /// The lines, remarks on rows first.
  var lines: [TextLine] {
    let remarks = report.verdict.judgements.compactMap { judgement in
      JudgementWording.remark(on: judgement).map {
        line("\(JudgementWording.name(of: judgement)): \($0)", .faint)
      }
    }
    let notes = report.gateNotes.map { note in
      line("\(note.level.rawValue): \(note.text)", note.level == .note ? .faint : .near)
    }
    // A limit that warns and one that fails are of one metric, and have one remark.
    var all: [[TextLine]] = []
    for lines in remarks + notes
    where !all.contains(where: { $0.map(\.plain) == lines.map(\.plain) }) {
      all.append(lines)
    }
    return all.flatMap { $0 }
  }

  private func line(_ text: String, _ ink: Ink) -> [TextLine] {
    .wrapping(
      style.sink.escape(JudgementWording.clipped(text, to: 1_000)), width: style.width, first: 2,
      indent: 4, ink: ink, ellipsis: style.glyphs.ellipsis)
  }
}
