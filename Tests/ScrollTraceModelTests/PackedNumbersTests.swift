import ScrollTraceLayout
import Testing

@testable import ScrollTraceModel

/// Numbers in blocks of as few bits as possible.
@Suite struct PackedNumbersTests {
  static func packed(_ numbers: [UInt64]) -> PackedNumbers {
    var packed = PackedNumbers()
    packed.append(count: numbers.count, expectedCount: numbers.count) { numbers[$0] }
    return packed
  }

  @Test(arguments: 0...64)
  func `numbers of any size are read as they were packed`(bits: Int) {
    var random = SeededGenerator(seed: UInt64(bits))
    let maximum = bits == 64 ? UInt64.max : 1 << UInt64(bits) - 1
    let smallest = UInt64.random(in: 0...(UInt64.max - maximum), using: &random)
    var numbers = (0..<PackedNumbers.blockSize * 3).map { _ in
      smallest + UInt64.random(in: 0...maximum, using: &random)
    }
    (numbers[70], numbers[71]) = (smallest, smallest + maximum)
    let packed = Self.packed(numbers)
    #expect((0..<packed.count).map { packed[$0] } == numbers)
  }

  @Test func `each block takes the bits that its own numbers need`() {
    let size = PackedNumbers.blockSize
    func words(_ numbers: [UInt64]) -> Int { Self.packed(numbers).words.count - 1 }
    #expect(words(Array(repeating: 0, count: size)) == 0)
    #expect(words(Array(repeating: .max, count: size)) == 1)
    #expect(words((0..<UInt64(size)).map { 1 << 60 + $0 }) == 1 + 6)
    #expect(words((0..<UInt64(size)).map { $0 * 5 }) == 9)
    #expect(words((0..<UInt64(size)).map { $0 << 58 }) == size)
    let mixed = Array(repeating: UInt64(7), count: size) + (0..<UInt64(size)).map { $0 * 1_000 }
    #expect(words(mixed) == 1 + 16)
  }

  @Test(arguments: 1...8)
  func `of a block with few numbers that differ only these are stored`(width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    let size = PackedNumbers.blockSize
    for count in [1, 2, 5, 20, 60, 63] {
      for usual in [0, 7] as [UInt64] {
        var numbers = Array(repeating: usual, count: size * 2)
        for index in (1..<size).shuffled(using: &random).prefix(count) {
          let difference = UInt64.random(in: 1...(1 << UInt64(8 * width - 1)), using: &random)
          numbers[index] = usual + difference
        }
        numbers[size - 1] = usual + 1 << UInt64(8 * width - 1)
        let packed = Self.packed(numbers)
        #expect((0..<packed.count).map { packed[$0] } == numbers)
        var times = [UInt64](repeating: 1, count: size)
        times.withUnsafeMutableBufferPointer { packed.read(0, into: $0) }
        #expect(times == Array(numbers[..<size]))
        if count < 4 { #expect(packed.words.count - 1 < size * width / 8) }
      }
    }
  }

  @Test(arguments: 0...63)
  func `a few large numbers do not make the others longer`(bits: Int) {
    var random = SeededGenerator(seed: UInt64(bits))
    let size = PackedNumbers.blockSize
    for count in [0, 1, 3, 30] {
      var numbers = (0..<size).map { _ in UInt64.random(in: 0..<16, using: &random) }
      for index in (1..<size).shuffled(using: &random).prefix(count) {
        numbers[index] = UInt64.random(in: 0...(.max >> UInt64(bits)), using: &random)
      }
      let packed = Self.packed(numbers)
      #expect((0..<size).map { packed[$0] } == numbers)
      var read = [UInt64](repeating: 1, count: size)
      read.withUnsafeMutableBufferPointer { packed.read(0, into: $0) }
      #expect(read == numbers)
      for position in 0..<size {
        let sum = packed.withBlock(0) { $0.sum(before: position) }
        #expect(sum == numbers[..<position].reduce(0, &+))
      }
      if count < 4 { #expect(packed.words.count < 4 + 1 + 1 + 3 + 1) }
    }
  }

  @Test func `blocks with the widths of others before them take hardly more words`() {
    var random = SeededGenerator(seed: 1)
    let size = PackedNumbers.blockSize
    let numbers = (0..<size * 400).map { index -> UInt64 in
      let isLarge = UInt64.random(in: 0..<90, using: &random) == 0
      let maximum: UInt64 = isLarge ? 1 << 40 : index < size * 200 ? 1 << 14 : 1 << 9
      return UInt64.random(in: 0..<maximum, using: &random)
    }
    let packed = Self.packed(numbers)
    #expect((0..<packed.count).map { packed[$0] } == numbers)
    let alone = stride(from: 0, to: numbers.count, by: size).reduce(0) { sum, first in
      sum + Self.packed(Array(numbers[first..<first + size])).words.count - 1
    }
    #expect(packed.words.count - 1 >= alone)
    #expect(packed.words.count * 100 < alone * 102)
  }

  @Test(arguments: [0, 1, 2, 3, 63, 64, 65, 127, 128, 200])
  func `rows are read as they were added, alone and in blocks`(count: Int) {
    func number(_ row: Int, _ column: Int) -> UInt64 { UInt64(row * row * 1000 + column) }
    var rows = PackedRows(columnCount: 3)
    for row in 0..<count {
      rows.append { new in for column in 0..<3 { new[column] = number(row, column) } }
    }
    #expect(rows.count == count)
    let expected = (0..<count).map { row in (0..<3).map { number(row, $0) } }
    #expect((0..<count).map { row in (0..<3).map { rows[row, $0] } } == expected)
    let distance = PackedRows.blockSize + 1
    var found: [[UInt64]] = []
    for block in 0...count / PackedRows.blockSize {
      var numbers = [UInt64](repeating: .max, count: 3 * distance)
      let size = numbers.withUnsafeMutableBufferPointer {
        rows.read(block: block, into: $0, distance: distance)
      }
      found += (0..<size).map { row in (0..<3).map { numbers[$0 * distance + row] } }
    }
    #expect(found == expected)
  }

  @Test func `values are found in blocks and in the tail behind them`() {
    var column = PackedColumn<LabelID>()
    column.tail = (0..<200).map { LabelID(rawValue: $0 * 70_000) }
    column.pack(PackedNumbers.blockSize * 2, expectedCount: 200)
    #expect(column.tail.count == 200 - PackedNumbers.blockSize * 2)
    #expect(column.map(\.rawValue) == (0..<200).map { $0 * 70_000 })
    let empty = PackedColumn<ArgumentListID>(
      repeating: .none, packedCount: PackedNumbers.blockSize * 2, tailCount: 5)
    #expect(empty.count == PackedNumbers.blockSize * 2 + 5)
    #expect(empty.allSatisfy { $0 == .none })
  }
}
