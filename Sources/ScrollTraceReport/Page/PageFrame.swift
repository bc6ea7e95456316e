import ScrollTraceAnalysis

/// One frame of a run from close by, as sections of a page.
struct PageFrame {
  private let text: TextRun
  private let number: UInt64

  /// The sections on the frame of this number in `text`.
  init(_ text: TextRun, number: UInt64) {
    self.text = text
    self.number = number
  }

  /// The answer with its facts, who worked, and what filled the time.
  var sections: [PageSection] {
    let source = PageBlock.paragraph(text.source(in: 200).plain, .faint)
    guard let detail = text.run.detail(ofFrame: number) else {
      let reason = text.reasonForNoFrame(number)
      return [
        PageSection(
          title: "", blocks: [.statement(TextLine("NOT MEASURABLE", .near), reason), source])
      ]
    }
    let frame = TextFrame(text: text, detail: detail)
    let answer = frame.answer
    let head = PageSection(
      title: "", blocks: [.statement(answer.word, answer.text), source, .facts(frame.facts)])
    let causes =
      frame.causes.map { PageBlock.table($0) } ?? .paragraph(TextFrame.unknownCauses, .faint)
    return [head] + (frame.chart.map { [section(on: $0)] } ?? [])
      + [PageSection(title: "What filled its time", blocks: [causes])]
  }

  private func section(on chart: TextFrame.Chart) -> PageSection {
    var blocks = [PageBlock.drawing(chart.lines)]
    if !chart.legend.isEmpty {
      blocks.append(.paragraph(chart.legend.joined(separator: "; "), .faint))
    }
    if !chart.hidden.isEmpty { blocks.append(.paragraph(chart.hidden, .faint)) }
    return PageSection(title: chart.title, blocks: blocks)
  }
}
