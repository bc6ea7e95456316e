/// The start and end of a span, in nanoseconds on the trace's clock.
@usableFromInline package struct SpanBounds: Equatable, Sendable {
  @usableFromInline package var start: Int64
  /// Never before the start.
  @usableFromInline package var end: Int64

  @inlinable @inline(__always) package init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }

  /// The time from start to end.
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
  /// The number of spans in a block.
  @inlinable package static var blockSize: Int { PackedNumbers.blockSize }

  @usableFromInline var starts = PackedNumbers()
  @usableFromInline var lengths = PackedNumbers()
  /// The spans after the last block.
  @usableFromInline var tail: [SpanBounds] = []

  package init() {}

  /// The number of spans that can be moved.
  static let longestTail = 8192

  /// The number of packed spans.
  @inlinable var packedCount: Int { starts.count }

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
      let spans = UnsafeBufferPointer(rebasing: tail[..<count])
      starts.append(spans, expectedCount: expectedCount) { UInt64(bitPattern: $0.start) }
      lengths.append(spans, expectedCount: expectedCount) { UInt64(bitPattern: $0.length) }
    }
    tail.removeFirst(count)
    return count
  }

  /// Calls `body` with the position of the first span of each block and its spans; the last block can
  /// be shorter.
  package func forEachBlock(_ body: (Int, UnsafeBufferPointer<SpanBounds>) -> Void) {
    withUnsafeTemporaryAllocation(of: SpanBounds.self, capacity: Self.blockSize) { spans in
      spans.initialize(repeating: SpanBounds(start: 0, end: 0))
      for block in 0..<packedCount / Self.blockSize {
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

  /// Stores the spans of a packed block in `spans`, which are as many.
  fileprivate func read(_ block: Int, into spans: inout [SpanBounds]) {
    spans.withUnsafeMutableBufferPointer { read(block, into: $0) }
  }

  /// Stores the spans of a packed block in `spans`.
  private func read(_ block: Int, into spans: UnsafeMutableBufferPointer<SpanBounds>) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * Self.blockSize) { numbers in
      numbers.initialize(repeating: 0)
      let starts = UnsafeMutableBufferPointer(rebasing: numbers[..<Self.blockSize])
      let lengths = UnsafeMutableBufferPointer(rebasing: numbers[Self.blockSize...])
      self.starts.read(block, into: starts)
      self.lengths.read(block, into: lengths)
      for index in starts.indices {
        spans[index] = SpanBounds(
          start: Int64(bitPattern: starts[index]),
          end: Int64(bitPattern: starts[index] &+ lengths[index]))
      }
    }
  }

  /// Calls `body` with each span at `range`, which lies within one block.
  @inlinable @inline(__always)
  package func forEach(inBlock range: Range<Int>, _ body: (SpanBounds) -> Void) {
    let block = range.lowerBound / Self.blockSize
    guard block < starts.locations.count else {
      for index in range { body(self[index]) }
      return
    }
    let first = block &* Self.blockSize
    starts.withBlock(block) { starts in
      lengths.withBlock(block) { lengths in
        for index in range {
          let start = starts[index &- first]
          body(
            SpanBounds(
              start: Int64(bitPattern: start),
              end: Int64(bitPattern: start &+ lengths[index &- first])))
        }
      }
    }
  }
}

extension SpanTimes: RandomAccessCollection {
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

    /// Reads the next block, or the tail.
    @usableFromInline mutating func readBlock() {
      position = 0
      guard index < times.packedCount else {
        index = times.count
        return block = times.tail
      }
      if block.isEmpty {
        block = Array(repeating: SpanBounds(start: 0, end: 0), count: SpanTimes.blockSize)
      }
      times.read(index / SpanTimes.blockSize, into: &block)
      index += SpanTimes.blockSize
    }
  }

  @inlinable package func makeIterator() -> Iterator { Iterator(self) }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }
  @inlinable package var count: Int { packedCount &+ tail.count }

  @inlinable @inline(__always) package subscript(index: Int) -> SpanBounds {
    guard index < packedCount else { return tail[index &- packedCount] }
    let (start, length) = (starts[index], lengths[index])
    return SpanBounds(start: Int64(bitPattern: start), end: Int64(bitPattern: start &+ length))
  }
}
