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
/// Most take eight bytes, because new memory costs more time than decoding: in a block of spans,
/// they are stored relative to its first start. The last spans are stored as they are, so that
/// others can still be placed among them.
@usableFromInline package struct SpanTimes: Sendable {
  /// The number of spans in a block.
  @inlinable package static var blockSize: Int { 32 }

  /// A start relative to that of the block, and a length.
  @usableFromInline struct Offsets: Sendable {
    @usableFromInline var start: UInt32
    @usableFromInline var length: UInt32

    @inlinable init(start: UInt32, length: UInt32) {
      self.start = start
      self.length = length
    }
  }

  /// The first start of each block, or the bitwise complement of its position in `wideBlocks`.
  @usableFromInline var bases: [Int64] = []
  /// The spans of all blocks; zeros in blocks whose times do not fit.
  @usableFromInline var offsets: [Offsets] = []
  /// The spans of the blocks that last too long, such as those of a thread that rarely works.
  @usableFromInline var wideBlocks: [SpanBounds] = []
  /// The spans after the last block.
  @usableFromInline var tail: [SpanBounds] = []

  package init() {}

  /// The number of spans that can be moved.
  @usableFromInline static var longestTail: Int { 8192 }

  /// Adds a span, which is not in front of any other.
  @inlinable package mutating func append(_ span: SpanBounds) {
    tail.append(span)
    if tail.count >= Self.longestTail { packTail() }
  }

  /// Packs the spans of the tail into blocks if it is long, except for the last ones.
  @usableFromInline mutating func packTail() {
    guard tail.count >= Self.longestTail else { return }
    let count = (tail.count - Self.longestTail / 2) / Self.blockSize * Self.blockSize
    tail.withUnsafeBufferPointer { tail in
      withUnsafeTemporaryAllocation(of: Offsets.self, capacity: count) { packed in
        packed.initialize(repeating: Offsets(start: 0, length: 0))
        for first in stride(from: 0, to: count, by: Self.blockSize) {
          let block = first..<first + Self.blockSize
          pack(UnsafeBufferPointer(rebasing: tail[block]), to: packed.extracting(block))
        }
        offsets.append(contentsOf: packed)
      }
    }
    tail.removeFirst(count)
  }

  private mutating func pack(
    _ block: UnsafeBufferPointer<SpanBounds>, to packed: UnsafeMutableBufferPointer<Offsets>
  ) {
    let base = block[0].start
    var longest = block[Self.blockSize - 1].start &- base
    for span in block { longest = Swift.max(longest, span.length) }
    guard longest <= UInt32.max else {
      bases.append(~Int64(wideBlocks.count / Self.blockSize))
      return wideBlocks.append(contentsOf: block)
    }
    bases.append(base)
    for index in 0..<Self.blockSize {
      packed[index] = Offsets(
        start: UInt32(truncatingIfNeeded: block[index].start &- base),
        length: UInt32(truncatingIfNeeded: block[index].length))
    }
  }

  /// Calls `body` with each span at `range`, which is fast within one block.
  @inlinable @inline(__always)
  package func forEach(in range: Range<Int>, _ body: (SpanBounds) -> Void) {
    guard !range.isEmpty, range.upperBound <= offsets.count,
      range.lowerBound / Self.blockSize == (range.upperBound - 1) / Self.blockSize,
      bases[range.lowerBound / Self.blockSize] >= 0
    else {
      for index in range { body(self[index]) }
      return
    }
    let base = bases[range.lowerBound / Self.blockSize]
    offsets.withUnsafeBufferPointer { offsets in
      for index in range {
        let start = base &+ Int64(offsets[index].start)
        body(SpanBounds(start: start, end: start &+ Int64(offsets[index].length)))
      }
    }
  }

  /// Reserves room for `count` spans.
  mutating func grow(toCapacity count: Int) {
    offsets.grow(toCapacity: count)
    bases.reserveCapacity(count / Self.blockSize + 1)
  }

  /// Releases room that was reserved but not needed.
  func releaseUnusedRoom() {
    offsets.releaseUnusedRoom()
    bases.releaseUnusedRoom()
  }
}

extension SpanTimes: RandomAccessCollection {
  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }
  @inlinable package var count: Int { offsets.count &+ tail.count }

  @inlinable @inline(__always) package subscript(index: Int) -> SpanBounds {
    guard index < offsets.count else { return tail[index &- offsets.count] }
    let base = bases[index / Self.blockSize]
    guard base >= 0 else {
      return wideBlocks[Int(~base) * Self.blockSize + index % Self.blockSize]
    }
    let start = base &+ Int64(offsets[index].start)
    return SpanBounds(start: start, end: start &+ Int64(offsets[index].length))
  }
}
