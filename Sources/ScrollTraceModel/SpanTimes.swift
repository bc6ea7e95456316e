/// The start and end of a span, in nanoseconds on the trace's clock.
@usableFromInline package struct SpanBounds: Equatable, Sendable {
  @usableFromInline package var start: Int64
  /// Never before the start.
  @usableFromInline package var end: Int64

  @inlinable @inline(__always) package init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }

  @inlinable package var length: Int64 { end &- start }

  /// Returns whether this span belongs behind `other`: it starts later, or at once and is shorter.
  @inlinable @inline(__always) package func isBehind(_ other: SpanBounds) -> Bool {
    start > other.start || start == other.start && end < other.end
  }
}

/// The starts and ends of a track's spans, in order.
///
/// Most are packed. The last spans are stored as they are, so that others can still be placed among
/// them.
@usableFromInline package struct SpanTimes: Sendable {
  @inlinable package static var blockSize: Int { PackedNumbers.blockSize }

  @usableFromInline var blockStarts: [Int64] = []
  /// The distance from each start to the next one: most of a block's are alike, as its lengths are.
  @usableFromInline var steps = PackedNumbers()
  @usableFromInline var lengths = PackedNumbers()
  /// The spans after the last block.
  @usableFromInline var tail: [SpanBounds] = []

  package init() {}

  /// The number of spans that can be moved.
  static let longestTail = 8192

  @inlinable var packedCount: Int { lengths.count }

  /// Adds a span, which is not in front of any other.
  package mutating func append(_ span: SpanBounds) {
    tail.append(span)
    _ = packTail()
  }

  /// Packs the first spans of the tail if it is long, and returns their number.
  ///
  /// - Parameter expectedCount: The number of spans that are expected in total.
  mutating func packTail(expectedCount: Int = 0) -> Int {
    guard tail.count >= Self.longestTail else { return 0 }
    let count = (tail.count - Self.longestTail / 2) / Self.blockSize * Self.blockSize
    let expectedCount = Swift.max(expectedCount, self.count)
    tail.withUnsafeBufferPointer { tail in
      for first in stride(from: 0, to: count, by: Self.blockSize) {
        blockStarts.append(tail[first].start)
      }
      // Behind the last packed span, there is another one in the tail.
      steps.append(count: count, expectedCount: expectedCount) {
        UInt64(bitPattern: tail[$0 &+ 1].start &- tail[$0].start)
      }
      lengths.append(count: count, expectedCount: expectedCount) {
        UInt64(bitPattern: tail[$0].length)
      }
    }
    tail.removeFirst(count)
    return count
  }

  /// Calls `body` with the position of the first span of each block and its spans; the last block can
  /// be shorter.
  ///
  /// - Parameter length: The length up to which a block's spans do not matter, which may then be left out.
  package func forEachBlock(
    longerThan length: Int64 = -1, _ body: (Int, UnsafeBufferPointer<SpanBounds>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: SpanBounds.self, capacity: Self.blockSize) { spans in
      spans.initialize(repeating: SpanBounds(start: 0, end: 0))
      for block in 0..<packedCount / Self.blockSize
      where length < 0 || lengths.limit(ofBlock: block) > UInt64(bitPattern: length) {
        read(block, into: spans)
        body(block * Self.blockSize, UnsafeBufferPointer(spans))
      }
    }
    tail.withUnsafeBufferPointer { tail in
      for first in stride(from: 0, to: tail.count, by: Self.blockSize) {
        let block = tail[first..<Swift.min(first + Self.blockSize, tail.count)]
        body(packedCount + first, UnsafeBufferPointer(rebasing: block))
      }
    }
  }

  /// Replaces `spans` by those of a block; the last block can be shorter.
  package func read(_ block: Int, into spans: inout [SpanBounds]) {
    guard block < blockStarts.count else {
      let first = block * Self.blockSize - packedCount
      spans.removeAll(keepingCapacity: true)
      return spans.append(contentsOf: tail[first..<Swift.min(first + Self.blockSize, tail.count)])
    }
    if spans.count != Self.blockSize {
      spans = Array(repeating: SpanBounds(start: 0, end: 0), count: Self.blockSize)
    }
    spans.withUnsafeMutableBufferPointer { read(block, into: $0) }
  }

  /// Stores the spans of a packed block in `spans`.
  private func read(_ block: Int, into spans: UnsafeMutableBufferPointer<SpanBounds>) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * Self.blockSize) { numbers in
      let steps = UnsafeMutableBufferPointer(rebasing: numbers[..<Self.blockSize])
      let lengths = UnsafeMutableBufferPointer(rebasing: numbers[Self.blockSize...])
      self.steps.read(block, into: steps)
      self.lengths.read(block, into: lengths)
      var start = blockStarts[block]
      for index in steps.indices {
        let end = start &+ Int64(bitPattern: lengths[index])
        spans[index] = SpanBounds(start: start, end: end)
        start &+= Int64(bitPattern: steps[index])
      }
    }
  }

  /// The start of the first span of a block, which may be in the tail.
  @inlinable @inline(__always) package func start(ofBlock block: Int) -> Int64 {
    block < blockStarts.count
      ? blockStarts[block] : tail[block &* Self.blockSize &- packedCount].start
  }

  /// Calls `body` with each span of a block, in order, that starts before an instant.
  @inlinable @inline(__always)
  package func forEach(inBlock block: Int, before instant: Int64, _ body: (SpanBounds) -> Void) {
    guard block < blockStarts.count else {
      let spans = tail[(block &* Self.blockSize &- packedCount)...].prefix(Self.blockSize)
      for span in spans where span.start < instant { body(span) }
      return
    }
    steps.withBlock(block) { steps in
      lengths.withBlock(block) { lengths in
        var (start, index) = (blockStarts[block], 0)
        while index < Self.blockSize, start < instant {
          body(SpanBounds(start: start, end: start &+ Int64(bitPattern: lengths[index])))
          start &+= Int64(bitPattern: steps[index])
          index &+= 1
        }
      }
    }
  }
}

extension SpanTimes: NumberedCollection {
  /// Reads the spans in order, a block at a time.
  @usableFromInline package struct Iterator: IteratorProtocol {
    @usableFromInline let times: SpanTimes
    /// The position after those in `block`.
    @usableFromInline var index = 0
    @usableFromInline var block: [SpanBounds] = []
    @usableFromInline var position = 0

    @inlinable init(_ times: SpanTimes) {
      self.times = times
    }

    @inlinable @inline(__always) package mutating func next() -> SpanBounds? {
      if position == block.count {
        guard index < times.count else { return nil }
        readBlock()
      }
      defer { position &+= 1 }
      return block[position]
    }

    @usableFromInline mutating func readBlock() {
      times.read(index / SpanTimes.blockSize, into: &block)
      position = 0
      index += block.count
    }
  }

  @inlinable package func makeIterator() -> Iterator { Iterator(self) }

  @inlinable package var count: Int { packedCount &+ tail.count }

  @inlinable @inline(__always) package subscript(index: Int) -> SpanBounds {
    guard index < packedCount else { return tail[index &- packedCount] }
    let (block, position) = (index / Self.blockSize, index % Self.blockSize)
    let sum = steps.withBlock(block) { $0.sum(before: position) }
    let start = blockStarts[block] &+ Int64(bitPattern: sum)
    return SpanBounds(start: start, end: start &+ Int64(bitPattern: lengths[index]))
  }
}
