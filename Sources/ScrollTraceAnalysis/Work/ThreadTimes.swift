public import ScrollTraceModel

/// What a thread did in a time, as the system counted (M-25). The five times add up to it.
public struct ThreadTimes: Codable, Equatable, Sendable {
  /// The time on a core.
  public package(set) var ran = TimeSpan.zero
  /// The time ready to run without a core, or `nil` if the source does not say.
  public package(set) var ready: TimeSpan?
  /// The time asleep or waiting, or `nil` if the source does not say.
  public package(set) var blocked: TimeSpan?
  /// The time off a core, ready or blocked.
  ///
  /// Zero if the source says which of both.
  public package(set) var notRunning = TimeSpan.zero
  /// The time of which nothing is known.
  public package(set) var unknown = TimeSpan.zero
  /// The number of times the thread lost its core although it could have gone on, or `nil` if unknown.
  public package(set) var preemptions: Int64?
  /// The number of times the thread gave its core away to wait, or `nil` if unknown.
  public package(set) var waits: Int64?
  /// The number of pages read from disk, or `nil` if unknown.
  public package(set) var diskFaults: Int64?
  /// The number of page faults without input, or `nil` if unknown.
  package var faults: Int64?
  /// A Boolean value indicating whether the numbers leave out segments that the window cuts.
  package var areCountsPartial = false

  private enum CodingKeys: String, CodingKey {
    case ran = "ranNs", ready = "readyNs", blocked = "blockedNs", notRunning = "notRunningNs"
    case unknown = "unknownNs", preemptions, waits, diskFaults
  }

  package init() {}

  fileprivate init(_ sums: ThreadTimeSums) {
    func length(_ time: Int64?) -> TimeSpan? { time.map { TimeSpan(nanoseconds: $0) } }
    ran = length(sums.counted.cpu) ?? .zero
    (ready, blocked) = (length(sums.counted.ready), length(sums.blocked))
    notRunning = TimeSpan(nanoseconds: sums.notRunning)
    unknown = TimeSpan(nanoseconds: sums.unknown)
    (preemptions, waits) = (sums.counted.preemptions, sums.counted.waits)
    (faults, diskFaults) = (sums.counted.faults, sums.counted.diskFaults)
  }

  package var length: TimeSpan {
    ran + (ready ?? .zero) + (blocked ?? .zero) + notRunning + unknown
  }

  /// A Boolean value indicating whether nothing is known of the window.
  package var isUnknown: Bool { unknown == length }

  /// The share of the window in which the thread was ready and had no core, or `nil` if the source does
  /// not say when it was ready.
  package var readyShare: Double? {
    guard let ready, length > .zero else { return nil }
    return ready.share(of: length)
  }

  package static func += (left: inout ThreadTimes, right: ThreadTimes) {
    left.ran += right.ran
    left.ready = sumOfKnown(left.ready, right.ready, by: +)
    left.blocked = sumOfKnown(left.blocked, right.blocked, by: +)
    left.notRunning += right.notRunning
    left.unknown += right.unknown
    left.areCountsPartial = left.areCountsPartial || right.areCountsPartial
    left.preemptions = sum(left.preemptions, right.preemptions)
    left.waits = sum(left.waits, right.waits)
    left.faults = sum(left.faults, right.faults)
    left.diskFaults = sum(left.diskFaults, right.diskFaults)
  }

  package static func + (left: ThreadTimes, right: ThreadTimes) -> ThreadTimes {
    var sum = left
    sum += right
    return sum
  }

  private static func sum(_ left: Int64?, _ right: Int64?) -> Int64? {
    sumOfKnown(left, right) { $0.saturatingAdd($1) }
  }
}

/// What a thread did by the system's own count, for any window (M-25).
///
/// A scheduler's slices are used if there are any, else the counts between two samples. A window that
/// cuts such a segment has of each state what it must at least have; the rest is unknown.
struct ThreadTimeline: Sendable {
  private let states: ThreadStateColumns
  private let samples: ThreadTimeColumns
  /// The sums of a number of slices each, so that long windows need not look at all of them.
  private var blocks: [ThreadTimes] = []

