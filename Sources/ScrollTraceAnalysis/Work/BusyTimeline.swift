import ScrollTraceModel

/// The busy time of a track, which is the union of its spans (M-11), for any window.
///
/// It does not store ranges, only sums before every few spans of the track. A query examines the
/// spans after the nearest sum.
struct BusyTimeline: Sendable {
  /// The sums before a block of spans.
  struct Block {
    /// The start of its first span.
    var start: Int64
    /// The busy time of all earlier spans.
    var busy: Int64
    /// The latest end of all earlier spans.
    var covered: Int64
    /// The latest end of its spans.
    var latestEnd: Int64
  }

  /// The number of spans in a block.
  static let blockSize = 32

  private let begins: [Int64]
  private let ends: [Int64]
  private(set) var blocks: [Block] = []

  /// Creates a timeline from spans sorted by start.
  ///
  /// - Parameter body: Receives the positions of each block while its spans are in the cache.
  init(of spans: SpanColumns, eachBlock body: (Range<Int>) -> Void = { _ in }) {
    self.init(begins: spans.begins, ends: spans.ends, eachBlock: body)
  }

  /// Creates a timeline from spans sorted by start.
  private init(
    begins: [Int64], ends: [Int64], eachBlock body: (Range<Int>) -> Void = { _ in }
  ) {
    self.begins = begins
    self.ends = ends
    let count = begins.count
    blocks.reserveCapacity((count + Self.blockSize - 1) / Self.blockSize)
    var union = BusyUnion()
    begins.withUnsafeBufferPointer { begins in
      ends.withUnsafeBufferPointer { ends in
        for first in stride(from: 0, to: count, by: Self.blockSize) {
          let indexes = first..<min(first + Self.blockSize, count)
          let before = union
          var latestEnd: Int64 = 0
          for index in indexes {
            latestEnd = max(latestEnd, ends[index])
            union.add(begins[index], ends[index])
          }
          blocks.append(
            Block(
              start: begins[first], busy: before.length, covered: before.covered,
              latestEnd: latestEnd))
          body(indexes)
        }
      }
    }
  }

  /// The busy time without waiting, which is that of spans whose innermost one is not a wait.
  func running(_ spans: SpanColumns, _ waits: WaitingLabels) -> BusyTimeline {
    guard spans.labels.contains(where: { waits[$0] }) else { return self }
    var (begins, ends): ([Int64], [Int64]) = ([], [])
    SelfTimeSweep.run(
      count: spans.count, start: { spans.begins[$0] }, end: { spans.ends[$0] }
    ) { begin, end, index in
      guard !waits[spans.labels[index]] else { return }
      if ends.last == begin {
        ends[ends.count - 1] = end
      } else {
        begins.append(begin)
        ends.append(end)
      }
    }
    return BusyTimeline(begins: begins, ends: ends)
  }

  /// The busy time before a time.
  func busy(before instant: Int64) -> Int64 {
    busy(before: instant, in: blocks.partitionPoint { $0.start >= instant } - 1)
  }

  /// The busy time before a time between the start of `block` and that of the next one. Block -1
  /// precedes the first.
  func busy(before instant: Int64, in block: Int) -> Int64 {
    guard block >= 0 else { return 0 }
    var union = BusyUnion(length: blocks[block].busy, covered: blocks[block].covered)
    let first = block * Self.blockSize
    begins.withUnsafeBufferPointer { begins in
      ends.withUnsafeBufferPointer { ends in
        for index in first..<min(first + Self.blockSize, begins.count) {
          guard begins[index] < instant else { break }
          union.add(begins[index], ends[index])
        }
      }
    }
    return union.length(before: instant)
  }

  /// The busy time in a window.
  func busy(in window: TimeRange) -> TimeSpan {
    TimeSpan(
      nanoseconds: busy(before: window.end.nanoseconds) - busy(before: window.start.nanoseconds))
  }

  /// The busy time in a set of windows.
  func busy(in windows: TimeRangeSet) -> TimeSpan {
    guard begins.count < windows.ranges.count else {
      return windows.ranges.reduce(into: .zero) { $0 += busy(in: $1) }
    }
    var sum = TimeSpan.zero
    var busyRanges = busyRanges
    while let range = busyRanges.next() {
      sum += windows.coveredLength(
        of: TimeRange(
          start: Timestamp(clamping: range.start), end: Timestamp(clamping: range.end)))
    }
    return sum
  }

