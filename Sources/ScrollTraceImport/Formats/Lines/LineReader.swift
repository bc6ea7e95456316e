import ScrollTraceModel
import ScrollTracePlatform

/// Reads a source line by line from one block.
struct LineReader: ~Copyable {
  /// The number of readable bytes after each line, with arbitrary content.
  static let spareCount = 64

  private let source: any ByteSource
  private let limit: Int
  private let block: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var hasEnded = false
  private var blockOffset: UInt64 = 0

  /// The number of the last line read, starting at 1.
  private(set) var number = 0
  private(set) var offset: UInt64 = 0
  /// Whether that line ends at the end of the file without a line feed.
  private(set) var isUnfinished = false
  /// Whether that line exceeded the limit and is returned as empty.
  private(set) var isTooLong = false

  /// The ratio of the source's size to the part already read, or 1 if unknown.
  private(set) var growth = 1.0

  init(_ source: any ByteSource, limit: Int) {
    self.source = source
    self.limit = limit
    let room = max(1 << 18, limit + 64)
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: room + Self.spareCount, alignment: 64)
    block = UnsafeMutableRawBufferPointer(rebasing: memory[..<room])
  }

  deinit { block.deallocate() }

  /// Returns the next line without its line end, or `nil` at the end of the source.
  mutating func next() throws(ImportError) -> UnsafeRawBufferPointer? {
    isTooLong = false
    var searched = start
    while true {
      if let offset = lineFeed(from: searched) {
        let line = passLine(from: start, to: offset)
        start = offset + 1
        return line
      }
      searched = end
      if hasEnded {
        guard start < end || isTooLong else { return nil }
        isUnfinished = true
        let line = passLine(from: start, to: end)
        start = end
        return line
      }
      if start == 0, end == block.count {
        // Longer than the block: the rest is skipped.
        isTooLong = true
        blockOffset += UInt64(end)
        end = 0
        searched = 0
      }
      let moved = start
      try fill()
      searched -= moved
    }
  }

  private mutating func passLine(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
    number += 1
    offset = blockOffset + UInt64(start)
    if end - start > limit { isTooLong = true }
    guard !isTooLong else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    var last = end
    if last > start, block[last - 1] == UInt8(ascii: "\r") { last -= 1 }
    var first = start
    if number == 1, last - first >= 3, block[first] == 0xEF, block[first + 1] == 0xBB,
      block[first + 2] == 0xBF
    {
      first += 3
    }
    return UnsafeRawBufferPointer(rebasing: block[first..<last])
  }

  private func lineFeed(from offset: Int) -> Int? {
    guard offset < end, let base = block.baseAddress,
      let found = memchr(base + offset, 0x0A, end - offset)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  private mutating func fill() throws(ImportError) {
    if start > 0 {
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[start..<end]))
      blockOffset += UInt64(start)
      end -= start
      start = 0
    }
    let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[end...]))
    hasEnded = got <= 0
    end += max(0, min(got, block.count - end))
    if let count = source.byteCount {
      growth = max(1, Double(count) / Double(max(1, blockOffset + UInt64(end))))
    }
  }
}

/// Searches and compares the bytes of lines, eight at a time.
enum LineBytes {
  /// Returns the position of the first quote or backslash from `start` on, or the line's end.
  @inline(__always)
  static func stringEnd(_ line: UnsafeRawBufferPointer, from start: Int) -> Int {
    var offset = start
    while line.count &- offset >= 8 {
      let word = word(line, offset)
      let found = zeros(word ^ 0x2222_2222_2222_2222) | zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
      if found != 0 { return offset &+ found.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < line.count, line[offset] != UInt8(ascii: "\""),
      line[offset] != UInt8(ascii: "\\")
    {
      offset &+= 1
    }
    return offset
  }

  /// Returns the position of the first nondigit from `start` on, or the line's end.
  @inline(__always)
  static func digitsEnd(_ line: UnsafeRawBufferPointer, from start: Int) -> Int {
    var offset = start
    while line.count &- offset >= 8 {
      let digits = word(line, offset) ^ 0x3030_3030_3030_3030
      // A carry only reaches bytes after the first nondigit.
      let found = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
      if found != 0 { return offset &+ found.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < line.count, line[offset] &- 0x30 < 10 { offset &+= 1 }
    return offset
  }

  /// Returns the position of the first `sign` from `start` on, or the line's end.
  @inline(__always)
  static func firstIndex(
    of sign: UInt8, in line: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    let signs = UInt64(sign) &* 0x0101_0101_0101_0101
    var offset = start
    while line.count &- offset >= 8 {
      let found = zeros(word(line, offset) ^ signs)
      if found != 0 { return offset &+ found.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < line.count, line[offset] != sign { offset &+= 1 }
    return offset
  }

  /// Returns whether both have the same `count` bytes; names are too short for a call of `memcmp`.
  @inline(__always)
  static func areSame(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
  ) -> Bool {
    guard count >= 8 else { return shortWord(left, count: count) == shortWord(right, count: count) }
    var offset = 0
    while offset < count &- 8 {
      guard word(left + offset) == word(right + offset) else { return false }
      offset &+= 8
    }
    return word(left + (count &- 8)) == word(right + (count &- 8))
  }

  /// Returns up to seven bytes as a unique number.
  @inline(__always)
  static func shortWord(_ bytes: UnsafeRawPointer, count: Int) -> UInt64 {
    if count >= 4 {
      let first = UInt64(bytes.loadUnaligned(as: UInt32.self))
      let last = UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      return first | last &<< 32
    }
    guard count > 0 else { return 0 }
    let middle = UInt64(bytes.load(fromByteOffset: count &>> 1, as: UInt8.self))
    let last = UInt64(bytes.load(fromByteOffset: count &- 1, as: UInt8.self))
    return UInt64(bytes.load(as: UInt8.self)) | middle &<< 8 | last &<< 16
  }

  /// Returns eight bytes as a number in the machine's byte order.
  @inline(__always)
  static func word(_ bytes: UnsafeRawPointer) -> UInt64 { bytes.loadUnaligned(as: UInt64.self) }

  /// Returns the highest bit of each zero byte; bits after the first one can be wrong.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  @inline(__always)
  private static func word(_ line: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: line.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
