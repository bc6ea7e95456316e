import ScrollTraceModel

/// When threads ran scripts, to find the call that a measure of the page was taken in.
///
/// Chrome writes `performance.measure` as asynchronous work, since it may span anything. A measure
/// inside of one call is work of the thread like any other, and names it best.
struct ChromeScriptCalls {
  /// How much earlier than its call a measure may seem to begin: pages see a clock of this step,
  /// which is cut off, so that a measure's end is never late.
  static let clockStep = TimeSpan(nanoseconds: 100_000)

  /// How many calls that began within one step of the clock are looked at.
  private static let searchedCount = 64

  private struct Call {
    var start: Timestamp
    var end: Timestamp
    /// The latest end of this call and those that began before it; known once they are in order.
    var latestEnd = Timestamp.zero
  }

  /// The calls of each track, by its index.
  private var calls: [[Call]] = []

  /// Takes a call that `track` ran.
  mutating func add(from start: Timestamp, to end: Timestamp, on track: TrackID) {
    while calls.count <= track.index { calls.append([]) }
    calls[track.index].append(Call(start: start, end: end))
  }

  /// Puts the calls in order, once all have been taken.
  mutating func sort() {
    for track in calls.indices {
      calls[track].sort { ($0.start, $1.end) < ($1.start, $0.end) }
      var latest = Timestamp.zero
      for index in calls[track].indices {
        latest = max(latest, calls[track][index].end)
        calls[track][index].latestEnd = latest
      }
    }
  }

  /// Where the measure from `begin` to `end` began inside of one call on `track`; `nil` for one
  /// that no call contains.
  ///
  /// That is its begin, or where it seems to begin just before the call that it ends in, the call's.
  func begin(ofMeasureFrom start: Timestamp, to end: Timestamp, on track: TrackID) -> Timestamp? {
    guard track.index < calls.count, start < end else { return nil }
    let calls = calls[track.index]
    let before = calls.partitionPoint { $0.start > start }
    let near = calls.partitionPoint { $0.start > start + Self.clockStep }
    for index in (max(before, near - Self.searchedCount)..<near).reversed()
    where calls[index].end >= end && calls[index].start < end {
      return calls[index].start
    }
    guard before > 0, calls[before - 1].latestEnd >= end else { return nil }
    return start
  }
}
