/// The bytes of XML in memory, from the next one on.
struct XMLInput: ~Copyable {
  private let source: any ByteSource
  private let block: UnsafeMutableRawBufferPointer
  private var nextIndex = 0
  private var end = 0
  private var blockOffset: UInt64 = 0
  private var sourceHasEnded = false

  /// The source's error, if a fault has the kind `source`.
  private(set) var failure: ImportError?

  /// Creates an input at the start of `source` that reads blocks of `blockSize` bytes.
  init(_ source: any ByteSource, blockSize: Int) {
    self.source = source
    block = .allocate(byteCount: max(16, blockSize), alignment: 16)
  }

  deinit { block.deallocate() }

  var offset: UInt64 { blockOffset + UInt64(nextIndex) }

  /// The next byte. Call `require` first.
  var byte: UInt8 { block[nextIndex] }

  /// Returns the byte at a distance from the next one. Call `require` first.
  func byte(_ distance: Int) -> UInt8 { block[nextIndex + distance] }

  mutating func pass(_ count: Int) { nextIndex += count }

  /// The bytes in memory that were not passed.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: block[nextIndex..<end]) }

  /// Returns whether `count` bytes, at most 16, are in memory, after loading missing ones.
  @inline(__always)
  mutating func require(_ count: Int) throws(ScanFault) -> Bool {
    if _fastPath(end &- nextIndex >= count) { return true }
    return try load(count)
  }

  @inline(never)
  private mutating func load(_ count: Int) throws(ScanFault) -> Bool {
    if nextIndex > 0 {
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[nextIndex..<end]))
      blockOffset += UInt64(nextIndex)
      end -= nextIndex
      nextIndex = 0
    }
    while end < count, !sourceHasEnded {
      do throws(ImportError) {
        let room = block.count - end
        let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[end...]))
        sourceHasEnded = got <= 0
        end += max(0, min(got, room))
      } catch {
        failure = error
        throw ScanFault(kind: .source, reason: error.reason, offset: offset)
      }
    }
    return end >= count
  }

  // MARK: - Marks and white space

  mutating func passOver(until mark: StaticString) throws(ScanFault) {
    while try !starts(with: mark) {
      guard try require(1) else { throw fault("") }
      pass(1)
    }
    pass(mark.utf8CodeUnitCount)
  }

  /// Returns whether the next bytes are those of `text`.
  mutating func starts(with text: StaticString) throws(ScanFault) -> Bool {
    guard try require(1), byte == text.utf8Start[0], try require(text.utf8CodeUnitCount) else {
      return false
    }
    for index in 1..<text.utf8CodeUnitCount where byte(index) != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// Skips white space and returns whether there was any.
  mutating func passSpace() throws(ScanFault) -> Bool {
    var hasSpace = false
    while try require(1), byte.isXMLSpace {
      pass(1)
      hasSpace = true
    }
    return hasSpace
  }

  // MARK: - Faults

  /// Returns a fault here: a truncation if the bytes end, otherwise `reason`.
  func fault(_ reason: String) -> ScanFault {
    let isCut = sourceHasEnded && (nextIndex >= end || reason.isEmpty)
    return ScanFault(
      kind: isCut ? .cutAtEnd : .invalid, reason: isCut ? "the text ends in the middle" : reason,
      offset: offset)
  }

  /// Returns a fault here because a limit was exceeded.
  func limitFault(_ reason: String) -> ScanFault {
    ScanFault(kind: .limit, reason: reason, offset: offset)
  }
}

enum XMLCharacters {
  @inline(__always)
  static func isInNames(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
    default: false
    }
  }

  /// Returns whether a byte is an ASCII character of a text that ends with `stop` and has no references.
  @inline(__always)
  static func isPlain(_ byte: UInt8, _ stop: UInt8) -> Bool {
    guard byte >= 0x20 else { return byte == 0x09 || byte == 0x0A || byte == 0x0D }
    return byte < 0x80 && byte != stop && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&")
  }

  /// Returns the end of the name that starts at `start`, or `start` itself if there is none.
  @inline(__always)
  static func endOfName(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard start < bytes.count, isInNames(bytes[start], first: true) else { return start }
    var end = start
    while end < bytes.count, bytes[end].isInPlainNames { end &+= 1 }
    return end
  }

  /// Returns the position of the first byte from `start` on that ends a text or needs inspection:
  /// `stop`, '<', '&', control characters and non-ASCII bytes.
  @inline(__always)
  static func endOfText(
    in bytes: UnsafeRawBufferPointer, from start: Int, stop: UInt8
  ) -> Int {
    var end = start
    while end < bytes.count {
      while end &+ 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)
        let flags = UInt64(littleEndian: word).flagsOfSpecialBytes(stop)
        end &+= min(8, flags.trailingZeroBitCount &>> 3)
        guard flags == 0 else { break }
      }
      guard end < bytes.count else { return end }
      if isPlain(bytes[end], stop) {
        end &+= 1
      } else if bytes[end] >= 0x80, let length = UTF8.lengthOfCharacter(in: bytes, at: end) {
        end &+= length
      } else {
        return end
      }
    }
    return end
  }

  /// Returns the character of an entity that needs no definition, or `nil`.
  static func scalar(of name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.first != "+", let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value), value & 0xFFFE != 0xFFFE
    else { return nil }
    return Unicode.Scalar(value)
  }
}

extension UInt64 {
  /// Returns the highest bit of each byte that is `stop`, '<', '&', below a space or above 0x7F;
  /// only the lowest flag is exact.
  @inline(__always)
  fileprivate func flagsOfSpecialBytes(_ stop: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    let flags =
      zeros(self ^ ones &* UInt64(stop)) | zeros(self ^ ones &* UInt64(UInt8(ascii: "<")))
      | zeros(self ^ ones &* UInt64(UInt8(ascii: "&"))) | (self &- ones &* 0x20) | self
    return flags & (ones &<< 7)
  }
}

extension UInt8 {
  /// Whether this is an ASCII character of names; the first character of a name allows fewer.
  @inline(__always)
  fileprivate var isInPlainNames: Bool {
    // A bit for each: of '-', '.', the digits and ':', and of the letters and '_'.
    let set: UInt64 = self < 0x40 ? 0x07FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return self < 0x80 && set &>> UInt64(self & 0x3F) & 1 != 0
  }

  @inline(__always)
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}
