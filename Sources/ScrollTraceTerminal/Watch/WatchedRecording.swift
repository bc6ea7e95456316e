import ScrollTraceKit
import ScrollTraceRecorder

/// A recording that is being written: the analysis of its latest part, and the totals since its start.
///
/// Older events are added to totals and discarded; later events are analyzed again each time. The
/// required memory does not depend on the length of the recording.
struct WatchedRecording {
  /// The limits of the part that is retained.
  struct Retention: Sendable {
    /// The age of settled events. Spans are recorded when they end, presentations even later.
    var settlingTime = TimeSpan.milliseconds(10_000)
    /// The maximum age of an open span that delays settling.
    var longestHold = TimeSpan.milliseconds(60_000)
    /// The settled part that is retained, because gaps and causes extend into it.
    var overlap = TimeSpan.milliseconds(5_000)
    /// The maximum number of items; with more, the part is shorter.
    var maximumItems = 500_000
  }

  private static let maximumWorst = 20
  /// The maximum number of latest hitches, more than a terminal has lines.
  private static let maximumLatest = 60

  let reader: LiveTraceReader
  /// The analysis of the latest part, or `nil` before the first data.
  private(set) var analysis: LiveAnalysis?
  /// The totals since the start.
  private(set) var total = LiveTotals()
  /// The longest hitches since the start, longest first.
  private(set) var worst: [WatchedHitch] = []

  /// The samples of the retained part, or `nil` if there are none.
  private var timeline: SampleTimeline?
  private let retention: Retention
  private var settled = LiveTotals()
  private var settledUntil = Timestamp.zero
  private var settledWorst: [WatchedHitch] = []
  private var forgottenUntil = Timestamp.zero
  /// The latencies of discarded frames: a motion's head is compared with the usual latency since
  /// the start.
  private var ways: [String: WayCounts] = [:]

  init(_ reader: LiveTraceReader, retention: Retention = Retention()) {
    self.reader = reader
    self.retention = retention
  }

  /// The latest hitches of the retained part, ordered by end.
  var latestHitches: [WatchedHitch] {
    guard let end = analysis?.trace.range.end else { return [] }
    let all = found(from: end - retention.settlingTime - retention.overlap, to: nil)
    return all.stablySorted { $0.hitch.range.end }.suffix(Self.maximumLatest).map(hitch)
  }

  /// Reads and analyzes about `limit` bytes of new data, and returns whether there was any.
  mutating func readOn(maximum limit: Int) throws(ImportError) -> Bool {
    let hasRead = try reader.readOn(maximum: limit) > 0
    if hasRead || analysis == nil { look() }
    return hasRead
  }

  /// Analyzes the retained part.
  mutating func look() {
    let analysis = LiveAnalysis(of: reader.trace(), ways: ways)
    self.analysis = analysis
    timeline = analysis.sampleTimeline
    settle(analysis)
    total = settled + analysis.totals(from: settledUntil, to: nil)
    worst = worst(settledWorst, from: settledUntil, to: nil)
    forget()
  }

  /// The time of the recording's clock, or `nil` for a clock of the app.
  var clockTime: Timestamp? {
    RecorderClock.now(profileNumber: reader.clock).map { Timestamp(clamping: $0) }
  }

  /// Returns the totals of the last `length` of the recording.
  func recent(_ length: TimeSpan) -> LiveTotals {
    guard let analysis else { return LiveTotals() }
    return analysis.totals(from: analysis.trace.range.end - length, to: nil)
  }

  /// Returns the retained hitches that ended in a range, ordered by end.
  func hitches(from start: Timestamp, to end: Timestamp?) -> [WatchedHitch] {
    found(from: start, to: end).stablySorted { $0.hitch.range.end }.map(hitch)
  }

  /// A hitch of the retained part.
  private typealias Found = (hitch: Hitch, surface: String)

  private func found(from start: Timestamp, to end: Timestamp?) -> [Found] {
    (analysis?.surfaces ?? []).flatMap { surface in
      surface.hitches.filter { hitch in
        start <= hitch.range.end && (end.map { hitch.range.end < $0 } ?? true)
      }.map { ($0, surface.name) }
    }
  }

  private func hitch(_ found: Found) -> WatchedHitch {
    // A single surface needs no name.
    let name = analysis.map { $0.surfaces.count > 1 } ?? false
    let window = found.hitch.chargedAttribution?.window ?? found.hitch.range
    return WatchedHitch(
      found.hitch, of: name ? found.surface : "",
      function: timeline?.heaviestFunction(in: window),
      messages: Messages(start: analysis?.trace.range.start ?? .zero))
  }

