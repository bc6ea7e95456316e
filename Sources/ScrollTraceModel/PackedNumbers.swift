/// Numbers in blocks, each stored by its distance from the least of its block, in as few bits as most of
/// them need. What the few larger ones have above these bits is stored behind, with a bit for each number.
///
/// Memory that was never used before costs more time than decoding, so that fewer bytes are also faster.
@usableFromInline package struct PackedNumbers: Sendable {
  @inlinable package static var blockSize: Int { 64 }

  /// Where the words of a block lie, and how to read them: the least number if it is not zero, the lower
  /// bits of all numbers, a bit for each number if some have upper ones, and these.
  @usableFromInline struct Location: Sendable {
    /// The position of the first word, above the number of upper bits, a flag, and that of lower bits.
    @usableFromInline let value: Int

    init(word: Int, width: Int, upperWidth: Int, hasBase: Bool) {
      value = word &<< 15 | upperWidth &<< 8 | (hasBase ? 0x80 : 0) | width
    }
  }

  /// A block whose numbers can be read at any position.
  @usableFromInline package struct Block {
    @usableFromInline let base: UInt64
    /// The number of lower bits.
    @usableFromInline let width: Int
    @usableFromInline let lower: UnsafeRawPointer
    /// A bit for each number with upper bits.
    @usableFromInline let large: UInt64
    @usableFromInline let upperWidth: Int
    @usableFromInline let upper: UnsafeRawPointer

    /// - Parameter words: The words of all blocks.
    @inlinable @inline(__always) init(_ location: Location, in words: UnsafePointer<UInt64>) {
      var words = words + location.value &>> 15
      width = location.value & 0x7f
      upperWidth = location.value &>> 8 & 0x7f
      base = location.value & 0x80 != 0 ? words[0] : 0
      if location.value & 0x80 != 0 { words += 1 }
      lower = UnsafeRawPointer(words)
      // As many words as bits, because a block has as many numbers as a word has bits.
      words += width
      large = upperWidth > 0 ? words[0] : 0
      upper = UnsafeRawPointer(words + 1)
    }

    @inlinable @inline(__always) package subscript(position: Int) -> UInt64 {
      var number = base
      if width > 0 { number &+= Self.number(at: position, of: width, in: lower) }
      let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: position)
      if large & bit != 0 { number &+= upperPart(at: (large & (bit &- 1)).nonzeroBitCount) }
      return number
    }

    @inlinable @inline(__always) package func sum(before position: Int) -> UInt64 {
      var sum = base &* UInt64(truncatingIfNeeded: position)
      if width > 0 {
        for index in 0..<position { sum &+= Self.number(at: index, of: width, in: lower) }
      }
      var (rest, index) = (large & ((1 &<< UInt64(truncatingIfNeeded: position)) &- 1), 0)
      while rest != 0 {
        sum &+= upperPart(at: index)
        rest &= rest &- 1
        index &+= 1
      }
      return sum
    }

    /// Stores all numbers in `numbers`, which has room for as many, and nothing in it yet.
    @inlinable @inline(__always) func read(into numbers: UnsafeMutableBufferPointer<UInt64>) {
      if width == 0 {
        numbers.initialize(repeating: base)
      } else {
        for position in numbers.indices {
          numbers.initializeElement(
            at: position, to: base &+ Self.number(at: position, of: width, in: lower))
        }
      }
      var (rest, index) = (large, 0)
      while rest != 0 {
        numbers[rest.trailingZeroBitCount] &+= upperPart(at: index)
        rest &= rest &- 1
        index &+= 1
      }
    }

    /// The upper bits of the number at `index` among the large ones, where they belong.
    @inlinable @inline(__always) func upperPart(at index: Int) -> UInt64 {
      Self.number(at: index, of: upperWidth, in: upper) &<< UInt64(truncatingIfNeeded: width)
    }

    /// The number at `index` of those with `width` bits each, which are not zero.
    @inlinable @inline(__always)
    static func number(at index: Int, of width: Int, in bytes: UnsafeRawPointer) -> UInt64 {
      let bit = index &* width
      // At most 56 bits, which lie in eight bytes wherever they begin, or 64, which begin with a byte.
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
      return word &>> UInt64(truncatingIfNeeded: bit & 7)
        & (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- width))
    }
  }

  @usableFromInline private(set) var locations: [Location] = []
  /// The words of all blocks in order of their bytes, and one behind them that is never part of a number.
  @usableFromInline private(set) var words: [UInt64] = [0]
  /// Of up to four recent blocks, by the last bits of how many bits their numbers have: that, the lower and
  /// the upper bits, and how many numbers have upper ones, a byte each from the highest.
  private var recentWidths = SIMD4<UInt32>()

  package init() {}

  @inlinable package var count: Int { locations.count &* Self.blockSize }

  @inlinable @inline(__always) package subscript(index: Int) -> UInt64 {
    withBlock(index / Self.blockSize) { $0[index % Self.blockSize] }
  }

  @inlinable @inline(__always)
  package func withBlock<Result>(_ index: Int, _ body: (Block) -> Result) -> Result {
    let location = locations[index]
    return words.withUnsafeBufferPointer { words in
      // There is always one word.
      body(Block(location, in: words.baseAddress.unsafelyUnwrapped))
    }
  }

  /// A number that none of a block exceeds.
  func limit(ofBlock index: Int) -> UInt64 {
    withBlock(index) { block in
      let width = min(64, block.width + block.upperWidth)
      let distance = width > 0 ? UInt64.max &>> UInt64(64 &- width) : 0
      let (limit, isOver) = block.base.addingReportingOverflow(distance)
      return isOver ? .max : limit
    }
  }

  /// Stores the numbers of a block in `numbers`, which has room for them, and nothing in it yet.
  func read(_ index: Int, into numbers: UnsafeMutableBufferPointer<UInt64>) {
    precondition(numbers.count == Self.blockSize, "a block has a fixed size")
    withBlock(index) { $0.read(into: numbers) }
  }

  /// Adds numbers, which are whole blocks.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - expectedCount: The number of numbers that are expected in total.
  ///   - number: Returns the number at a position.
  @inlinable @inline(__always)
  mutating func append(count: Int, expectedCount: Int, number: (Int) -> UInt64) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.blockSize) { block in
      block.initialize(repeating: 0)
      for first in stride(from: 0, to: count - Self.blockSize + 1, by: Self.blockSize) {
        for position in block.indices { block[position] = number(first &+ position) }
        append(UnsafeBufferPointer(block), expectedCount)
      }
    }
  }

  @usableFromInline mutating func append(_ block: UnsafeBufferPointer<UInt64>, _ expectedCount: Int)
  {
    precondition(block.count == Self.blockSize, "a block has a fixed size")
    var base = block[0]
    var differences: UInt64 = 0
    for number in block { differences |= number ^ base }
    if differences >> 31 > 0 {
      for number in block { base = min(base, number) }
    } else if differences > 0 {
      // In the bits that differ: processors without instructions for larger numbers take four times as long.
      var least = Int32.max
      for number in block { least = min(least, Int32(truncatingIfNeeded: number & 0x7fff_ffff)) }
      base = base & ~0x7fff_ffff | UInt64(UInt32(bitPattern: least))
    }
    let (width, upperWidth, large) = widths(of: block, base)
    let upperWords = (large.nonzeroBitCount * upperWidth + 127) / 64
    reserve(words.count + width + upperWords + 1, expectedCount: expectedCount)
    words.removeLast()
    locations.append(
      Location(word: words.count, width: width, upperWidth: upperWidth, hasBase: base != 0))
    // Never more bits than the numbers have, and the base.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.blockSize + 1) { packed in
      var bits = PackedBits(packed)
      if base != 0 { bits.append(word: base) }
      if width > 0 {
        let mask = UInt64.max &>> UInt64(64 &- width)
        for number in block { bits.append((number &- base) & mask, width: width) }
        bits.finish()
      }
      if upperWidth > 0 {
        bits.append(word: large)
        var rest = large
        while rest != 0 {
          let number = block[rest.trailingZeroBitCount]
          bits.append((number &- base) &>> UInt64(width), width: upperWidth)
          rest &= rest &- 1
        }
        bits.finish()
      }
      words.append(contentsOf: UnsafeBufferPointer(rebasing: packed[..<bits.wordCount]))
    }
    words.append(0)
  }

  /// Returns the numbers of lower and upper bits with which a block has the fewest bits, and a bit for each
  /// number with upper ones.
  ///
  /// Most blocks of a column are alike, and finding the widths takes longer than packing. Those of a recent
  /// block are good enough for one that has as large numbers, and no more of them. As the numbers may become
  /// smaller, the widths of each 16th block are found again.
  private mutating func widths(
    of block: UnsafeBufferPointer<UInt64>, _ base: UInt64
  ) -> (lower: Int, upper: Int, large: UInt64) {
    var all: UInt64 = 0
    for number in block { all |= number &- base }
    let bitCount = 64 - all.leadingZeroBitCount
    guard bitCount > 0 else { return (0, 0, 0) }
    let known = recentWidths[bitCount & 3]
    if Int(known >> 24) == bitCount, locations.count % 16 > 0 {
      let (lower, upper) = (Int(known >> 16 & 0xff), Int(known >> 8 & 0xff))
      guard upper > 0 else { return (lower, 0, 0) }
      let (large, small) = Self.split(block, base, at: lower)
      if large.nonzeroBitCount <= Int(known & 0xff), 64 - small.leadingZeroBitCount == lower {
        return (lower, upper, large)
      }
    }
    let (lower, upper) = Self.bestWidths(of: block, base, bitCount)
    let large = upper > 0 ? Self.split(block, base, at: lower).large : 0
    let widths = bitCount << 24 | lower << 16 | upper << 8 | large.nonzeroBitCount
    recentWidths[bitCount & 3] = UInt32(truncatingIfNeeded: widths)
    return (lower, upper, large)
  }

  /// Returns a bit for each number with more than `width` bits above the least one, and all bits of the others.
  private static func split(
    _ block: UnsafeBufferPointer<UInt64>, _ base: UInt64, at width: Int
  ) -> (large: UInt64, small: UInt64) {
    var (large, small, bit) = (UInt64.zero, UInt64.zero, UInt64(1))
    for number in block {
      let difference = number &- base
      let isLarge = difference &>> UInt64(width) != 0
      large |= isLarge ? bit : 0
      small |= isLarge ? 0 : difference
      bit &<<= 1
    }
    return (large, small)
  }

  private static func bestWidths(
    of block: UnsafeBufferPointer<UInt64>, _ base: UInt64, _ bitCount: Int
  ) -> (lower: Int, upper: Int) {
    func stored(_ width: Int) -> Int { width > 56 ? 64 : width }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4 * 65) { counts in
      // How many numbers have so many bits, in four parts: additions to one count wait for each other.
      counts.initialize(repeating: 0)
      for position in block.indices {
        let bits = 64 &- (block[position] &- base).leadingZeroBitCount
        counts[(position & 3) &* 65 &+ bits] &+= 1
      }
      let lower = stored(bitCount)
      var best = (lower: lower, upper: 0, total: lower * Self.blockSize)
      var largeCount = 0
      for width in stride(from: bitCount - 1, through: 0, by: -1) {
        for part in 0..<4 { largeCount &+= Int(counts[part &* 65 &+ width &+ 1]) }
        let upper = stored(bitCount &- width)
        // With fewer lower bits, there are only more upper ones.
        if largeCount &* upper >= best.total { break }
        let total = (width &+ 1) &* Self.blockSize &+ (largeCount &* upper &+ 63) & ~63
        if width <= 56, total < best.total { best = (width, upper, total) }
      }
      return (best.lower, best.upper)
    }
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

/// Words, and numbers written one behind the other, in memory that must have room for them.
private struct PackedBits {
  private let words: UnsafeMutableBufferPointer<UInt64>
  private(set) var wordCount = 0
  private var word: UInt64 = 0
  /// The number of bits in `word`, less than 64.
  private var filled = 0

  init(_ words: UnsafeMutableBufferPointer<UInt64>) { self.words = words }

  /// Adds a word, behind whole ones.
  @inline(__always) mutating func append(word: UInt64) {
    words.initializeElement(at: wordCount, to: word)
    wordCount &+= 1
  }

  /// Adds a number, which has no more than `width` bits.
  @inline(__always) mutating func append(_ number: UInt64, width: Int) {
    word |= number &<< UInt64(truncatingIfNeeded: filled)
    filled &+= width
    guard filled >= 64 else { return }
    append(word: word.littleEndian)
    filled &-= 64
    word = filled == 0 ? 0 : number &>> UInt64(truncatingIfNeeded: width &- filled)
  }

  /// Adds the last word, if it is not full.
  mutating func finish() {
    guard filled > 0 else { return }
    append(word: word.littleEndian)
    (word, filled) = (0, 0)
  }
}
