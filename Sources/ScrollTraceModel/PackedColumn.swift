/// A value that a packed column stores as a number.
@usableFromInline package protocol PackedValue: Sendable {
  init(number: UInt64)
  var number: UInt64 { get }
}

/// One value for each span or sample: packed numbers and, behind them, a tail that can still be changed.
@usableFromInline package struct PackedColumn<Value: PackedValue>: Sendable {
  @usableFromInline var packed = PackedNumbers()
  /// The values after the last block.
  @usableFromInline var tail: [Value] = []

  package init() {}

  init(repeating value: Value, packedCount: Int, tailCount: Int) {
    tail = Array(repeating: value, count: packedCount + tailCount)
    pack(packedCount, expectedCount: packedCount)
  }

  func mapped(_ transform: (Value) -> Value) -> PackedColumn {
    var column = PackedColumn()
    column.tail = map(transform)
    column.pack(packed.count, expectedCount: packed.count)
    return column
  }

  /// Adds a value, and packs the first block of the tail if there are two.
  @inlinable package mutating func append(_ value: Value) {
    tail.append(value)
    if tail.count >= 2 * PackedNumbers.blockSize {
      pack(PackedNumbers.blockSize, expectedCount: packed.count)
    }
  }

  /// Packs the first `count` values of the tail, which are whole blocks.
  @inlinable mutating func pack(_ count: Int, expectedCount: Int) {
    tail.withUnsafeBufferPointer { tail in
      packed.append(count: count, expectedCount: expectedCount) { tail[$0].number }
    }
    tail.removeFirst(count)
  }
}

extension PackedColumn {
  /// Calls `body` with the values of the block that starts at `first`; the last block can be shorter.
  @inline(__always)
  func withBlock(at first: Int, _ body: (UnsafeBufferPointer<Value>) -> Void) {
    let size = PackedNumbers.blockSize
    guard first < packed.count else {
      return tail.withUnsafeBufferPointer { tail in
        body(UnsafeBufferPointer(rebasing: tail.dropFirst(first - packed.count).prefix(size)))
      }
    }
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: size) { numbers in
      packed.read(first / size, into: numbers)
      withUnsafeTemporaryAllocation(of: Value.self, capacity: size) { values in
        for index in numbers.indices {
          values.initializeElement(at: index, to: Value(number: numbers[index]))
        }
        body(UnsafeBufferPointer(values))
      }
    }
  }
}

extension PackedColumn: NumberedCollection {
  @inlinable package var count: Int { packed.count &+ tail.count }

  @inlinable @inline(__always) package subscript(index: Int) -> Value {
    index < packed.count ? Value(number: packed[index]) : tail[index &- packed.count]
  }
}

extension Int64: PackedValue {
  @inlinable package init(number: UInt64) { self.init(bitPattern: number) }
  @inlinable package var number: UInt64 { UInt64(bitPattern: self) }
}

extension LabelID: PackedValue {
  @inlinable package init(number: UInt64) {
    self.init(rawValue: UInt32(truncatingIfNeeded: number))
  }
  @inlinable package var number: UInt64 { UInt64(rawValue) }
}

extension ArgumentListID: PackedValue {
  @inlinable package init(number: UInt64) {
    self.init(rawValue: UInt32(truncatingIfNeeded: number))
  }
  @inlinable package var number: UInt64 { UInt64(rawValue) }
}
