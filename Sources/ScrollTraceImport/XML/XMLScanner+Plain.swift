/// Tags and texts that lie completely in the block and have no references: nearly all.
///
/// They are not copied. Anything else is read byte by byte from its start, which also reports its
/// faults.
extension XMLScanner {
  /// Reads `<name attribute="value">` or `<name/>`; returns `false` if it is not plain.
  @inline(__always)
  mutating func passPlainBeginTag() throws(ScanFault) -> Bool {
    let bytes = rest
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    var place = Self.endOfName(in: bytes, from: 1)
    let name = 1..<place
    guard Self.isName(name) else { return false }
    while place &+ 1 < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ">"):
        pass(place &+ 1)
        view = UnsafeRawBufferPointer(rebasing: bytes[..<place])
        self.name = UnsafeRawBufferPointer(rebasing: bytes[name])
        try openElement(endsAtOnce: false)
        return true
      case UInt8(ascii: "/") where bytes[place &+ 1] == UInt8(ascii: ">"):
        pass(place &+ 2)
        view = UnsafeRawBufferPointer(rebasing: bytes[..<place])
        self.name = UnsafeRawBufferPointer(rebasing: bytes[name])
        try openElement(endsAtOnce: true)
        return true
      case 0x20:
        guard let attribute = plainAttribute(in: bytes, at: place &+ 1) else { return false }
        attributes.append(attribute)
        place = attribute.value.upperBound &+ 1
      default: return false
      }
    }
    return false
  }

  /// Returns the attribute that starts at `start`, or `nil` if it is not plain, or is repeated.
  @inline(__always)
  private func plainAttribute(
    in bytes: UnsafeRawBufferPointer, at start: Int
  ) -> XMLAttribute? {
    let end = Self.endOfName(in: bytes, from: start)
    guard Self.isName(start..<end), end &+ 1 < bytes.count, bytes[end] == UInt8(ascii: "="),
      attributes.count < Self.maximumAttributeCount
    else { return nil }
    let quote = bytes[end &+ 1]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    let first = end &+ 2
    let last = Self.endOfText(in: bytes, from: first, stop: quote)
    guard last < bytes.count, bytes[last] == quote else { return nil }
    let name = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    for known in attributes {
      if UnsafeRawBufferPointer(rebasing: bytes[known.name]).hasSameBytes(as: name) { return nil }
    }
    return XMLAttribute(name: start..<end, value: first..<last)
  }

  /// Reads `</name>`; returns `false` if it is not plain, or does not match the open element.
  @inline(__always)
  mutating func passPlainEndTag() -> Bool {
    let (bytes, open) = (rest, openName)
    let end = open.count &+ 2
    guard end < bytes.count, bytes[end] == UInt8(ascii: ">"), depth > 0 else { return false }
    guard UnsafeRawBufferPointer(rebasing: bytes[2..<end]).hasSameBytes(as: open) else {
      return false
    }
    pass(end &+ 1)
    closeElement()
    return true
  }

  /// Reads text up to the next tag; returns `false` if it is not plain.
  @inline(__always)
  mutating func passPlainText() -> Bool {
    let bytes = rest
    let end = Self.endOfText(in: bytes, from: 0, stop: UInt8(ascii: "<"))
    guard end < bytes.count, bytes[end] == UInt8(ascii: "<") else { return false }
    view = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    pass(end)
    return true
  }

  // MARK: - Bytes

  private static func isName(_ range: Range<Int>) -> Bool {
    (1...maximumNameLength).contains(range.count)
  }

  /// Returns the end of the name that starts at `start`, or `start` itself if there is none.
  @inline(__always)
  private static func endOfName(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard start < bytes.count, isInNames(bytes[start], first: true) else { return start }
    var end = start
    while end < bytes.count, bytes[end].isInPlainNames { end &+= 1 }
    return end
  }

  /// Returns the position of the first byte from `start` on that ends a text or needs inspection:
  /// `stop`, '<', '&', control characters and non-ASCII bytes.
  @inline(__always)
  private static func endOfText(
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
      } else if bytes[end] >= 0x80, let length = lengthOfCharacter(in: bytes, at: end) {
        end &+= length
      } else {
        return end
      }
    }
    return end
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
  /// A Boolean value indicating whether this is an ASCII character of names; the first character of
  /// a name allows fewer.
  @inline(__always)
  fileprivate var isInPlainNames: Bool {
    // A bit for each: of '-', '.', the digits and ':', and of the letters and '_'.
    let set: UInt64 = self < 0x40 ? 0x07FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return self < 0x80 && set &>> UInt64(self & 0x3F) & 1 != 0
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether these are the bytes of `other`, comparing eight at a time.
  @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var index = 0
    while index &+ 8 <= count {
      let mine = loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard mine == other.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
        return false
      }
      index &+= 8
    }
    while index < count {
      guard self[index] == other[index] else { return false }
      index &+= 1
    }
    return true
  }
}
