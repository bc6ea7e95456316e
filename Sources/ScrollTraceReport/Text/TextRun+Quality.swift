import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// What was under way when the recording stopped.
  var unfinished: TitledTable? {
    guard !trace.openSpans.isEmpty else { return nil }
    var table = TextTable([
      .init(title: "since", alignment: .right), .init(title: "track"),
      .init(title: "work", isFlexible: true),
    ])
    for span in trace.openSpans.prefix(style.limits.openSpans) {
      let names = [label(trace.category(of: span.label)), trace.name(of: span.label)]
      let item = span.item.flatMap(trace.displayText).map { " (\(name($0, 24)))" } ?? ""
      table.add([
        TextLine(instant(span.since)), TextLine(name(trace.displayName(of: span.track), 20)),
        TextLine(names.filter { !$0.isEmpty }.map { name($0) }.joined(separator: "/") + item),
      ])
    }
    let hidden = trace.openSpans.count - style.limits.openSpans
    return TitledTable(
      title: "Open when the recording ended", table: table,
      note: hidden > 0 ? TextLine("and \(hidden) more") : nil)
  }

  /// What was lost, and what else to know about the trace.
  var quality: [TextLine] {
    let remarks = remarks
    guard !remarks.shown.isEmpty else { return [] }
    return [heading("About the trace")]
      + remarks.shown.flatMap { wrapped($0.text, first: 2, indent: 8, ink: $0.ink) }
      + (remarks.note.map { [TextLine("  \($0)")] } ?? [])
  }

  /// What was lost, then the notices, and how many more there are.
  var remarks: (shown: [(text: String, ink: TextRole)], note: String?) {
    let losses = trace.losses.map { ("lost: \(sentence(wording.text(of: $0)))", TextRole.near) }
    let told = wording.texts(of: run.notices.filter(isNews))
    let notices = told.prefix(style.limits.notices).map { ("note: \(sentence($0))", TextRole.plain) }
    let hidden = told.count - style.limits.notices
    return (
      losses + notices + recorder, hidden > 0 ? "and \(hidden) more; --format json lists all" : nil
    )
  }

  /// What the recorder itself took, where it measured that.
  private var recorder: [(String, TextRole)] {
    guard let overhead = run.recorderOverhead else { return [] }
    var text =
      "recorder: \(Quantity.count(overhead.recordCount, "record")) at about"
      + " \(Quantity.fixed(overhead.nanosecondsPerRecord, places: 0)) ns,"
      + " \(Quantity.length(overhead.time)) in all"
    if let share = overhead.mainShare {
      text += ", \(Quantity.fixed(share * 100, places: 2)) % of main-thread time"
    }
    return [(text + " (estimated)", .plain)]
  }

  /// Whether a notice says what the headline has not said.
  private func isNews(_ notice: AnalysisNotice) -> Bool {
    switch notice {
    case .trace(.noFrames): false
    case .noData: surface?.isEvaluated == true
    default: true
    }
  }
}
