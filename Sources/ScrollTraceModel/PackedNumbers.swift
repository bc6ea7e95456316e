/// Numbers in blocks, each stored in as few bytes as all of its block need, relative to the first of
/// them or to zero. If most of a block are equal to that, only the others are stored, behind a bit for each.
///
/// Memory that was never used before costs more time than decoding, so that fewer bytes are also faster.
@usableFromInline package struct PackedNumbers: Sendable {
  /// The number of numbers in a block.
  @inlinable package static var blockSize: Int { 64 }

  /// Where a block lies, and how to read it.
  @usableFromInline package struct Block: Sendable {
    /// The number that all numbers are relative to.
    @usableFromInline let base: UInt64
    /// The offset of its bytes, which is a multiple of 32, plus the number of bytes of each number, plus 16
    /// if only the numbers are stored that differ from `base`.
    @usableFromInline let location: Int

    @inlinable init(base: UInt64, location: Int) {
      self.base = base
      self.location = location
    }

    /// Returns the number at `position` of the block.
    @inlinable @inline(__always)
    package func number(_ position: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
      let width = location & 0xf
      var (index, start) = (position, location & ~0x1f)
      if location & 0x10 != 0 {
        let bits = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: position)
        guard bits & bit != 0 else { return base }
        index = (bits & (bit &- 1)).nonzeroBitCount
        start = start &+ 8
      }
      let offset = start &+ index &* width
      let number = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      return base &+ number & (UInt64.max >> UInt64(64 &- 8 &* width))
    }
  }

  @usableFromInline private(set) var blocks: [Block] = []
  /// The bytes of all blocks, and a word behind them that is never part of a number.
  @usableFromInline private(set) var words: [UInt64] = [0]

  package init() {}

  @inlinable package var count: Int { blocks.count &* Self.blockSize }

  @inlinable @inline(__always) package subscript(index: Int) -> UInt64 {
    let block = blocks[index / Self.blockSize]
    return words.withUnsafeBytes { block.number(index % Self.blockSize, in: $0) }
  }

  /// Stores the numbers of a block in `numbers`.
  func read(_ index: Int, into numbers: UnsafeMutableBufferPointer<UInt64>) {
    precondition(numbers.count == Self.blockSize, "a block has a fixed size")
    let block = blocks[index]
    words.withUnsafeBytes { bytes in
      switch block.location & 0x1f {
      case 0: numbers.update(repeating: block.base)
      case 1: block.read(UInt8.self, bytes, numbers)
      case 2: block.read(UInt16.self, bytes, numbers)
      case 4: block.read(UInt32.self, bytes, numbers)
      case 0x10...: block.readDifferent(bytes, numbers)
      default:
        for position in numbers.indices { numbers[position] = block.number(position, in: bytes) }
      }
    }
  }

  /// Adds numbers, which are whole blocks.
  ///
  /// - Parameters:
  ///   - expectedCount: The number of numbers that are expected in total.
  ///   - number: Returns the number of an element.
  @inline(__always)
  mutating func append<Element>(
    _ elements: UnsafeBufferPointer<Element>, expectedCount: Int, number: (Element) -> UInt64
  ) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * Self.blockSize + 1) { scratch in
      scratch.initialize(repeating: 0)
      let block = UnsafeMutableBufferPointer(rebasing: scratch[..<Self.blockSize])
      let packed = UnsafeMutableBufferPointer(rebasing: scratch[Self.blockSize...])
      for first in stride(from: 0, to: elements.count - Self.blockSize + 1, by: Self.blockSize) {
        for position in block.indices { block[position] = number(elements[first + position]) }
        append(UnsafeBufferPointer(block), packed, expectedCount)
      }
    }
  }

  /// Adds a block.
  ///
  /// - Parameter packed: Room for a block and a word.
  private mutating func append(
    _ block: UnsafeBufferPointer<UInt64>, _ packed: UnsafeMutableBufferPointer<UInt64>,
    _ expectedCount: Int
  ) {
    let first = block[0]
    var (bits, bitsFromFirst) = (UInt64.zero, UInt64.zero)
    for number in block {
      bits |= number
      bitsFromFirst |= number &- first
    }
    let width = (64 - max(bits.leadingZeroBitCount, bitsFromFirst.leadingZeroBitCount) + 7) / 8
    let base = bitsFromFirst >> UInt64(8 * width) == 0 ? first : 0
    var (different, bit) = (UInt64.zero, UInt64(1))
    for number in block {
      if number != base { different |= bit }
      bit &<<= 1
    }
    // In whole groups of 32 bytes.
    let sparseCount = (8 + different.nonzeroBitCount * width + 31) / 32 * 4
    let isSparse = sparseCount < Self.blockSize * width / 8
    let wordCount = isSparse ? sparseCount : Self.blockSize * width / 8
    blocks.append(
      Block(base: base, location: (words.count - 1) * 8 + width + (isSparse ? 0x10 : 0)))
    reserve(words.count + wordCount, expectedCount: expectedCount)
    guard width > 0 else { return }
    let bytes = UnsafeMutableRawBufferPointer(packed)
    var offset = 0
    if isSparse {
      bytes.storeBytes(of: different.littleEndian, as: UInt64.self)
      offset = 8
    }
    for number in block where !isSparse || number != base {
      bytes.storeBytes(of: (number &- base).littleEndian, toByteOffset: offset, as: UInt64.self)
      offset &+= width
    }
    words.removeLast()
    words.append(contentsOf: packed[...wordCount])
  }

  /// Reserves room for `wordCount` words, and if there is none, for what is expected.
  private mutating func reserve(_ wordCount: Int, expectedCount: Int) {
    guard wordCount > words.capacity else { return }
    let expectedBlocks = expectedCount / Self.blockSize + 1
    // Room that is not needed costs no memory, but each copy into more room does.
    let share = Double(expectedBlocks) / Double(max(blocks.count, 1)) * 1.125
    let expected = share.isFinite ? Int(min(Double(wordCount) * share, 0x1p30)) : 0
    words.reserveCapacity(max(wordCount * 2, expected))
    blocks.reserveCapacity(expectedBlocks)
  }
}

extension PackedNumbers.Block {
  /// Stores numbers of which only those are stored that differ from `base` in `numbers`.
  fileprivate func readDifferent(
    _ bytes: UnsafeRawBufferPointer, _ numbers: UnsafeMutableBufferPointer<UInt64>
  ) {
    numbers.update(repeating: base)
    let (start, width) = (location & ~0x1f, location & 0xf)
    var offset = start + 8
    var bits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    let mask = UInt64.max >> UInt64(64 - 8 * width)
    while bits != 0 {
      let number = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      numbers[bits.trailingZeroBitCount] = base &+ UInt64(littleEndian: number) & mask
      bits &= bits &- 1
      offset &+= width
    }
  }

  /// Stores numbers of one machine type in `numbers`, several at a time.
  @inline(__always)
  fileprivate func read<Stored: FixedWidthInteger>(
    _ type: Stored.Type, _ bytes: UnsafeRawBufferPointer,
    _ numbers: UnsafeMutableBufferPointer<UInt64>
  ) {
    let size = MemoryLayout<Stored>.size
    for position in numbers.indices {
      let stored = bytes.loadUnaligned(
        fromByteOffset: location & ~0x1f &+ position &* size, as: Stored.self)
      numbers[position] = base &+ UInt64(truncatingIfNeeded: Stored(littleEndian: stored))
    }
  }
}
