/// Rows of numbers in packed columns. Those behind the last whole block are not packed.
@usableFromInline package struct PackedRows: Sendable {
  /// The number of rows that are packed, and read, at once.
  @inlinable package static var blockSize: Int { PackedNumbers.blockSize }

  @usableFromInline package let columnCount: Int
  private var columns: [PackedNumbers] = []
  private var packedCount = 0
  /// The numbers of the rows that are not packed, one row behind the other.
  @usableFromInline var rest: [UInt64] = []
  @usableFromInline var restCount = 0

  /// Creates rows without any. They take no memory until there is one.
  package init(columnCount: Int) { self.columnCount = columnCount }

  package var count: Int { packedCount + restCount }

  package subscript(row: Int, column: Int) -> UInt64 {
    row < packedCount
      ? columns[column][row] : rest[(row - packedCount) * columnCount + column]
  }

  /// A row that is being added.
  @usableFromInline package struct NewRow {
    @usableFromInline let numbers: UnsafeMutableBufferPointer<UInt64>
    @usableFromInline let first: Int

    @inlinable init(numbers: UnsafeMutableBufferPointer<UInt64>, first: Int) {
      (self.numbers, self.first) = (numbers, first)
    }

    @inlinable @inline(__always) package subscript(column: Int) -> UInt64 {
      get { numbers[first &+ column] }
      nonmutating set { numbers[first &+ column] = newValue }
    }
  }

  /// Adds a row, of which `set` sets each number.
  @inlinable @inline(__always) package mutating func append(_ set: (NewRow) -> Void) {
    let first = restCount * columnCount
    if first == rest.count { makeRoom() }
    rest.withUnsafeMutableBufferPointer { set(NewRow(numbers: $0, first: first)) }
    restCount += 1
    if restCount == Self.blockSize { pack() }
  }

  @usableFromInline mutating func makeRoom() {
    let rowCount = min(max(1, 2 * restCount), Self.blockSize)
    rest += repeatElement(0, count: rowCount * columnCount - rest.count)
  }

  @usableFromInline mutating func pack() {
    if columns.isEmpty { columns = Array(repeating: PackedNumbers(), count: columnCount) }
    let (columnCount, expectedCount) = (columnCount, packedCount)
    rest.withUnsafeBufferPointer { rest in
      for column in 0..<columnCount {
        columns[column].append(count: Self.blockSize, expectedCount: expectedCount) {
          rest[$0 * columnCount + column]
        }
      }
    }
    packedCount += Self.blockSize
    restCount = 0
  }

  /// Stores the numbers of a block in `numbers`, and returns how many rows it has.
  ///
  /// - Parameter distance: The distance of columns in `numbers`, no less than the size of a block.
  package func read(
    block: Int, into numbers: UnsafeMutableBufferPointer<UInt64>, distance: Int
  ) -> Int {
    let isPacked = block * Self.blockSize < packedCount
    for column in 0..<columnCount {
      let first = column * distance
      let part = UnsafeMutableBufferPointer(rebasing: numbers[first..<first + Self.blockSize])
      if isPacked {
        columns[column].read(block, into: part)
      } else {
        for row in 0..<restCount { part[row] = rest[row * columnCount + column] }
      }
    }
    return isPacked ? Self.blockSize : restCount
  }
}