  /// The positions of the spans that overlap `window`, ascending, and the number of examined
  /// blocks.
  func spanIndexes(in window: TimeRange) -> (indexes: [Int], blockCount: Int) {
    let (begin, end) = (window.start.nanoseconds, window.end.nanoseconds)
    let limit = begins.partitionPoint { $0 >= end }
    var found: [Int] = []
    var blockCount = 0
    // Blocks before the one that precedes the first block after an overlapping span contain none.
    let first = max(0, blocks.partitionPoint { $0.covered > begin } - 1)
    for block in first..<blocks.count where blocks[block].latestEnd > begin {
      let indexes = (block * Self.blockSize)..<((block + 1) * Self.blockSize)
      guard indexes.lowerBound < limit else { break }
      blockCount += 1
      for index in indexes.clamped(to: 0..<limit) where ends[index] > begin {
        found.append(index)
      }
    }
    return (found, blockCount)
  }

  /// The busy ranges.
  var busyRanges: BusyRanges { BusyRanges(begins: begins, ends: ends) }

  /// A cursor before the first span.
  var spanCursor: SpanCursor { SpanCursor(begins: begins, ends: ends) }

  /// The starts and ends of the busy ranges, each with its change in the number of busy tracks.
  var steps: [(time: Int64, step: Int64)] {
    var (begun, ended): ([(time: Int64, step: Int64)], [(time: Int64, step: Int64)]) = ([], [])
    var busyRanges = busyRanges
    while let range = busyRanges.next() {
      begun.append((range.start, 1))
      ended.append((range.end, -1))
    }
    return begun + ended
  }
}

/// Reads a timeline at ascending times.
struct BusyCursor {
  private let timeline: BusyTimeline
  private var block = -1
  private var last: (instant: Int64, busy: Int64) = (0, 0)

  /// Creates a cursor at the start of `timeline`.
  init(_ timeline: BusyTimeline) {
    self.timeline = timeline
  }

  /// The busy time in a window.
  mutating func busy(in window: TimeRange) -> Int64 {
    let before = busy(before: window.start.nanoseconds)
    return busy(before: window.end.nanoseconds) - before
  }

  private mutating func busy(before instant: Int64) -> Int64 {
    if instant == last.instant { return last.busy }
    let blocks = timeline.blocks
    var steps = 0
    while block >= 0, blocks[block].start >= instant, steps < 8 {
      block -= 1
      steps += 1
    }
    while block + 1 < blocks.count, blocks[block + 1].start < instant, steps < 8 {
      block += 1
      steps += 1
    }
    if steps == 8 { block = blocks.partitionPoint { $0.start >= instant } - 1 }
    last = (instant, timeline.busy(before: instant, in: block))
    return last.busy
  }
}

/// The union of spans in ascending order of start.
struct BusyUnion {
  /// The length of the union so far. Ranges do not overlap, so their sum fits if their ends do.
  var length: Int64 = 0
  /// The latest end of the spans so far.
  var covered: Int64 = 0

  /// Adds a span that starts no earlier than any before it, and not before zero.
  @inline(__always)
  mutating func add(_ start: Int64, _ end: Int64) {
    length &+= max(0, end &- max(start, covered))
    covered = max(covered, end)
  }

  /// The length of the union before a time at or after the start of each span so far.
  func length(before instant: Int64) -> Int64 {
    length - max(0, covered - instant)
  }
}

/// The busy ranges of a track in order. Spans that touch or overlap are one range.
struct BusyRanges {
  private let begins: [Int64]
  private let ends: [Int64]
  private var index = 0

  /// Creates the ranges of spans sorted by start.
  init(begins: [Int64], ends: [Int64]) {
    self.begins = begins
    self.ends = ends
  }

  /// Returns the next range, which is not empty, or `nil` after the last.
  mutating func next() -> (start: Int64, end: Int64)? {
    while index < begins.count, begins[index] == ends[index] { index += 1 }
    guard index < begins.count else { return nil }
    let begin = begins[index]
    var end = ends[index]
    index += 1
    while index < begins.count, begins[index] <= end {
      end = max(end, ends[index])
      index += 1
    }
    return (begin, end)
  }
}

/// A position among the spans of a track, which advances with the union of several tracks.
struct SpanCursor {
  /// The start after the last span. Spans that start then have no length.
  static let never = Int64.max

  /// The start of the next span.
  private(set) var start: Int64
  private let begins: [Int64]
  private let ends: [Int64]
  private var index = 0

  /// Creates a cursor before the first span.
  init(begins: [Int64], ends: [Int64]) {
    self.begins = begins
    self.ends = ends
    start = begins.first ?? Self.never
  }

  /// Advances over the spans that start within the union, and extends the union to their ends.
  mutating func extend(_ union: inout BusyUnion) {
    var (next, covered) = (index, union.covered)
    begins.withUnsafeBufferPointer { begins in
      ends.withUnsafeBufferPointer { ends in
        while next < begins.count, begins[next] <= covered {
          covered = max(covered, ends[next])
          next += 1
        }
        start = next < begins.count ? begins[next] : Self.never
      }
    }
    // All of it follows the covered time without a gap.
    union.length += covered - union.covered
    union.covered = covered
    index = next
  }
}
