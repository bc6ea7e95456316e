import ScrollTraceModel

/// Finds how long a refresh is, where a trace does not say it.
enum PerfettoRefresh {
  /// The fewest gaps between frames that tell a rate.
  private static let fewestGaps = 8

  /// The usual gap between the times at which frames were due to begin, which are of the display's
  /// own beat; `nil` where half of them do not agree on one.
  static func interval(of frames: [PerfettoFrameTimeline.Draft]) -> TimeSpan? {
    let times = frames.compactMap(\.expected).sorted()
    let gaps = zip(times.dropFirst(), times).map { ($0 - $1).nanoseconds }
      .filter { $0 > 0 }.sorted()
    guard gaps.count >= fewestGaps else { return nil }
    let middle = gaps[gaps.count / 2]
    let same = gaps.count { abs($0 - middle) <= middle / 20 }
    guard same * 2 >= gaps.count else { return nil }
    return TimeSpan(nanoseconds: middle)
  }
}
