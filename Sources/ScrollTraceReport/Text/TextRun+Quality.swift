import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  private static let openSpanLimit = 8
  private static let noticeLimit = 40

  /// What was under way when the recording stopped.
  var unfinished: [TextLine] {
    guard !trace.openSpans.isEmpty else { return [] }
    var table = TextTable([
      .init(title: "since", alignment: .right), .init(title: "track"),
      .init(title: "work", isFlexible: true),
    ])
    for span in trace.openSpans.prefix(Self.openSpanLimit) {
      let names = [label(trace.category(of: span.label)), trace.name(of: span.label)]
      let item = span.item.flatMap(trace.displayText).map { " (\(name($0, 24)))" } ?? ""
      table.add([
        TextLine(instant(span.since)), TextLine(name(trace.displayName(of: span.track), 20)),
        TextLine(names.filter { !$0.isEmpty }.map { name($0) }.joined(separator: "/") + item),
      ])
    }
    let hidden = trace.openSpans.count - Self.openSpanLimit
    return [heading("Open when the recording ended")] + lines(table)
      + (hidden > 0 ? [TextLine("  and \(hidden) more")] : [])
  }

  /// What was lost, and what else to know about the trace.
  var quality: [TextLine] {
    let losses = trace.losses.flatMap {
      wrapped("lost: \(sentence(wording.text(of: $0)))", first: 2, indent: 8, ink: .near)
    }
    let told = run.notices.filter(isNews)
    let notices = told.prefix(Self.noticeLimit).flatMap {
      wrapped("note: \(sentence(wording.text(of: $0)))", first: 2, indent: 8)
    }
    guard !losses.isEmpty || !notices.isEmpty else { return [] }
    let hidden = told.count - Self.noticeLimit
    return [heading("About the trace")] + losses + notices
      + (hidden > 0 ? [TextLine("  and \(hidden) more; --format json lists all")] : [])
  }

  /// Whether a notice says what the headline has not said.
  private func isNews(_ notice: AnalysisNotice) -> Bool {
    switch notice {
    case .trace(.noFrames): false
    case .noData: surface != nil
    default: true
    }
  }
}
