import ScrollTraceAnalysis
import ScrollTraceModel

/// The document on one frame of a run: its status, its facts, its work.
struct FrameDocument {
  private static let causeLimit = 20
  private static let factLimit = 8

  let messages: RunMessages
  let detail: FrameDetail

  static func sections(_ messages: RunMessages, frame number: UInt64) -> [Document.Section] {
    guard let detail = messages.run.detail(ofFrame: number) else {
      let reason = messages.sentence(
        messages.run.problem(withFrame: number).map { Messages.text(of: $0) } ?? "")
      return [
        Document.Section(
          blocks: [.opening(source: messages.source, task: ""), .paragraph(.init(reason))],
          scope: .brief),
        Document.Section(
          blocks: [
            .statement(word: StyledText("NOT MEASURABLE", .near), text: .init(reason)),
            .source(messages.source),
          ], scope: .extended),
      ]
    }
    return FrameDocument(messages: messages, detail: detail).sections
  }

  /// Returns the drawing of the work around a hitch of a report, or `nil` if its time is unknown.
  static func timeline(
    _ messages: RunMessages, _ detail: FrameDetail, anchor: String
  ) -> Document.Timeline? {
    var timeline = FrameDocument(messages: messages, detail: detail).timeline
    timeline?.anchor = anchor
    return timeline
  }

  private var sections: [Document.Section] {
    let status = Document.Block.statement(word: status.word, text: .init(status.text))
    let timeline = timeline
    return [
      Document.Section(
        blocks: [.opening(source: messages.source, task: ""), status], scope: .brief),
      Document.Section(
        blocks: [status, .source(messages.source), .facts(facts)], scope: .extended),
      Document.Section(
        title: timeline?.title ?? "", blocks: timeline.map { [.timeline($0)] } ?? []),
      Document.Section(blocks: [.facts(facts)], scope: .brief),
      Document.Section(
        title: "Causes",
        blocks: [causes.map { .table($0) } ?? .paragraph(StyledText(Self.unknownCauses, .faint))]),
      Document.Section(
        title: "Samples", blocks: SampleSection(messages: messages).blocks(of: detail)),
    ]
  }

  // MARK: - Status

  private var status: (word: StyledText, text: String) {
    let whose = "frame \(detail.frame.id) of \(messages.name(detail.surface))"
    guard let hitch = detail.hitch else {
      let (word, role, reason) = reasonForNoHitch
      return (StyledText(word, role), "\(whose): \(reason)")
    }
    var parts = [reason(for: hitch)]
    if let severity = hitch.severity { parts.append(severity.rawValue) }
    if hitch.isFrozen { parts.append("frozen") }
    if hitch.isEstimated { parts.append("estimated") }
    let refreshes = hitch.refreshesMissed.map { " (\(Quantity.count($0, "refresh", "refreshes")))" }
    return (
      StyledText("HITCH", hitch.severity == .low ? .near : .late),
      "\(whose): \(Quantity.length(hitch.length))\(refreshes ?? "") of hitch time;"
        + " \(parts.joined(separator: ", "))"
    )
  }

  /// Why a frame was late, with what filled most of its time.
  private func reason(for hitch: Hitch) -> String {
    let reason =
      switch hitch.kind {
      case .commit:
        hitch.overrun.map { "its commit ended \(Quantity.length($0)) after its deadline" }
          ?? messages.wording.text(of: hitch.kind)
      case .render: "its commit was on time, its picture was not"
      case .skippedRefresh: "the refreshes before it had no picture"
      case .unknown: messages.wording.text(of: hitch.kind)
      }
    if let other = hitch.delayedByFrame { return "\(reason), delayed by frame \(other)" }
    guard !hitch.isAfterCommit, let attribution = hitch.attribution,
      attribution.window.length > .zero
    else { return reason }
    let parts =
      attribution.groups.map {
        (text: messages.text(ofWork: $0.category, $0.name), time: $0.selfTime)
      }
      + attribution.rest.map { (text: messages.text(of: $0.kind), time: $0.time) }
    guard let largest = parts.max(by: { $0.time < $1.time }) else { return reason }
    let share = Double(largest.time.nanoseconds) / Double(attribution.window.length.nanoseconds)
    return "\(reason), \(Quantity.share(share)) \(largest.text)"
  }

  private var reasonForNoHitch: (String, TextRole, String) {
    switch detail.status {
    case .hitch, .onTime: ("NO HITCH", .good, "on time")
    case .notRequested: ("NO FRAME", .near, "no frame was requested for this refresh")
    case .lateWithoutHitch:
      ("NO HITCH", .good, "late without hitch: as late as the frame before it")
    case .dropped:
      ("NO HITCH", .good, "never presented; its lateness is attributed to the next frame")
    case .neverEnded: ("NOT EVALUATED", .near, "its commit never ended")
    case .notEvaluated: ("NOT EVALUATED", .near, "too few of its times are known")
    }
  }

  /// The time that the frame's times are relative to.
  var origin: Timestamp? { detail.frame.time ?? detail.range?.start }

  // MARK: - Facts

