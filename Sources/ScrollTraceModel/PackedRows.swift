/// Rows of numbers in packed columns. Those behind the last whole block are not packed.
package struct PackedRows: Sendable {
  /// The number of rows that are packed, and read, at once.
  package static var blockSize: Int { PackedNumbers.blockSize }

  package let columnCount: Int
  private var columns: [PackedNumbers] = []
  /// The numbers of the rows that are not packed, of each column behind those of the one before.
  private var rest: [UInt64] = []
  private var restCount = 0

  /// Creates rows without any. They take no memory until there is one.
  package init(columnCount: Int) { self.columnCount = columnCount }

  package var count: Int { packedCount + restCount }

  private var packedCount: Int { columns.first?.count ?? 0 }

  package subscript(row: Int, column: Int) -> UInt64 {
    let packedCount = packedCount
    return row < packedCount
      ? columns[column][row] : rest[column * Self.blockSize + row - packedCount]
  }

  /// A row that is being added.
  package struct NewRow {
    fileprivate let numbers: UnsafeMutableBufferPointer<UInt64>
    fileprivate let row: Int

    package subscript(column: Int) -> UInt64 {
      get { numbers[column * PackedRows.blockSize + row] }
      nonmutating set { numbers[column * PackedRows.blockSize + row] = newValue }
    }
  }

  /// Adds a row, of which `set` sets each number.
  @inline(__always) package mutating func append(_ set: (NewRow) -> Void) {
    if rest.isEmpty {
      rest = Array(repeating: 0, count: columnCount * Self.blockSize)
      columns = Array(repeating: PackedNumbers(), count: columnCount)
    }
    let row = restCount
    rest.withUnsafeMutableBufferPointer { set(NewRow(numbers: $0, row: row)) }
    restCount += 1
    if restCount == Self.blockSize { pack() }
  }

  private mutating func pack() {
    let expectedCount = packedCount
    rest.withUnsafeBufferPointer { rest in
      for column in columns.indices {
        let first = column * Self.blockSize
        columns[column].append(
          UnsafeBufferPointer(rebasing: rest[first..<first + Self.blockSize]), expectedCount)
      }
    }
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
        for row in 0..<restCount { part[row] = rest[column * Self.blockSize + row] }
      }
    }
    return isPacked ? Self.blockSize : restCount
  }
}
