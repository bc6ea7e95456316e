import ScrollTraceAnalysis
import ScrollTraceModel

/// The hitches of a run and their causes.
struct HitchSections {
  let messages: RunMessages

  private var surface: SurfaceAnalysis? { messages.surface }

  /// The causes of the primary surface's hitch time, largest first.
  var causes: Document.Table? {
    guard let surface, let whole = surface.hitchTime, !surface.causes.isEmpty else { return nil }
    let known = surface.causes.filter { $0.kind != .unknown }
    guard !known.isEmpty else { return nil }
    var table = Document.Table([
      .number("hitch time"), .number("share"), .number("hitches"),
      .number("items", expendability: 1), .flexible("cause"),
    ])
    // A tiny cause in every hitch is the frame itself, not the reason for its lateness.
    let (shown, rest) = surface.causes.withoutTiny(
      maximum: messages.limits.hitches == nil ? surface.causes.count : messages.limits.causes
    ) { surface.share(of: $0.hitchTime) }
    for cause in shown {
      table.add(
        Quantity.length(cause.hitchTime), Quantity.share(surface.share(of: cause.hitchTime)),
        "\(cause.hitchCount)", cause.itemCount > 0 ? "\(cause.itemCount)" : "",
        messages.text(of: cause.kind, on: surface))
    }
    let time = rest.reduce(into: TimeSpan.zero) { $0 += $1.hitchTime }
    if !rest.isEmpty {
      table.add(
        Quantity.length(time), Quantity.share(surface.share(of: time)), "", "",
        StyledText(RowLimits.others(rest.count), .faint))
    }
    let attributions = surface.hitches.lazy.compactMap(\.chargedAttribution)
    table.lead = Messages.estimate(
      attributions.reduce(into: .zero) { $0 += $1.estimated },
      of: attributions.reduce(into: .zero) { $0 += $1.window.length })
    return table.titled("Hitch time by cause (\(Quantity.length(whole)))")
  }

  /// Returns the title of a list of hitches. The headline counts those in motion, so the others are named.
  private static func title(showing shown: Int, of surface: SurfaceAnalysis) -> String {
    let all = surface.hitches.count
    let outside = surface.hitchesOutside
    let worst = surface.worstHitches.prefix(2)
    let isMoved = worst.count > 1 && worst[1].comesBefore(worst[0])
    let parts =
      (shown < all ? ["\(shown) of \(all)"] : [])
      + (outside > 0 ? ["\(outside) \(surface.wordsOnOutside)"] : [])
    let details = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    let order = isMoved ? "the worst with a known cause first" : "the worst first"
    return (shown < all ? "Worst hitches" : "Hitches, \(order)") + details
  }

  /// Returns the worst hitches of the primary surface, each with its causes.
  func hitches(_ drawings: [Int: Document.Timeline]) -> Document.HitchList? {
    guard let surface else { return nil }
    let shown = messages.shownHitches(of: surface)
    guard !shown.isEmpty else { return nil }
    return Document.HitchList(
      title: Self.title(showing: shown.count, of: surface),
      columns: [
        .number("at"), .number("frame"), .number("hitch time"),
        .number("refreshes", expendability: 1), "kind", .init(title: "severity", expendability: 2),
        .flexible(""),
      ],
      rows: shown.enumerated().map { index, hitch in
        Document.HitchList.Row(
          cells: cells(hitch), parts: HitchParts(hitch, messages),
          anchor: messages.anchor(ofHitch: index), timelineAnchor: drawings[index]?.anchor)
      }, note: shown.allSatisfy { $0.attribution == nil } ? Self.unknownCauses : nil)
  }

  /// The work around the worst hitches with a frame, by their index in the list.
  var drawings: [Int: Document.Timeline] {
    guard let surface, messages.limits.timelines > 0, messages.trace.mainTrack != nil else {
      return [:]
    }
    let hitches = messages.shownHitches(of: surface).prefix(messages.limits.timelines)
    let details = messages.run.details(of: Array(hitches), on: surface.surface)
    var drawings: [Int: Document.Timeline] = [:]
    for (index, detail) in details.enumerated() {
      guard let detail else { continue }
      drawings[index] = FrameDocument.timeline(
        messages, detail, anchor: "\(messages.anchor(ofHitch: index))-lanes")
    }
    return drawings
  }

