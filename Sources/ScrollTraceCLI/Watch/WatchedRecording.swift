import ScrollTraceKit

/// A recording that goes on: what its last part says, and the figures since its start.
///
/// The figures of what is settled are summed up and its events forgotten; what came later is looked at
/// anew each time. So it takes the same space however long the recording is.
struct WatchedRecording {
  /// How far back what is held, counted and settled reaches.
  struct Pace: Sendable {
    /// What lies so far back is settled: spans are recorded when they end, presentations later still.
    var settlingTime = TimeSpan.milliseconds(10_000)
    /// What a span that has not ended can hold up at most.
    var longestHold = TimeSpan.milliseconds(60_000)
    /// What is kept of the settled part, since gaps and causes reach back into it.
    var overlap = TimeSpan.milliseconds(5_000)
    /// The most things to hold; a host that records more gets a shorter part.
    var mostItems = 500_000
  }

  /// How many of the worst hitches are kept.
  private static let mostWorst = 20
  /// How many of the latest are put into words: more than a terminal has lines.
  private static let mostLatest = 60

  /// Where the bytes come from.
  let reader: LiveTraceReader
  /// The last part; `nil` before anything was read.
  private(set) var analysis: LiveAnalysis?
  /// The figures since the start.
  private(set) var total = LiveTotals()
  /// The worst hitches since the start, the worst first.
  private(set) var worst: [WatchedHitch] = []

  private let frameSpacing: Pace
  private var settled = LiveTotals()
  private var settledUntil = Timestamp.zero
  private var settledWorst: [WatchedHitch] = []
  private var forgottenUntil = Timestamp.zero

  /// A recording at its start.
  init(_ reader: LiveTraceReader, frameSpacing: Pace = Pace()) {
    self.reader = reader
    self.frameSpacing = frameSpacing
  }

  /// The latest hitches of the part that is always held, ascending by the instants at which they were
  /// over.
  var latestHitches: [WatchedHitch] {
    guard let end = analysis?.trace.range.end else { return [] }
    let all = found(from: end - frameSpacing.settlingTime - frameSpacing.overlap, to: nil)
    return all.stablySorted { $0.hitch.range.end }.suffix(Self.mostLatest).map(words)
  }

  /// Reads what has come, about `limit` bytes of it, and looks at it; whether there was anything.
  mutating func readOn(atMost limit: Int) throws(ImportError) -> Bool {
    let hasRead = try reader.readOn(atMost: limit) > 0
    if hasRead || analysis == nil { look() }
    return hasRead
  }

  /// Looks at what is held.
  mutating func look() {
    let analysis = LiveAnalysis(of: reader.trace())
    self.analysis = analysis
    settle(analysis)
    total = settled + analysis.tally(from: settledUntil, to: nil)
    worst = worst(settledWorst, from: settledUntil, to: nil)
    forget()
  }

  /// The figures of the last `length` of the recording.
  func recent(_ length: TimeSpan) -> LiveTotals {
    guard let analysis else { return LiveTotals() }
    return analysis.tally(from: analysis.trace.range.end - length, to: nil)
  }

  /// The hitches that were over from `begin` on and before `end`, as far as they are held, ascending by
  /// the instants at which they were over.
  func hitches(from start: Timestamp, to end: Timestamp?) -> [WatchedHitch] {
    found(from: start, to: end).stablySorted { $0.hitch.range.end }.map(words)
  }

  /// A hitch of the part that is held.
  private struct Found {
    let hitch: Hitch
    let surface: String
  }

  private func found(from start: Timestamp, to end: Timestamp?) -> [Found] {
    (analysis?.surfaces ?? []).flatMap { surface in
      surface.hitches.filter { hitch in
        start <= hitch.range.end && (end.map { hitch.range.end < $0 } ?? true)
      }.map { Found(hitch: $0, surface: surface.name) }
    }
  }

  private func words(_ found: Found) -> WatchedHitch {
    // Among one there is nothing to tell apart.
    let name = analysis.map { $0.surfaces.count > 1 } ?? false
    return WatchedHitch(
      found.hitch, of: name ? found.surface : "",
      wording: Messages(start: analysis?.trace.range.start ?? .zero))
  }

  // MARK: - What is settled

  /// Adds to the figures what cannot change any more.
  private mutating func settle(_ analysis: LiveAnalysis) {
    guard
      let latest = reader.latestTime.map({
        Self.credible(
          $0, start: analysis.trace.range.start, now: HostClock.now(reader.clock))
      })
    else { return }
    let known = min(latest, reader.frontier ?? latest)
    var (time, hold) = (frameSpacing.settlingTime, frameSpacing.longestHold)
    if reader.itemCount > frameSpacing.mostItems {
      let length = max(.zero, latest - max(forgottenUntil, analysis.trace.range.start))
      time = min(time, TimeSpan(nanoseconds: length.nanoseconds / 4))
      hold = .zero
    }
    var limit = known - time
    for span in analysis.trace.openSpans where known - span.since <= hold {
      limit = min(limit, span.since)
    }
    guard limit > settledUntil else { return }
    settled = settled + analysis.tally(from: settledUntil, to: limit)
    settledWorst = worst(settledWorst, from: settledUntil, to: limit)
    settledUntil = limit
  }

  /// How far ahead of the clock an instant may lie.
  private static let mostAhead = TimeSpan.milliseconds(5_000)

  /// `latest`, or what the clock says where that is further: one instant far off must not settle all
  /// that is still to come.
  ///
  /// A recording that begins later than `now` is of another start of the machine, whose clock says
  /// nothing here.
  static func credible(_ latest: Timestamp, start: Timestamp, now: Timestamp?) -> Timestamp {
    guard let now, start <= now else { return latest }
    return min(latest, now + mostAhead)
  }

  /// Forgets what nothing needs any more, now and then: it costs as much as what is kept.
  private mutating func forget() {
    let isFull = reader.itemCount > frameSpacing.mostItems
    let limit = settledUntil - (isFull ? .zero : frameSpacing.overlap)
    guard limit - forgottenUntil > (isFull ? .zero : frameSpacing.overlap) else { return }
    reader.forget(before: limit)
    forgottenUntil = limit
  }

  /// The worst of those that were the worst before and those of a stretch.
  private func worst(
    _ before: [WatchedHitch], from start: Timestamp, to end: Timestamp?
  ) -> [WatchedHitch] {
    let found = found(from: start, to: end).stablySorted { TimeSpan.zero - $0.hitch.length }
    let all = before + found.prefix(Self.mostWorst).map(words)
    return Array(all.stablySorted { TimeSpan.zero - $0.length }.prefix(Self.mostWorst))
  }
}
