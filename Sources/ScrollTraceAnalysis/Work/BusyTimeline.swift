import ScrollTraceModel

/// The busy time of a track, which is the union of its spans (M-11), for any window.
///
/// It does not store ranges, only sums before each block of the track's spans. A query examines the
/// spans after the nearest sum.
struct BusyTimeline: Sendable {
  fileprivate let times: SpanTimes
  /// Before each block of spans, the busy time of all earlier ones.
  private var busyBefore = PackedColumn<Int64>()
  /// Before each block of spans, the latest end of all earlier ones.
  private var coveredBefore = PackedColumn<Int64>()
  /// The latest end of the spans of each block.
  private var latestEnds = PackedColumn<Int64>()

  /// Creates a timeline from spans sorted by start.
  ///
  /// - Parameter body: Receives each block of spans.
  init(of spans: SpanColumns, eachBlock body: (SpanBlock) -> Void) {
    times = spans.times
    var union = BusyUnion()
    spans.forEachBlock { block in
      add(block.times, to: &union)
      body(block)
    }
  }

  /// Creates a timeline from spans sorted by start.
  init(of times: SpanTimes) {
    self.times = times
    var union = BusyUnion()
    times.forEachBlock { add($1, to: &union) }
  }

  fileprivate var blockCount: Int { busyBefore.count }

  fileprivate func start(ofBlock block: Int) -> Int64 { times.start(ofBlock: block) }

  /// Returns the union of all spans before a block. Block -1 precedes the first.
  fileprivate func union(beforeBlock block: Int) -> BusyUnion {
    block < 0
      ? BusyUnion() : BusyUnion(length: busyBefore[block], covered: coveredBefore[block])
  }

  /// Returns the last block that starts before a time, or -1 if there is none.
  fileprivate func block(before instant: Int64) -> Int {
    (0..<blockCount).partitionPoint { start(ofBlock: $0) >= instant } - 1
  }

  private mutating func add(_ spans: UnsafeBufferPointer<SpanBounds>, to union: inout BusyUnion) {
    busyBefore.append(union.length)
    coveredBefore.append(union.covered)
    var latestEnd: Int64 = 0
    for span in spans {
      latestEnd = max(latestEnd, span.end)
      union.add(span.start, span.end)
    }
    latestEnds.append(latestEnd)
  }

  /// The busy time without waiting, which is that of spans whose innermost one is not a wait.
  func running(_ spans: SpanColumns, _ waits: WaitingLabels) -> BusyTimeline {
    guard spans.labels.contains(where: { waits[$0] }) else { return self }
    return innermost(spans) { !waits[$0] }
  }

  /// The time in which the label of the innermost span fits.
  func innermost(_ spans: SpanColumns, where fits: (LabelID) -> Bool) -> BusyTimeline {
    var found = SpanTimes()
    var last: SpanBounds?
    SelfTimeSweep.run(times) { begin, end, index in
      guard fits(spans.labels[index]) else { return }
      if let before = last, before.end == begin {
        last = SpanBounds(start: before.start, end: end)
      } else {
        if let last { found.append(last) }
        last = SpanBounds(start: begin, end: end)
      }
    }
    if let last { found.append(last) }
    return BusyTimeline(of: found)
  }

  func busy(before instant: Int64) -> Int64 {
    let block = block(before: instant)
    guard block >= 0 else { return 0 }
    var union = union(beforeBlock: block)
    times.forEach(inBlock: block, before: instant) { union.add($0.start, $0.end) }
    return union.length(before: instant)
  }

  func busy(in window: TimeRange) -> TimeSpan {
    TimeSpan(
      nanoseconds: busy(before: window.end.nanoseconds) - busy(before: window.start.nanoseconds))
  }

  func busy(in windows: TimeRangeSet) -> TimeSpan {
    guard times.count < windows.ranges.count else {
      return windows.ranges.reduce(into: .zero) { $0 += busy(in: $1) }
    }
    return busyRanges.reduce(into: .zero) {
      $0 += windows.coveredLength(
        of: TimeRange(start: Timestamp(clamping: $1.start), end: Timestamp(clamping: $1.end)))
    }
  }

