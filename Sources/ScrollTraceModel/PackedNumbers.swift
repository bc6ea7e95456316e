/// Numbers in blocks, each stored in as few bits as all of its block need, relative to the first of
/// them or to zero. If most of a block are equal to that, only the others are stored, behind a bit for each.
///
/// Memory that was never used before costs more time than decoding, so that fewer bytes are also faster.
@usableFromInline package struct PackedNumbers: Sendable {
  /// The number of numbers in a block.
  @inlinable package static var blockSize: Int { 64 }

  /// Where the words of a block lie, and how to read them: a number that all are relative to if it is
  /// not zero, a bit for each number if only those are stored that differ from it, and the numbers.
  @usableFromInline struct Location: Sendable {
    /// The position of the first word, above two flags and the number of bits of each number.
    @usableFromInline let value: Int

    init(word: Int, width: Int, hasBase: Bool, isSparse: Bool) {
      value = word &<< 9 | (hasBase ? 0x100 : 0) | (isSparse ? 0x80 : 0) | width
    }
  }

  /// A block whose numbers can be read at any position.
  @usableFromInline package struct Block {
    @usableFromInline let base: UInt64
    /// A bit for each number that is stored, if not all are.
    @usableFromInline let stored: UInt64
    @usableFromInline let isSparse: Bool
    @usableFromInline let width: Int
    @usableFromInline let mask: UInt64
    @usableFromInline let bytes: UnsafeRawPointer

    /// - Parameter words: The words of all blocks.
    @inlinable @inline(__always) init(_ location: Location, in words: UnsafePointer<UInt64>) {
      var words = words + location.value &>> 9
      width = location.value & 0x7f
      mask = width == 0 ? 0 : UInt64.max &>> UInt64(64 &- width)
      isSparse = location.value & 0x80 != 0
      base = location.value & 0x100 != 0 ? words[0] : 0
      if location.value & 0x100 != 0 { words += 1 }
      stored = isSparse ? words[0] : 0
      if isSparse { words += 1 }
      bytes = UnsafeRawPointer(words)
    }

    @inlinable @inline(__always) package subscript(position: Int) -> UInt64 {
      var index = position
      if isSparse {
        let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: position)
        guard stored & bit != 0 else { return base }
        index = (stored & (bit &- 1)).nonzeroBitCount
      }
      return base &+ number(at: index)
    }

    /// The stored number at `index`.
    @inlinable @inline(__always) func number(at index: Int) -> UInt64 {
      let bit = index &* width
      // At most 56 bits, which lie in eight bytes wherever they begin, or 64, which begin with a byte.
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
      return word &>> UInt64(truncatingIfNeeded: bit & 7) & mask
    }
  }

  @usableFromInline private(set) var locations: [Location] = []
  /// The words of all blocks in order of their bytes, and one behind them that is never part of a number.
  @usableFromInline private(set) var words: [UInt64] = [0]

  package init() {}

  @inlinable package var count: Int { locations.count &* Self.blockSize }

  @inlinable @inline(__always) package subscript(index: Int) -> UInt64 {
    withBlock(index / Self.blockSize) { $0[index % Self.blockSize] }
  }

  /// Calls `body` with the block at `index`.
  @inlinable @inline(__always)
  package func withBlock<Result>(_ index: Int, _ body: (Block) -> Result) -> Result {
    let location = locations[index]
    return words.withUnsafeBufferPointer { words in
      // There is always one word.
      body(Block(location, in: words.baseAddress.unsafelyUnwrapped))
    }
  }

  /// Stores the numbers of a block in `numbers`.
  func read(_ index: Int, into numbers: UnsafeMutableBufferPointer<UInt64>) {
    precondition(numbers.count == Self.blockSize, "a block has a fixed size")
    withBlock(index) { block in
      if block.isSparse || block.width == 0 {
        numbers.update(repeating: block.base)
        var (stored, index) = (block.stored, 0)
        while stored != 0 {
          numbers[stored.trailingZeroBitCount] = block.base &+ block.number(at: index)
          stored &= stored &- 1
          index &+= 1
        }
        return
      }
      switch block.width {
      case 8: block.read(UInt8.self, numbers)
      case 16: block.read(UInt16.self, numbers)
      case 32: block.read(UInt32.self, numbers)
      default:
        for position in numbers.indices {
          numbers[position] = block.base &+ block.number(at: position)
        }
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
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * Self.blockSize + 2) { scratch in
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
  /// - Parameter packed: Room for a block and two words.
  private mutating func append(
    _ block: UnsafeBufferPointer<UInt64>, _ packed: UnsafeMutableBufferPointer<UInt64>,
    _ expectedCount: Int
  ) {
    let first = block[0]
    var (bits, bitsFromFirst) = (UInt64.zero, UInt64.zero)
    var (zeroCount, firstCount) = (0, 0)
    for number in block {
      bits |= number
      bitsFromFirst |= number &- first
      zeroCount &+= number == 0 ? 1 : 0
      firstCount &+= number == first ? 1 : 0
    }
    let (zeros, zerosFromFirst) = (bits.leadingZeroBitCount, bitsFromFirst.leadingZeroBitCount)
    let base = (zerosFromFirst, firstCount) > (zeros, zeroCount) ? first : 0
    let unused = max(zeros, zerosFromFirst)
    let width = unused < 8 ? 64 : 64 - unused
    let differentCount = Self.blockSize - (base == 0 ? zeroCount : firstCount)
    let isSparse = 1 + (differentCount * width + 63) / 64 < width
    var count = 0
    if base != 0 {
      packed[0] = base
      count = 1
    }
    if isSparse {
      var (different, bit) = (UInt64.zero, UInt64(1))
      for number in block {
        if number != base { different |= bit }
        bit &<<= 1
      }
      packed[count] = different
      count &+= 1
    }
    if width > 0 {
      var (word, filled) = (UInt64.zero, 0)
      for number in block where !isSparse || number != base {
        let number = number &- base
        word |= number &<< UInt64(truncatingIfNeeded: filled)
        filled &+= width
        guard filled >= 64 else { continue }
        packed[count] = word.littleEndian
        count &+= 1
        filled &-= 64
        word = filled == 0 ? 0 : number &>> UInt64(truncatingIfNeeded: width &- filled)
      }
      if filled > 0 {
        packed[count] = word.littleEndian
        count &+= 1
      }
    }
    reserve(words.count + count, expectedCount: expectedCount)
    locations.append(
      Location(word: words.count - 1, width: width, hasBase: base != 0, isSparse: isSparse))
    guard count > 0 else { return }
    packed[count] = 0
    words.removeLast()
    words.append(contentsOf: packed[...count])
  }

  /// Reserves room for `wordCount` words, and if there is none, for what is expected.
  private mutating func reserve(_ wordCount: Int, expectedCount: Int) {
    guard wordCount > words.capacity else { return }
    let expectedBlocks = expectedCount / Self.blockSize + 1
    // Room that is not needed costs no memory, but each copy into more room does.
    let share = Double(expectedBlocks) / Double(max(locations.count, 1)) * 1.125
    let expected = share.isFinite ? Int(min(Double(wordCount) * share, 0x1p30)) : 0
    words.reserveCapacity(max(wordCount * 2, expected))
    locations.reserveCapacity(expectedBlocks)
  }
}

extension PackedNumbers.Block {
  /// Stores numbers of one machine type in `numbers`, several at a time.
  @inline(__always)
  fileprivate func read<Stored: FixedWidthInteger>(
    _ type: Stored.Type, _ numbers: UnsafeMutableBufferPointer<UInt64>
  ) {
    for position in numbers.indices {
      let stored = bytes.loadUnaligned(
        fromByteOffset: position &* MemoryLayout<Stored>.size, as: Stored.self)
      numbers[position] = base &+ UInt64(truncatingIfNeeded: Stored(littleEndian: stored))
    }
  }
}
