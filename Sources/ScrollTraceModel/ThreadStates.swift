/// What a scheduler did with a thread (M-25).
package enum ThreadState: UInt8, Sendable {
  /// The thread ran on a core.
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
  /// The state of each slice.
  package private(set) var states: [ThreadState] = []
  /// The core of a running slice; -1 if unknown, and in other states.
  package private(set) var cores: [Int16] = []
  /// The position of the track that woke the thread at the start of a ready slice; -1 if unknown.
  package private(set) var wakers: [Int32] = []

  /// Creates columns without slices.
  package init() {}

  /// The number of slices.
  package var count: Int { starts.count }

  /// A Boolean value indicating whether nothing is known.
  package var isEmpty: Bool { starts.isEmpty }

  /// The index of the first slice that ends after `instant`, or `count` if there is none.
  package func firstIndex(endingAfter instant: Int64) -> Int {
    ends.partitionPoint { $0 > instant }
  }

  /// The track that woke the thread at the start of the slice, or `nil` if unknown.
  package func waker(at index: Int) -> TrackID? {
    wakers[index] >= 0 ? TrackID(index: Int(wakers[index])) : nil
  }

  mutating func append(
    from start: Int64, to end: Int64, _ state: ThreadState, core: Int16, waker: TrackID?
  ) {
    starts.append(start)
    ends.append(end)
    states.append(state)
    cores.append(core)
    wakers.append(waker.map { Int32(truncatingIfNeeded: $0.index) } ?? -1)
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
        from: start, to: ends[index], states[index], core: cores[index], waker: waker(at: index))
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

/// What a system counted for one thread since its start, at one instant; `nil` is unknown (M-25).
package struct ThreadTimeSample: Equatable, Sendable {
  /// The time on a core, in nanoseconds.
  package var cpu: Int64?
  /// The time ready to run without a core, in nanoseconds.
  package var ready: Int64?
  /// The number of times the thread lost its core although it could have gone on.
  package var preemptions: Int64?
  /// The number of times the thread gave its core away to wait.
  package var waits: Int64?
  /// The number of page faults without input.
  package var faults: Int64?
  /// The number of pages read from disk, by page faults or by reads.
  package var diskFaults: Int64?

  /// Creates a sample in which nothing is known.
  package init() {}

  /// A Boolean value indicating whether nothing is known.
  package var isEmpty: Bool { self == ThreadTimeSample() }

  /// A Boolean value indicating whether nothing but the time on a core is known.
  package var hasOnlyCPU: Bool {
    var sample = ThreadTimeSample()
    sample.cpu = cpu
    return self == sample
  }
}

/// The samples of one thread, in columns ascending by time.
package struct ThreadTimeColumns: Sendable {
  /// The time of each sample, in nanoseconds of the trace's clock.
  package private(set) var times: [Int64] = []
  /// The time on a core at each sample; -1 if unknown.
  package private(set) var cpu: [Int64] = []
  /// The other values of each sample; empty if no sample of the thread has any.
  package private(set) var details: [ThreadTimeSample] = []

  /// Creates columns without samples.
  package init() {}

  /// The number of samples.
  package var count: Int { times.count }

  /// A Boolean value indicating whether nothing is known.
  package var isEmpty: Bool { times.isEmpty }

  /// The sample at `index`.
  package subscript(index: Int) -> ThreadTimeSample {
    guard details.isEmpty else { return details[index] }
    var sample = ThreadTimeSample()
    if cpu[index] >= 0 { sample.cpu = cpu[index] }
    return sample
  }

  mutating func append(_ sample: ThreadTimeSample, at time: Int64) {
    if !sample.hasOnlyCPU, details.isEmpty { details = times.indices.map { self[$0] } }
    times.append(time)
    cpu.append(sample.cpu ?? -1)
    if !sample.hasOnlyCPU || !details.isEmpty { details.append(sample) }
  }

  /// Appends a sample of which nothing but the time on a core is known.
  mutating func append(cpu time: Int64, at instant: Int64) {
    times.append(instant)
    cpu.append(time)
    guard !details.isEmpty else { return }
    var sample = ThreadTimeSample()
    sample.cpu = time
    details.append(sample)
  }

  /// Sorts the samples by time, and those of one instant by their values: counts only grow.
  mutating func settle() {
    let order = Array(times.indices).stablySorted { (first: Int, second: Int) in
      (times[first], cpu[first]) < (times[second], cpu[second])
    }
    guard order.indices.contains(where: { order[$0] != $0 }) else { return }
    let (oldTimes, oldCPU, oldDetails) = (times, cpu, details)
    times = order.map { oldTimes[$0] }
    cpu = order.map { oldCPU[$0] }
    if !oldDetails.isEmpty { details = order.map { oldDetails[$0] } }
  }

  /// Forgets the samples before `time` but the last of them, which begins a segment.
  mutating func forget(before time: Int64) {
    guard let last = times.filter({ $0 < time }).max() else { return }
    let kept = times.indices.filter { times[$0] >= last }
    guard kept.count < count else { return }
    cpu = kept.map { cpu[$0] }
    if !details.isEmpty { details = kept.map { details[$0] } }
    times = kept.map { times[$0] }
  }
}

/// The time between two samples of a thread, and what the system counted in it (M-25).
package struct ThreadTimeSegment: Equatable, Sendable {
  /// The time of the first sample.
  package let start: Int64
  /// The time of the second sample.
  package let end: Int64
  /// The values counted in between; times never exceed the segment.
  package let counted: ThreadTimeSample
}

extension ThreadTimeColumns {
  /// How far a system's counts may exceed wall time: a tick of the slowest usual scheduler clock, 100 Hz.
  package static let tick: Int64 = 10_000_000

  /// The segment between the samples at `index` and `index + 1`, and whether all of its counts are
  /// plausible. Counts that run backwards or exceed the segment by more than a tick are unknown.
  package func segment(at index: Int) -> (segment: ThreadTimeSegment, isPlausible: Bool) {
    let (first, second) = (self[index], self[index + 1])
    let (start, end) = (times[index], times[index + 1])
    let length = end - start
    var counted = ThreadTimeSample()
    var isPlausible = true
    func difference(_ key: KeyPath<ThreadTimeSample, Int64?>, atMost limit: Int64?) -> Int64? {
      guard let first = first[keyPath: key], let second = second[keyPath: key] else { return nil }
      let (value, overflow) = second.subtractingReportingOverflow(first)
      if !overflow, limit != nil, (-Self.tick..<0).contains(value) { return 0 }
      guard !overflow, value >= 0 else {
        isPlausible = false
        return nil
      }
      guard let limit else { return value }
      guard value <= limit.saturatingAdd(Self.tick) else {
        isPlausible = false
        return nil
      }
      return min(value, limit)
    }
    counted.cpu = difference(\.cpu, atMost: length)
    counted.ready = difference(\.ready, atMost: length)
    counted.waits = difference(\.waits, atMost: nil)
    if let cpu = counted.cpu, second.ready != nil, first.ready != nil, counted.waits == 0 {
      // A thread that never gave its core away was ready whenever it had none, also if a hypervisor
      // took the core.
      counted.ready = length - cpu
    } else if let cpu = counted.cpu, let ready = counted.ready, ready > length - cpu {
      // The two clocks are read one after the other, and the scheduler's lags by up to a tick.
      isPlausible = isPlausible && ready - (length - cpu) <= Self.tick
      counted.ready = isPlausible ? length - cpu : nil
    }
    counted.preemptions = difference(\.preemptions, atMost: nil)
    counted.faults = difference(\.faults, atMost: nil)
    counted.diskFaults = difference(\.diskFaults, atMost: nil)
    return (ThreadTimeSegment(start: start, end: end, counted: counted), isPlausible)
  }

  /// The number of segments in which a count runs backwards or exceeds the time.
  var implausibleCount: Int {
    guard details.isEmpty else {
      return times.indices.dropLast().count { !segment(at: $0).isPlausible }
    }
    var (count, index) = (0, 1)
    while index < times.count {
      let (first, second) = (cpu[index - 1], cpu[index])
      let length = times[index] - times[index - 1]
      if first >= 0, second >= 0, second < first || second - first - Self.tick > length {
        count += 1
      }
      index += 1
    }
    return count
  }
}
