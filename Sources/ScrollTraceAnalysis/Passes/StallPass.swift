package import ScrollTraceModel

/// Stalls of the main thread between two frames, where no motion is known.
package struct StallsBetweenFrames: Equatable, Sendable {
  package let count: Int
  package let longest: TimeSpan
  /// The work of the longest one.
  package let work: WorkName
}

/// Finds ranges in which the main thread stayed inside one span for two refreshes (M-9).
struct StallPass {
  let pass: SurfacePass

  /// The stalls in motion, or `nil` without a main track or refresh interval.
  func stalls() -> Stalls? {
    guard let main = pass.mainTrack, let shortest = shortestRefresh else { return nil }
    var stalls = Stalls(count: 0, longest: .zero)
    forEachStall(on: main, shortest) { _, range in
      stalls.count += 1
      stalls.longest = max(stalls.longest, range.length)
    }
    return stalls
  }

  /// The stalls that kept the app from beginning frames and are no part of `hitches`, or `nil` if there are none.
  ///
  /// Frames that were never begun are no hitches if nothing says that something moved. Here frames came until
  /// shortly before the stall, and again shortly after it, unlike on a screen at rest.
  func stallsBetweenFrames(besides hitches: [Hitch]) -> StallsBetweenFrames? {
    guard let main = pass.mainTrack, let shortest = shortestRefresh else { return nil }
    let spans = pass.trace.tracks[main.index].spans
    let known = TimeRangeSet(
      union: hitches.flatMap { [$0.range, $0.chargedAttribution?.window].compactMap(\.self) })
    var (count, longest) = (0, (index: 0, length: TimeSpan.zero))
    forEachStall(on: main, shortest) { index, range in
      guard !pass.workload.waits[spans.labels[index]], isBetweenFrames(range, shortest),
        known.coveredLength(of: range) == .zero
      else { return }
      count += 1
      if range.length > longest.length { longest = (index, range.length) }
    }
    guard count > 0 else { return nil }
    let work = pass.trace.innermostWork(at: longest.index, of: spans)
    return StallsBetweenFrames(
      count: count, longest: longest.length, work: pass.trace.workName(of: spans.labels[work]))
  }

  private var shortestRefresh: TimeSpan? { pass.frames.source.refreshIntervals.min() }

  /// Calls a closure with each stall's position on a track and its range.
  ///
  /// A span with two or more commits is the loop around the work, so its inner spans are examined
  /// instead.
  private func forEachStall(
    on main: TrackID, _ shortest: TimeSpan, _ body: (Int, TimeRange) -> Void
  ) {
    lazy var commits = pass.surface.frames.compactMap { $0.commitEnd?.nanoseconds }.sorted()
    lazy var deadlines = pass.surface.frames.compactMap { $0.deadline?.nanoseconds }.sorted()
    var covered = Int64.min
    let times = pass.trace.tracks[main.index].spans.times
    times.forEachBlock(longerThan: shortest.nanoseconds) { first, spans in
      for (index, span) in spans.enumerated()
      where span.length > shortest.nanoseconds && span.start >= covered {
        guard count(of: commits, in: span) < 2 else { continue }
        let range = TimeRange(
          start: Timestamp(clamping: span.start), end: Timestamp(clamping: span.end))
        let isLong =
          TimeSpan(nanoseconds: span.length) >= (interval(at: range.start) ?? shortest) * 2
        guard isLong || count(of: deadlines, in: span) >= 2 else { continue }
        covered = span.end
        guard pass.countedTime.coveredLength(of: range) > .zero else { continue }
        body(first + index, range)
      }
    }
  }

  /// Whether a frame is missing between the frames before and after a stall, which are at most three refreshes away.
  private func isBetweenFrames(_ stall: TimeRange, _ shortest: TimeSpan) -> Bool {
    let next = pass.frames.partitionPoint { $0.frame.time.map { $0 > stall.start } ?? true }
    guard next > 0, next < pass.frames.count, let before = pass.frames[next - 1].frame.time,
      let after = pass.frames[next].frame.time
    else { return false }
    let refresh = interval(at: stall.start) ?? shortest
    return stall.start - before <= refresh * 3 && (after - before) * 2 >= refresh * 3
      && stall.end - after <= refresh && after - stall.end <= refresh * 3
  }

  private func interval(at instant: Timestamp) -> TimeSpan? {
    let next = pass.frames.partitionPoint { $0.frame.time.map { $0 > instant } ?? true }
    return pass.frames[max(0, next - 1)].refreshInterval
  }

  private func count(of timestamps: [Int64], in span: SpanBounds) -> Int {
    timestamps.partitionPoint { $0 >= span.end } - timestamps.partitionPoint { $0 >= span.start }
  }
}