  /// The number of slices or segments of a block.
  private static let blockSize = ThreadTimeColumns.blockSize

  /// Creates the timeline of `track`, or `nil` if the system counted nothing for it.
  init?(of track: Track) {
    guard !track.threadStates.isEmpty || track.threadTimes.count > 1 else { return nil }
    states = track.threadStates
    samples = track.threadTimes
    guard !usesSamples else { return }
    var reader = ThreadTimeReader(samples)
    for end in stride(from: Self.blockSize, to: edgeCount, by: Self.blockSize) {
      blocks.append(sum(edge(end - Self.blockSize), edge(end), &reader))
    }
  }

  private var usesSamples: Bool { states.starts.isEmpty }

  /// The number of slices, or of ends of segments.
  private var edgeCount: Int { usesSamples ? samples.count : states.starts.count }

  /// Returns the start of a slice, or an end of segments.
  private func edge(_ index: Int) -> Int64 {
    usesSamples ? samples.time(at: index) : states.starts[index]
  }

  /// Returns the first of the ascending edges that satisfies `predicate`.
  private func firstEdge(where predicate: (Int64) -> Bool) -> Int {
    usesSamples
      ? samples.firstIndex(whereTime: predicate) : states.starts.partitionPoint(predicate)
  }

  func times(in window: TimeRange) -> ThreadTimes {
    var reader = ThreadTimeReader(samples)
    return times(in: window, &reader)
  }

  /// Returns what the thread did in `window`.
  ///
  /// - Parameter reader: A reader of the thread's samples, which is fast if windows follow each other.
  func times(in window: TimeRange, _ reader: inout ThreadTimeReader) -> ThreadTimes {
    let (start, end) = (window.start.nanoseconds, window.end.nanoseconds)
    if usesSamples {
      let position = reader.position(at: start)
      let limit = position + Self.blockSize
      if limit < samples.count, samples.time(at: limit) >= end {
        return sum(start, end, &reader)
      }
    }
    let first = (firstEdge { $0 >= start } + Self.blockSize - 1) / Self.blockSize
    let last = (firstEdge { $0 > end } - 1) / Self.blockSize
    guard first < last else { return sum(start, end, &reader) }
    var times = sum(start, edge(first * Self.blockSize), &reader)
    for block in first..<last {
      times += usesSamples ? ThreadTimes(samples.blockSums[block]) : blocks[block]
    }
    times += sum(edge(last * Self.blockSize), end, &reader)
    return times
  }

  /// Returns how long the thread was blocked in `window`, as far as is known, and the time of which that is not.
  ///
  /// Commits are very many, and most lie in one segment, because samples are taken before and after them.
  func blocked(
    in window: TimeRange, _ reader: inout ThreadTimeReader
  ) -> (known: TimeSpan, unclear: TimeSpan) {
    let (start, end) = (window.start.nanoseconds, window.end.nanoseconds)
    if usesSamples {
      let position = reader.position(at: start)
      if position + 1 < samples.count {
        let segment = reader[position]
        if segment.start <= start, start < end, end <= segment.end {
          let times = segment.times(from: start, to: end)
          return (times.blocked ?? .zero, times.unknown + times.notRunning)
        }
      }
    }
    let times = times(in: window, &reader)
    return (times.blocked ?? .zero, times.unknown + times.notRunning)
  }

  private func sum(
    _ start: Int64, _ end: Int64, _ reader: inout ThreadTimeReader
  ) -> ThreadTimes {
    var times = ThreadTimes()
    let window = TimeRange(start: Timestamp(clamping: start), end: Timestamp(clamping: end))
    forEachPart(of: window, &reader) { times += $2 }
    return times
  }

  func times(in windows: TimeRangeSet) -> ThreadTimes {
    var reader = ThreadTimeReader(samples)
    return windows.ranges.reduce(into: ThreadTimes()) { $0 += times(in: $1, &reader) }
  }