  /// The positions of the spans that overlap `window`, ascending, and the number of examined
  /// blocks.
  func spanIndexes(in window: TimeRange) -> (indexes: [Int], examinedCount: Int) {
    let (begin, end) = (window.start.nanoseconds, window.end.nanoseconds)
    var found: [Int] = []
    var examinedCount = 0
    // Blocks before the one that precedes the first block after an overlapping span contain none.
    let first = max(0, coveredBefore.partitionPoint { $0 > begin } - 1)
    for block in first..<blockCount where latestEnds[block] > begin {
      guard start(ofBlock: block) < end else { break }
      examinedCount += 1
      var index = block * SpanTimes.blockSize
      times.forEach(inBlock: block, before: end) { span in
        if span.end > begin { found.append(index) }
        index += 1
      }
    }
    return (found, examinedCount)
  }

  var busyRanges: BusyRanges { BusyRanges(times) }

  var spanCursor: SpanCursor { SpanCursor(times) }

  /// The starts and ends of the busy ranges, each with its change in the number of busy tracks.
  var steps: [(time: Int64, step: Int64)] {
    let ranges = Array(busyRanges)
    return ranges.map { (time: $0.start, step: 1) } + ranges.map { (time: $0.end, step: -1) }
  }
}

/// Reads a timeline at ascending times.
struct BusyCursor {
  private let timeline: BusyTimeline
  private var block = -1
  /// The spans of the block, of which those before `position` are in `union`.
  private var spans: [SpanBounds] = []
  private var position = 0
  private var union = BusyUnion()
  private var last: (instant: Int64, busy: Int64) = (0, 0)
  /// The answer before the last one: a window may begin before the end of the one before it.
  private var earlier: (instant: Int64, busy: Int64) = (0, 0)

  init(_ timeline: BusyTimeline) {
    self.timeline = timeline
  }

  mutating func busy(in window: TimeRange) -> Int64 {
    let before = busy(before: window.start.nanoseconds)
    return busy(before: window.end.nanoseconds) - before
  }

  private mutating func busy(before instant: Int64) -> Int64 {
    if instant == last.instant { return last.busy }
    if instant == earlier.instant { return earlier.busy }
    if instant < last.instant || !isInBlock(instant) {
      // Most often, it is the next block.
      block += instant < last.instant ? 0 : 1
      if !isInBlock(instant) { block = timeline.block(before: instant) }
      if block < 0 { spans.removeAll() } else { timeline.times.read(block, into: &spans) }
      position = 0
      union = timeline.union(beforeBlock: block)
    }
    while position < spans.count, spans[position].start < instant {
      union.add(spans[position].start, spans[position].end)
      position += 1
    }
    (earlier, last) = (last, (instant, union.length(before: instant)))
    return last.busy
  }

  /// Returns whether an instant is after the block's start, and not after that of the next one.
  @inline(__always) private func isInBlock(_ instant: Int64) -> Bool {
    (block < 0 || timeline.start(ofBlock: block) < instant)
      && (block + 1 >= timeline.blockCount || timeline.start(ofBlock: block + 1) >= instant)
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
struct BusyRanges: Sequence, IteratorProtocol {
  private var spans: SpanTimes.Iterator
  /// The span after the last range.
  private var following: SpanBounds?

  /// Creates the ranges of spans sorted by start.
  init(_ times: SpanTimes) {
    spans = times.makeIterator()
    following = spans.next()
  }

  /// Returns the next range, which is not empty, or `nil` after the last.
  mutating func next() -> (start: Int64, end: Int64)? {
    while let span = following, span.length == 0 { following = spans.next() }
    guard var range = following else { return nil }
    following = spans.next()
    while let span = following, span.start <= range.end {
      range.end = Swift.max(range.end, span.end)
      following = spans.next()
    }
    return (range.start, range.end)
  }
}

/// A position among the spans of a track, which advances with the union of several tracks.
struct SpanCursor {
  /// The start after the last span. Spans that start then have no length.
  static let never = Int64.max

  /// The start of the next span.
  private(set) var start: Int64
  private var end: Int64
  private var spans: SpanTimes.Iterator

  init(_ times: SpanTimes) {
    spans = times.makeIterator()
    (start, end) = (Self.never, 0)
    advance()
  }

  @inline(__always)
  private mutating func advance() {
    let span = spans.next()
    (start, end) = (span?.start ?? Self.never, span?.end ?? 0)
  }

  /// Advances over the spans that start within the union, and extends the union to their ends.
  mutating func extend(_ union: inout BusyUnion) {
    var covered = union.covered
    while start <= covered, start != Self.never {
      covered = max(covered, end)
      advance()
    }
    // All of it follows the covered time without a gap.
    union.length += covered - union.covered
    union.covered = covered
  }
}
