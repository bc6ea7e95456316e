import ScrollTraceModel

/// Finds ranges in which the main thread stayed inside one span for two refreshes (M-9).
struct StallPass {
  let pass: SurfacePass

  /// The stalls in motion, or `nil` without a main track or refresh interval.
  ///
  /// A span with two or more commits is the loop around the work, so its inner spans are examined
  /// instead.
  func stalls() -> Stalls? {
    guard let main = pass.workload.main,
      let shortest = pass.frames.lazy.compactMap(\.refreshInterval).min()
    else { return nil }
    lazy var commits = pass.frames.compactMap { $0.frame.commitEnd?.nanoseconds }.sorted()
    lazy var deadlines = pass.frames.compactMap { $0.frame.deadline?.nanoseconds }.sorted()
    var stalls = Stalls(count: 0, longest: .zero)
    var covered = Int64.min
    pass.trace.tracks[main.index].spans.times.forEachBlock { _, spans in
      for span in spans where span.length > shortest.nanoseconds && span.start >= covered {
        let length = TimeSpan(nanoseconds: span.length)
        guard count(of: commits, in: span) < 2 else { continue }
        let range = TimeRange(
          start: Timestamp(clamping: span.start), end: Timestamp(clamping: span.end))
        let isLong = length >= (interval(at: range.start) ?? shortest) * 2
        guard isLong || count(of: deadlines, in: span) >= 2 else { continue }
        covered = span.end
        guard pass.countedTime.coveredLength(of: range) > .zero else { continue }
        stalls.count += 1
        stalls.longest = max(stalls.longest, length)
      }
    }
    return stalls
  }

  private func interval(at instant: Timestamp) -> TimeSpan? {
    let next = pass.frames.partitionPoint { $0.frame.time.map { $0 > instant } ?? true }
    return pass.frames[max(0, next - 1)].refreshInterval
  }

  private func count(of timestamps: [Int64], in span: SpanBounds) -> Int {
    timestamps.partitionPoint { $0 >= span.end } - timestamps.partitionPoint { $0 >= span.start }
  }
}