  /// Calls `body` with the parts of `window`, ascending and without gaps.
  func forEachPart(of window: TimeRange, _ body: (Int64, Int64, ThreadTimes) -> Void) {
    var reader = ThreadTimeReader(samples)
    forEachPart(of: window, &reader, body)
  }

  private func forEachPart(
    of window: TimeRange, _ reader: inout ThreadTimeReader,
    _ body: (Int64, Int64, ThreadTimes) -> Void
  ) {
    let (start, end) = (window.start.nanoseconds, window.end.nanoseconds)
    var now = start
    func skip(to limit: Int64) {
      guard limit > now else { return }
      var times = ThreadTimes()
      times.unknown = TimeSpan(nanoseconds: limit - now)
      body(now, limit, times)
      now = limit
    }
    func add(_ limit: Int64, _ times: ThreadTimes) {
      body(now, limit, times)
      now = limit
    }
    if usesSamples {
      let count = samples.count
      guard count > 0 else { return skip(to: end) }
      var index = reader.position(at: start)
      while index + 1 < count {
        let segment = reader[index]
        guard segment.start < end else { break }
        index += 1
        guard segment.end > now, segment.end > segment.start else { continue }
        skip(to: max(now, segment.start))
        add(min(end, segment.end), segment.times(from: now, to: min(end, segment.end)))
        // The next one can be in another block.
        guard now < end else { break }
      }
    } else {
      var index = states.firstIndex(endingAfter: start)
      while index < states.count, states.starts[index] < end {
        skip(to: states.starts[index])
        let limit = min(end, states.ends[index])
        let length = TimeSpan(nanoseconds: limit - now)
        var times = ThreadTimes()
        (times.ready, times.blocked) = (.zero, .zero)
        switch states.states[index] {
        case .running: times.ran = length
        case .ready: times.ready = length
        case .blocked: times.blocked = length
        }
        add(limit, times)
        index += 1
      }
    }
    skip(to: end)
  }
}

extension ThreadStateColumns {
  /// The positions of the slices that overlap a window.
  func indexes(in window: TimeRange) -> Range<Int> {
    let first = firstIndex(endingAfter: window.start.nanoseconds)
    return first..<max(first, starts.partitionPoint { $0 >= window.end.nanoseconds })
  }
}

extension ThreadTimeSegment {
  /// A window has the numbers of a segment if it leaves out a twentieth of it or less.
  private static let smallPart: Int64 = 20

  /// What must have happened from `from` to `to`, which lie in the segment.
  @inline(__always) fileprivate func times(from: Int64, to: Int64) -> ThreadTimes {
    let (length, part) = (end - start, to - from)
    let outside = length - part
    var times = ThreadTimes()
    func minimum(_ whole: Int64) -> TimeSpan { TimeSpan(nanoseconds: max(0, whole - outside)) }
    // Samples are taken shortly before and after what they are of.
    let isMost = outside <= length / Self.smallPart
    times.areCountsPartial = !isMost
    if isMost {
      times.preemptions = counted.preemptions
      times.waits = counted.waits
      times.faults = counted.faults
      times.diskFaults = counted.diskFaults
    }
    if let cpu = counted.cpu {
      times.ran = minimum(cpu)
      if let ready = counted.ready {
        let blocked = length - cpu - ready
        var known = (ready: minimum(ready), blocked: minimum(blocked))
        if to == end, outside > 0, counted.preemptions == 0, let waits = counted.waits, waits <= 1 {
          // The thread ran, slept once, got ready, and ran on: in this order.
          known.ready = max(known.ready, TimeSpan(nanoseconds: min(ready, max(0, part - cpu))))
          known.blocked = max(
            known.blocked, TimeSpan(nanoseconds: min(blocked, max(0, part - cpu - ready))))
        }
        (times.ready, times.blocked) = (known.ready, known.blocked)
      } else {
        times.notRunning = minimum(length - cpu)
      }
    } else if let ready = counted.ready {
      (times.ready, times.blocked) = (minimum(ready), .zero)
    }
    times.unknown = TimeSpan(nanoseconds: part) - times.length
    return times
  }
}