  // MARK: - Settled events

  /// Adds events that cannot change any more to the totals.
  private mutating func settle(_ analysis: LiveAnalysis) {
    guard
      let latest = reader.latestTime.map({
        Self.credible($0, start: analysis.trace.range.start, now: clockTime)
      })
    else { return }
    let known = min(latest, reader.frontier ?? latest)
    var (time, hold) = (retention.settlingTime, retention.longestHold)
    if reader.itemCount > retention.maximumItems {
      let length = max(.zero, latest - max(forgottenUntil, analysis.trace.range.start))
      time = min(time, TimeSpan(nanoseconds: length.nanoseconds / 4))
      hold = .zero
    }
    var limit = known - time
    for span in analysis.trace.openSpans where known - span.since <= hold {
      limit = min(limit, span.since)
    }
    guard limit > settledUntil else { return }
    settled = settled + analysis.totals(from: settledUntil, to: limit)
    settledWorst = worst(settledWorst, from: settledUntil, to: limit)
    settledUntil = limit
  }

  /// The maximum time that a timestamp can be ahead of the clock.
  private static let maximumAhead = TimeSpan.milliseconds(5_000)

  /// Returns `latest`, limited by the clock, because a timestamp far in the future must not settle
  /// later events.
  ///
  /// A recording that starts after `now` is from another boot, whose clock is not comparable.
  static func credible(_ latest: Timestamp, start: Timestamp, now: Timestamp?) -> Timestamp {
    guard let now, start <= now else { return latest }
    return min(latest, now + maximumAhead)
  }

  /// Discards settled events from time to time, at a cost proportional to the retained ones.
  private mutating func forget() {
    let isFull = reader.itemCount > retention.maximumItems
    let limit = settledUntil - (isFull ? .zero : retention.overlap)
    guard limit - forgottenUntil > (isFull ? .zero : retention.overlap) else { return }
    analysis?.addWays(until: limit, to: &ways)
    reader.forget(before: limit)
    forgottenUntil = limit
  }

  /// Returns the longest hitches of `before` and a range.
  private func worst(
    _ before: [WatchedHitch], from start: Timestamp, to end: Timestamp?
  ) -> [WatchedHitch] {
    let found = found(from: start, to: end).stablySorted { TimeSpan.zero - $0.hitch.length }
    let all = before + found.prefix(Self.maximumWorst).map(hitch)
    return Array(all.stablySorted { TimeSpan.zero - $0.length }.prefix(Self.maximumWorst))
  }
}

struct WatchedHitch: Sendable {
  /// The surface, or an empty string if the recording has only one.
  let surface: String
  /// The frame's number, or `nil` for refreshes without a frame.
  let frame: UInt64?
  let start: Timestamp
  let end: Timestamp
  let length: TimeSpan
  /// The number of skipped refreshes, or `nil` if unknown.
  let refreshesMissed: Int?
  let kind: String
  /// The causes, largest first, not escaped.
  let causes: [String]
  /// Whether the hitch is longer than one refresh.
  let isSevere: Bool

  /// Creates a hitch of `surface`.
  ///
  /// - Parameter function: The function in which most samples of the hitch are, or `nil` if unknown.
  init(_ hitch: Hitch, of surface: String, function: String?, messages: Messages) {
    self.surface = surface
    frame = hitch.frame
    start = hitch.range.start
    end = hitch.range.end
    length = hitch.length
    refreshesMissed = hitch.refreshesMissed
    kind = messages.text(of: hitch.kind)
    causes =
      (hitch.isAfterCommit
        ? [Messages.word(for: .render)] : hitch.chargedAttribution.map(Self.causes) ?? [])
      + (function.map { ["mostly in \($0)"] } ?? [])
    isSevere = hitch.severity == .moderate || hitch.severity == .high
  }

  /// Returns the causes with a share of at least 10%, and the largest one in any case.
  private static func causes(_ attribution: Attribution) -> [String] {
    let window = Double(max(1, attribution.window.length.nanoseconds))
    var parts = attribution.groups.map { group in
      let work = WorkName(category: group.category, name: group.name)
      return (share: group.share, text: Messages.text(of: work) + Messages.items(of: group))
    }
    parts += attribution.rest.map {
      (share: Double($0.time.nanoseconds) / window, text: Messages.word(for: $0.kind))
    }
    let sorted = parts.stablySorted { $0.share > $1.share }
    return sorted.enumerated().filter { $0.offset == 0 || $0.element.share >= 0.1 }.prefix(3)
      .map { "\(Quantity.share($0.element.share)) \($0.element.text)" }
  }
}
