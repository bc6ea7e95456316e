import ScrollTraceModel

/// The ways from starts to pictures (M-3) of the frames of a surface that are no longer held.
///
/// Whoever watches a recording forgets its frames, but not how long they usually took. Ways are counted to
/// the nanosecond until there are too many different ones; then neighbors are counted as one.
package struct WayCounts: Equatable, Sendable {
  private static let maximumWays = 4_096

  /// The start of the first frame that is not counted.
  private(set) var end: Timestamp
  private(set) var presented = Counts()
  private(set) var estimated = Counts()

  /// The counts of ways, which are multiples of a power of two.
  struct Counts: Equatable, Sendable {
    private(set) var counts: [Int64: Int] = [:]
    private var shift: Int64 = 0

    mutating func add(_ way: Int64) {
      counts[(way >> shift) << shift, default: 0] += 1
      while counts.count > WayCounts.maximumWays {
        shift += 1
        let finer = counts
        counts = [:]
        for (way, count) in finer { counts[(way >> shift) << shift, default: 0] += count }
      }
    }

    /// The median of these ways and of `others`, rounded down; unknown if there are none.
    func median(with others: [Int64]) -> Int64 {
      var all = counts
      for way in others { all[way, default: 0] += 1 }
      let total = all.values.reduce(0, +)
      guard total > 0 else { return FrameSequence.unknown }
      let sorted = all.sorted { $0.key < $1.key }
      func way(at index: Int) -> Int64 {
        var rest = index
        for (way, count) in sorted {
          if rest < count { return way }
          rest -= count
        }
        return 0
      }
      return (way(at: (total - 1) / 2) + way(at: total / 2)) >> 1
    }
  }

  /// Creates counts of no frames; those that start at `start` or later are to come.
  init(start: Timestamp) { end = start }

  /// Adds the frames of `pass` that start before `limit` and are not counted yet.
  mutating func add(_ pass: SurfacePass, until limit: Timestamp) {
    let basis = pass.surface.basis
    for evaluated in pass.frames where evaluated.isOwed && evaluated.frame.outcome != .dropped {
      guard let start = evaluated.frame.start, end <= start, start < limit,
        basis == .cadence || evaluated.isLatenessKnown && evaluated.lateness == .zero
      else { continue }
      if let time = evaluated.frame.presented { presented.add((time - start).nanoseconds) }
      if basis == .deadline, let deadline = evaluated.frame.deadline {
        estimated.add((deadline - start).nanoseconds)
      }
    }
    end = max(end, limit)
  }
}
