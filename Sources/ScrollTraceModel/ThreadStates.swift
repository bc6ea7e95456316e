/// What a scheduler did with a thread (M-25).
package enum ThreadState: UInt8, Sendable {
  case running
  /// The thread was ready to run and had no core.
  case ready
  /// The thread slept or waited for something.
  case blocked
}

/// What a scheduler recorded of one thread, in columns: slices ascending by start that do not overlap.
package struct ThreadStateColumns: Sendable {
  /// The start of each slice, in nanoseconds of the trace's clock.
  package private(set) var starts: [Int64] = []
  /// The end of each slice, never before its start.
  package private(set) var ends: [Int64] = []
  package private(set) var states: [ThreadState] = []
  /// The core of a running slice; -1 if unknown, and in other states.
  package private(set) var cores: [Int16] = []
  /// The position of the track that woke the thread at the start of a ready slice; -1 if unknown, and -2 in
  /// a blocked slice that nothing interrupts.
  package private(set) var wakers: [Int32] = []

  /// Creates columns without slices.
  package init() {}

  package var count: Int { starts.count }

  package var isEmpty: Bool { starts.isEmpty }

  /// The index of the first slice that ends after `instant`, or `count` if there is none.
  package func firstIndex(endingAfter instant: Int64) -> Int {
    ends.partitionPoint { $0 > instant }
  }

  /// The track that woke the thread at the start of the slice, or `nil` if unknown.
  package func waker(at index: Int) -> TrackID? {
    wakers[index] >= 0 ? TrackID(index: Int(wakers[index])) : nil
  }

  /// Returns whether the thread was blocked so that nothing could interrupt it, as it waits for a disk.
  package func isUninterruptible(at index: Int) -> Bool {
    wakers[index] == Self.uninterruptible
  }

  private static let uninterruptible: Int32 = -2

  mutating func append(
    from start: Int64, to end: Int64, _ state: ThreadState, core: Int16, waker: TrackID?,
    isUninterruptible: Bool = false
  ) {
    starts.append(start)
    ends.append(end)
    states.append(state)
    cores.append(core)
    wakers.append(
      isUninterruptible
        ? Self.uninterruptible : waker.map { Int32(truncatingIfNeeded: $0.index) } ?? -1)
  }

  /// Sorts the slices and cuts those that overlap an earlier one; returns how many were cut or removed.
  mutating func settle() -> Int {
    let isSorted = starts.indices.dropFirst().allSatisfy { starts[$0] >= ends[$0 - 1] }
    guard !isSorted else { return 0 }
    let order = Array(starts.indices).stablySorted { starts[$0] }
    var settled = ThreadStateColumns()
    var overlaps = 0
    for index in order {
      let start = max(starts[index], settled.ends.last ?? Int64.min)
      if start > starts[index] { overlaps += 1 }
      guard ends[index] > start else { continue }
      settled.append(
        from: start, to: ends[index], states[index], core: cores[index], waker: waker(at: index),
        isUninterruptible: isUninterruptible(at: index))
    }
    self = settled
    return overlaps
  }

  /// Forgets the slices that ended before `time`, and returns how many these were.
  mutating func forget(before time: Int64) -> Int {
    let kept = ends.indices.filter { ends[$0] >= time }
    let forgotten = count - kept.count
    guard forgotten > 0 else { return 0 }
    starts = kept.map { starts[$0] }
    states = kept.map { states[$0] }
    cores = kept.map { cores[$0] }
    wakers = kept.map { wakers[$0] }
    ends = kept.map { ends[$0] }
    return forgotten
  }
}
