import ScrollTraceAnalysis
import ScrollTraceModel

/// One frame of a run from close by, in words: its answer, its facts, its work.
struct TextFrame {
  /// How many causes the table of a text has.
  private static let causeLimit = 20

  /// The run it is of.
  let text: TextRun
  /// What is known of the frame.
  let detail: FrameDetail

  /// The frame as sections of lines.
  var sections: [[TextLine]] {
    let sentence = text.sentence(answer.text, behind: answer.word)
    return [text.opening + sentence, chartLines, text.lines(of: facts), causeLines]
  }

  // MARK: - Answer

  /// What became of the frame, in a word and a sentence.
  var answer: (word: TextLine, text: String) {
    let whose = "frame \(detail.frame.id) of \(text.name(detail.surface))"
    guard let hitch = detail.hitch else {
      let (word, ink, reason) = reasonForNoHitch
      return (TextLine(word, ink), "\(whose): \(reason)")
    }
    var parts = [text.wording.text(of: hitch.kind)]
    if let severity = hitch.severity { parts.append(severity.rawValue) }
    if hitch.isFrozen { parts.append("frozen") }
    if hitch.isEstimated { parts.append("estimated") }
    let refreshes = hitch.refreshesMissed.map { " (\(Quantity.count($0, "refresh", "refreshes")))" }
    return (
      TextLine("HITCH", hitch.severity == .low ? .near : .late),
      "\(whose): \(Quantity.length(hitch.length))\(refreshes ?? "") late;"
        + " \(parts.joined(separator: ", "))"
    )
  }

  private var reasonForNoHitch: (String, TextRole, String) {
    switch detail.answer {
    case .hitch, .onTime: ("NO HITCH", .good, "in time")
    case .notRequested: ("NO FRAME", .near, "nothing had to change at this refresh")
    case .lateWithoutHitch: ("NO HITCH", .good, "as late as the frame before it, which is latency")
    case .dropped:
      ("NO HITCH", .good, "never shown; what was late is charged to the next one")
    case .neverEnded: ("NOT JUDGED", .near, "nobody knows that it ever ended")
    case .notEvaluated: ("NOT JUDGED", .near, "too little is known of it")
    }
  }

  /// From when the times of the frame are counted.
  var origin: Timestamp? { detail.frame.place ?? detail.range?.start }

  // MARK: - Causes

  /// That nobody knows what filled the frame.
  static let unknownCauses =
    "What filled the frame is unknown: the trace holds no main-thread work or no times for it."

  private var causeLines: [TextLine] {
    causes.map { text.lines($0) }
      ?? text.wrapped(Self.unknownCauses, indent: 0, ink: .faint)
  }

  /// What filled the frame's window (M-16), most time first; `nil` where that is unknown.
  var causes: TitledTable? {
    guard let attribution = detail.attribution else { return nil }
    let window = attribution.window
    var table = TextTable([
      .init(title: "self time", alignment: .right), .init(title: "share", alignment: .right),
      .init(title: "work", isFlexible: true), .init(title: "item"),
    ])
    func add(_ time: TimeSpan, _ what: String, item: String = "") {
      let share = Double(time.nanoseconds) / Double(max(1, window.length.nanoseconds))
      table.add([
        TextLine(Quantity.length(time)), TextLine(Quantity.share(share)), TextLine(what),
        TextLine(item),
      ])
    }
    for cause in attribution.causes.prefix(Self.causeLimit) {
      let names = [text.label(cause.category), cause.name].filter { !$0.isEmpty }
        .map { text.name($0) }
      add(
        cause.selfTime, names.joined(separator: "/"),
        item: cause.item.map { text.name($0, 24) } ?? "")
    }
    let rest = attribution.causes.dropFirst(Self.causeLimit)
    if !rest.isEmpty {
      add(
        rest.reduce(into: .zero) { $0 += $1.selfTime },
        Quantity.count(rest.count, "smaller cause"))
    }
    if attribution.waiting > .zero { add(attribution.waiting, "waiting") }
    if attribution.idle > .zero { add(attribution.idle, "idle: the main thread had nothing to do") }
    if attribution.unrecorded > .zero { add(attribution.unrecorded, "unrecorded: no span tells") }
    add(window.length, "all")
    let (begin, end) = (text.instant(window.start), text.instant(window.end))
    // What is owed for refreshes without a frame lies before the frame that ended them.
    let isBefore = detail.frame.start.map { window.end <= $0 } ?? false
    return TitledTable(
      title: "Main thread from \(begin) to \(end)\(isBefore ? ", before the frame began" : ""),"
        + " wall time", table: table)
  }
}
