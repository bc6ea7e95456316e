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
      let shortest = pass.frames.compactMap(\.refreshInterval).min()
    else { return nil }
    let spans = pass.trace.tracks[main.index].spans
    let commits = pass.frames.compactMap { $0.frame.commitEnd?.nanoseconds }.sorted()
    let deadlines = pass.frames.compactMap { $0.frame.deadline?.nanoseconds }.sorted()
    var stalls = Stalls(count: 0, longest: .zero)
    var covered = Int64.min
    for index in 0..<spans.count where spans.times[index].start >= covered {
      let (begin, end) = (spans.times[index].start, spans.times[index].end)
      let length = TimeSpan(nanoseconds: end - begin)
      guard length > shortest, count(of: commits, in: begin, end) < 2 else { continue }
      let span = spans[index].range
      let isLong = length >= (interval(at: span.start) ?? shortest) * 2
      guard isLong || count(of: deadlines, in: begin, end) >= 2 else { continue }
      covered = end
      guard pass.countedTime.coveredLength(of: span) > .zero else { continue }
      stalls.count += 1
      stalls.longest = max(stalls.longest, length)
    }
    return stalls
  }

  /// The refresh interval at a time.
  private func interval(at instant: Timestamp) -> TimeSpan? {
    let next = pass.frames.partitionPoint { $0.frame.place.map { $0 > instant } ?? true }
    return pass.frames[max(0, next - 1)].refreshInterval
  }

  /// The number of ascending `timestamps` in a range.
  private func count(of timestamps: [Int64], in start: Int64, _ end: Int64) -> Int {
    timestamps.partitionPoint { $0 >= end } - timestamps.partitionPoint { $0 >= start }
  }
}
