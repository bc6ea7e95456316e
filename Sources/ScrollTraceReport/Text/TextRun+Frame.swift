import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  private static let causeLimit = 20
  private static let factLimit = 8

  /// One frame from close by, in place of the whole run.
  func frame(_ number: UInt64) -> [[TextLine]] {
    guard let detail = run.detail(ofFrame: number) else {
      let problem = run.problem(withFrame: number).map { Wording.text(of: $0) } ?? ""
      return [opening + wrapped(sentence(problem), indent: 2)]
    }
    return [
      opening + verdict(detail), chart(detail),
      lines(of: facts(detail)), causes(detail),
    ]
  }

  // MARK: - Facts

  private func verdict(_ detail: FrameDetail) -> [TextLine] {
    let whose = "frame \(detail.frame.id) of \(name(detail.surface))"
    guard let hitch = detail.hitch else {
      let (word, ink, reason) = reasonForNoHitch(detail)
      return sentence("\(whose): \(reason)", behind: TextLine(word, ink))
    }
    var parts = [wording.text(of: hitch.kind)]
    if let severity = hitch.severity { parts.append(severity.rawValue) }
    if hitch.isFrozen { parts.append("frozen") }
    if hitch.isEstimated { parts.append("estimated") }
    let refreshes = hitch.refreshesMissed.map { " (\(Quantity.count($0, "refresh", "refreshes")))" }
    return sentence(
      "\(whose): \(Quantity.length(hitch.length))\(refreshes ?? "") late;"
        + " \(parts.joined(separator: ", "))",
      behind: TextLine("HITCH", hitch.severity == .low ? .near : .late))
  }

  private func reasonForNoHitch(_ detail: FrameDetail) -> (String, Ink, String) {
    if detail.frame.outcome == .notRequested {
      return ("NO FRAME", .near, "nothing had to change at this refresh")
    }
    if detail.isStuffed {
      return ("NO HITCH", .good, "as late as the frame before it, which is latency")
    }
    guard detail.isJudged else {
      if detail.frame.outcome == .unknown, detail.frame.begin != nil,
        detail.frame.commitEnd == nil, detail.frame.presented == nil
      {
        return ("NOT JUDGED", .near, "nobody knows that it ever ended")
      }
      return ("NOT JUDGED", .near, "too little is known of it")
    }
    if detail.frame.outcome == .dropped {
      return ("NO HITCH", .good, "never shown; what was late is charged to the next one")
    }
    return ("NO HITCH", .good, "in time")
  }

  private func facts(_ detail: FrameDetail) -> [(label: String, text: String)] {
    let frame = detail.frame
    let origin = origin(of: detail)
    func at(_ time: Timestamp) -> String {
      let offset = origin.map { time - $0 } ?? .zero
      return offset == .zero
        ? instant(time)
        : "\(instant(time)) (\(offset < .zero ? "" : "+")\(Quantity.length(offset)))"
    }
    var facts: [(label: String, text: String)] = []
    if let begin = frame.begin { facts.append(("begin", at(begin))) }
    switch (frame.commitStart, frame.commitEnd) {
    case (let start?, let end?):
      facts.append(
        ("commit", "\(at(start)) to \(at(end)); \(Quantity.length(end - start))"))
    case (nil, let end?): facts.append(("commit", "ended at \(at(end))"))
    case (let start?, nil): facts.append(("commit", "begun at \(at(start)), never ended"))
    case (nil, nil): break
    }
    if let deadline = frame.deadline {
      let miss = detail.overrun.map { overrun in
        overrun > .zero
          ? "; missed by \(Quantity.length(overrun))"
          : "; met with \(Quantity.length(overrun.magnitude)) to spare"
      }
      facts.append(("deadline", at(deadline) + (miss ?? "")))
    }
    if let target = frame.target { facts.append(("target", at(target))) }
    facts += presented(detail, at)
    if let interval = detail.interval {
      facts.append(("refresh", "\(Quantity.interval(interval)), \(Quantity.rate(interval))"))
    }
    return facts + circumstances(detail)
  }

  private func presented(
    _ detail: FrameDetail, _ at: (Timestamp) -> String
  ) -> [(label: String, text: String)] {
    if let presented = detail.frame.presented {
      let late = detail.frame.target.map { target in
        presented == target
          ? "; on its target"
          : "; \(Quantity.length((presented - target).magnitude))"
            + (presented > target ? " after its target" : " before its target")
      }
      return [("presented", at(presented) + (late ?? ""))]
    }
    return detail.frame.outcome == .dropped ? [("presented", "never: it was dropped")] : []
  }

  /// What held while the frame was made, and what else is known of it.
  private func circumstances(_ detail: FrameDetail) -> [(label: String, text: String)] {
    var facts: [(label: String, text: String)] = []
    if !detail.interactions.isEmpty {
      let texts = detail.interactions.prefix(Self.factLimit).map { interaction in
        let names = [interaction.kind, interaction.name].filter { !$0.isEmpty }.map { name($0) }
        return "\(names.joined(separator: " ")) from \(instant(interaction.begin))"
          + (interaction.end.map { " to \(instant($0))" } ?? " on")
      }
      facts.append(("interaction", texts.joined(separator: "\(glyphs.separator) ")))
    }
    if !detail.states.isEmpty {
      let texts = detail.states.prefix(Self.factLimit).map {
        "\(name($0.key)) = \(name($0.value))"
      }
      facts.append(("state", texts.joined(separator: "\(glyphs.separator) ")))
    }
    if let origin = detail.hitch?.cascadeOf {
      facts.append(
        ("pushed late", "by frame \(origin), which ran into its time; see --frame \(origin)"))
    }
    if let label = detail.sourceLabel { facts.append(("source", "says \(name(label))")) }
    if detail.sameNumberCount > 1 {
      facts.append(
        ("number", "\(detail.sameNumberCount) frames have it; this is the worst of them"))
    }
    return facts
  }

  /// From when the times of a frame are counted.
  private func origin(of detail: FrameDetail) -> Timestamp? {
    detail.frame.place ?? detail.range?.begin
  }

  // MARK: - Chart

  private func chart(_ detail: FrameDetail) -> [TextLine] {
    guard let range = detail.range, let origin = origin(of: detail) else { return [] }
    let frame = detail.frame
    let instants = [
      (frame.begin, "begin"), (frame.commitStart, "commit"), (frame.commitEnd, "done"),
      (frame.deadline, "deadline"), (frame.target, "target"), (frame.presented, "presented"),
    ].compactMap { time, word in time.map { FrameChart.Instant(time: $0, word: word) } }
    let chart = FrameChart(
      range: range, origin: origin, instants: instants, deadline: frame.deadline,
      tracks: tracks(detail), style: style, names: { names($0.label, item: $0.item) })
    var legend = chart.legend.map { entry in
      return "\(entry.sign) \(names(entry.label).first ?? "")"
    }
    if chart.hasOthers { legend.append("* others") }
    let hidden = hiddenWork(detail)
    let zero =
      frame.begin != nil
      ? "begin"
      : frame.place == nil
        ? "first known instant"
        : frame.commitEnd != nil ? "commit's end" : "presentation"
    return [heading("Who worked; 0 ms is the frame's \(zero)")]
      + chart.lines()
      + self.legend(legend)
      + (hidden.isEmpty ? [] : wrapped(hidden, first: 2, indent: 2, ink: .faint))
  }

  /// What signs stand for; none is parted from its name.
  private func legend(_ entries: [String]) -> [TextLine] {
    let pieces = entries.enumerated().map { index, entry in
      entry + (index + 1 < entries.count ? glyphs.separator : "")
    }
    let lines: [TextLine] = .wrapping(
      pieces: pieces, width: style.width - 2, ink: .faint, ellipsis: glyphs.ellipsis)
    return lines.map { line in
      var moved = TextLine("  ")
      moved.append(line)
      return moved
    }
  }

  /// The rows of the chart: the levels of the main track, then the other tracks.
  private func tracks(
    _ detail: FrameDetail
  ) -> [(title: String, work: [FrameWork], isMain: Bool)] {
    var tracks: [(title: String, work: [FrameWork], isMain: Bool)] = []
    if let main = detail.main {
      let deepest = main.pieces.map(\.depth).max() ?? 0
      for level in 0...min(deepest, FrameChart.levels - 1) {
        tracks.append(
          (level == 0 ? name(main.name, 20) : "", main.pieces.filter { $0.depth == level }, true))
      }
    }
    return tracks
      + detail.background.prefix(FrameChart.tracks).map { (name($0.name, 20), $0.pieces, false) }
  }

  /// The names of a piece of work, from the longest to the shortest.
  private func names(_ id: LabelID, item: ArgumentValue? = nil) -> [String] {
    let category = name(label(trace.category(of: id)), 24)
    let plain = name(trace.name(of: id), 32)
    let short = plain.isEmpty ? category : plain
    let long = [category, plain].filter { !$0.isEmpty }.joined(separator: "/")
    let item = item.flatMap(trace.displayText).map { " (\(name($0, 24)))" }
    return (item.map { [long + $0, short + $0] } ?? []) + [long, short]
  }

  /// What the chart leaves out.
  private func hiddenWork(_ detail: FrameDetail) -> String {
    let deeper = detail.main?.pieces.count { $0.depth >= FrameChart.levels } ?? 0
    let tracks = detail.background.count - FrameChart.tracks
    var parts: [String] = []
    if deeper > 0 { parts.append("\(Quantity.count(deeper, "span")) nested deeper") }
    if tracks > 0 { parts.append("\(Quantity.count(tracks, "less busy track"))") }
    return parts.isEmpty ? "" : "Not drawn: \(parts.joined(separator: ", "))."
  }

  // MARK: - Causes

  private func causes(_ detail: FrameDetail) -> [TextLine] {
    guard let attribution = detail.attribution else {
      return wrapped(
        "What filled the frame is unknown: the trace holds no main-thread work or no times for it.",
        indent: 0, ink: .faint)
    }
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
      let names = [label(cause.category), cause.name].filter { !$0.isEmpty }.map { name($0) }
      add(cause.selfTime, names.joined(separator: "/"), item: cause.item.map { name($0, 24) } ?? "")
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
    return [
      heading("Main thread from \(instant(window.begin)) to \(instant(window.end)), wall time")
    ] + lines(table)
  }
}