  /// The frame's times in order, and the circumstances.
  private var facts: [Document.Fact] {
    let frame = detail.frame
    var facts: [Document.Fact] = []
    if let start = frame.start { facts.append(.init("start", at(start))) }
    switch (frame.commitStart, frame.commitEnd) {
    case (let start?, let end?):
      facts.append(.init("commit", "\(at(start)) to \(at(end)); \(Quantity.length(end - start))"))
    case (nil, let end?): facts.append(.init("commit", "ended at \(at(end))"))
    case (let start?, nil): facts.append(.init("commit", "started at \(at(start)), never ended"))
    case (nil, nil): break
    }
    if let deadline = frame.deadline {
      let miss = detail.overrun.map { overrun in
        overrun > .zero
          ? "; missed by \(Quantity.length(overrun))"
          : "; met with \(Quantity.length(overrun.magnitude)) left"
      }
      facts.append(.init("deadline", at(deadline) + (miss ?? "")))
    }
    if let target = frame.target { facts.append(.init("target", at(target))) }
    facts += presented
    if let interval = detail.refreshInterval {
      facts.append(.init("refresh", "\(Quantity.interval(interval)), \(Quantity.rate(interval))"))
    }
    return facts + circumstances
  }

  private func at(_ time: Timestamp) -> String {
    let offset = origin.map { time - $0 } ?? .zero
    let instant = messages.instant(time)
    return offset == .zero
      ? instant : "\(instant) (\(offset < .zero ? "" : "+")\(Quantity.length(offset)))"
  }

  private var presented: [Document.Fact] {
    if let presented = detail.frame.presented {
      let late = detail.frame.target.map { target in
        presented == target
          ? "; on target"
          : "; \(Quantity.length((presented - target).magnitude))"
            + (presented > target ? " after target" : " before target")
      }
      return [.init("presented", at(presented) + (late ?? ""))]
    }
    return detail.frame.outcome == .dropped ? [.init("presented", "never (dropped)")] : []
  }

  private var circumstances: [Document.Fact] {
    var facts: [Document.Fact] = []
    if !detail.interactions.isEmpty {
      let texts = detail.interactions.prefix(Self.factLimit).map { interaction in
        let names = [interaction.kind, interaction.name].filter { !$0.isEmpty }.map {
          messages.name($0)
        }
        return "\(names.joined(separator: " ")) from \(messages.instant(interaction.start))"
          + (interaction.end.map { " to \(messages.instant($0))" } ?? " on")
      }
      facts.append(.init("interaction", texts.joined(separator: " · ")))
    }
    if !detail.states.isEmpty {
      let texts = detail.states.prefix(Self.factLimit).map {
        "\(messages.name($0.key)) = \(messages.name($0.value))"
      }
      facts.append(.init("state", texts.joined(separator: " · ")))
    }
    if let origin = detail.hitch?.delayedByFrame {
      facts.append(
        .init("delayed", "by frame \(origin), see --frame \(origin)"))
    }
    if let label = detail.sourceLabel { facts.append(.init("source", messages.name(label))) }
    if detail.sameNumberCount > 1 {
      facts.append(
        .init("number", "\(detail.sameNumberCount) frames share it; this is the worst"))
    }
    return facts
  }

  // MARK: - Causes

  static let unknownCauses =
    "The causes are unknown: the trace contains no main-thread work or no times for this frame."

  /// The causes in the frame's window (M-16), longest first, or `nil` if unknown.
  private var causes: Document.Table? {
    guard let attribution = detail.attribution else { return nil }
    let window = attribution.window
    var table = Document.Table([.number("self time"), .number("share"), .flexible("work"), "item"])
    func add(_ time: TimeSpan, _ what: String, item: String = "") {
      let share = Double(time.nanoseconds) / Double(max(1, window.length.nanoseconds))
      table.add(Quantity.length(time), Quantity.share(share), what, item)
    }
    let (shown, rest) = attribution.causes.withoutTiny(maximum: Self.causeLimit) {
      Double($0.selfTime.nanoseconds) / Double(max(1, window.length.nanoseconds))
    }
    for cause in shown {
      let names = [messages.label(cause.category), cause.name].filter { !$0.isEmpty }
        .map { messages.name($0) }
      add(
        cause.selfTime, names.joined(separator: "/"),
        item: cause.item.map { messages.name($0, 24) } ?? "")
    }
    if !rest.isEmpty {
      add(
        rest.reduce(into: .zero) { $0 += $1.selfTime }, RowLimits.others(rest.count))
    }
    for (kind, time) in attribution.rest where time > .zero {
      let sampled =
        kind == .unrecorded
        ? messages.textOfUnrecorded(SampleSection(messages: messages).account(of: detail)) : nil
      add(time, sampled ?? Messages.text(of: kind, inFrame: true))
    }
    add(window.length, "total")
    table.lead = Messages.estimate(attribution.estimated, of: window.length)
    let (begin, end) = (messages.instant(window.start), messages.instant(window.end))
    // The window of refreshes without a frame precedes the frame that ended them.
    let isBefore = detail.frame.start.map { window.end <= $0 } ?? false
    return table.titled(
      "Main thread from \(begin) to \(end)\(isBefore ? ", before the frame started" : ""),"
        + " wall time")
  }
}