  /// The drawings under a heading each, in the order of the list.
  func blocks(_ drawings: [Int: Document.Timeline]) -> [Document.Block] {
    guard let surface else { return [] }
    return messages.shownHitches(of: surface).enumerated().flatMap { index, hitch in
      drawings[index].map { drawing -> [Document.Block] in
        let frame = hitch.frame.map { ", frame \($0)" } ?? ""
        let title =
          "\(messages.instant(hitch.range.start))\(frame): \(Quantity.length(hitch.length))"
        return [.heading("\(title) of hitch time"), .timeline(drawing)]
      } ?? []
    }
  }

  static let unknownCauses =
    "The causes are unknown: the trace contains no main-thread work for these frames."

  private func cells(_ hitch: Hitch) -> [StyledText] {
    let role: TextRole = hitch.severity == .low ? .near : .late
    var remarks: [String] = []
    if hitch.isAfterCommit { remarks.append("main thread on time") }
    if hitch.isFrozen { remarks.append("frozen") }
    if hitch.isEstimated { remarks.append("estimated") }
    if hitch.length > .zero, hitch.lengthInMotion == .zero { remarks.append("not in the ratio") }
    if .zero < hitch.lengthInMotion, hitch.lengthInMotion < hitch.length {
      remarks.append("\(Quantity.length(hitch.lengthInMotion)) in the ratio")
    }
    if let frame = hitch.delayedByFrame { remarks.append("delayed by frame \(frame)") }
    return [
      StyledText(messages.instant(hitch.range.start)),
      StyledText(hitch.frame.map { "\($0)" } ?? ""),
      StyledText(Quantity.length(hitch.length), role),
      StyledText(hitch.refreshesMissed.map { "\($0)" } ?? ""),
      StyledText(messages.wording.text(of: hitch.kind)),
      StyledText(hitch.severity?.rawValue ?? "", role),
      StyledText(remarks.joined(separator: ", ")),
    ]
  }
}

/// The causes of a hitch, limited to the space in a report.
struct HitchParts: Sendable {
  private struct Part {
    let share: Double
    let text: String
  }

  private let sourceLabel: String?
  /// The largest causes, largest first.
  private let causes: [Part]
  /// Time without work: waiting, idle, unrecorded.
  private let others: [Part]
  private let causeCount: Int

  /// The maximum number of named causes.
  static let maximum = 3

  init(_ hitch: Hitch, _ messages: RunMessages) {
    sourceLabel = hitch.sourceLabel.map { "source: \(messages.name($0, 56))" }
    // What the main thread did before a commit on time made nothing late.
    guard let attribution = hitch.attribution, !hitch.isAfterCommit else {
      (causes, others, causeCount) = ([], [], 0)
      return
    }
    let window = Double(max(1, attribution.window.length.nanoseconds))
    let groups = attribution.groups
    causeCount = groups.count
    // A tiny share is not worth naming unless it is the only cause.
    causes = groups.prefix(Self.maximum).enumerated().filter { $0 == 0 || $1.share >= 0.01 }.map {
      Part(
        share: $1.share,
        text: messages.text(ofWork: $1.category, $1.name)
          + Messages.items(of: $1) { messages.name($0, 24) })
    }
    let isElsewhere = attribution.causes.isEmpty
    others = attribution.rest.map { kind, time in
      let isCause = isElsewhere && kind == .idle
      return Part(
        share: Double(time.nanoseconds) / window,
        text: Messages.word(for: kind) + (isCause ? " (the cause lies elsewhere)" : ""))
    }
    .filter { $0.share >= 0.01 || (isElsewhere && $0.share > 0) }
  }

  /// Returns the source's label and the largest parts of the time, with at most `maximum` causes.
  func texts(maximum: Int = maximum) -> [String] {
    let shown = causes.prefix(maximum)
    let parts = (shown + others).stablySorted { $0.share > $1.share }
    let more = causeCount - shown.count
    return (sourceLabel.map { [$0] } ?? []) + parts.map { "\(Quantity.share($0.share)) \($0.text)" }
      + (more > 0 ? [Quantity.count(more, "smaller cause")] : [])
  }
}

extension SurfaceAnalysis {
  /// Where the hitch time that does not count in the ratio lies.
  var wordsOnOutside: String {
    measuredTime.kind == .interaction ? "outside interactions" : "outside the measured time"
  }
}
