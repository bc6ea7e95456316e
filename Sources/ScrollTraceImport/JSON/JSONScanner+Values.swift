extension JSONScanner {
  /// Passes the value that starts at the next byte that is not white space.
  @inline(__always)
  mutating func passValue() throws(ScanFault) -> JSONKind {
    switch try peek() {
    case UInt8(ascii: "\""): return try passString()
    case UInt8(ascii: "{"):
      try passContainer()
      return .object
    case UInt8(ascii: "["):
      try passContainer()
      return .array
    default: return try passScalar()
    }
  }

  /// Passes a number or a literal.
  @inline(__always)
  mutating func passScalar() throws(ScanFault) -> JSONKind {
    switch rawByte(at: position) {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try passNumber()
      return .number
    case UInt8(ascii: "t"): try passLiteral("true")
    case UInt8(ascii: "f"): try passLiteral("false")
    case UInt8(ascii: "n"): try passLiteral("null")
    default: throw fault("a value was expected")
    }
    return .literal
  }

  /// Passes an object or array with its content, without recursion.
  @inline(never)
  private mutating func passContainer() throws(ScanFault) {
    // One bit for each open container, the innermost lowest: 1 for an object. The bits of the
    // containers around the innermost 64 are in `outer`.
    var (outer, open): (UInt64, UInt64) = (0, 0)
    var depth = 0
    let allowed = Self.maximumDepth - outerDepth
    while true {
      // At the start of a value.
      let first = try peek()
      if first == UInt8(ascii: "\"") {
        _ = try passString()
      } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        depth += 1
        guard depth <= allowed else {
          throw limitFault("values are nested deeper than \(Self.maximumDepth)")
        }
        position &+= 1
        let isObject = first == UInt8(ascii: "{")
        (outer, open) = (outer << 1 | open >> 63, open << 1 | (isObject ? 1 : 0))
        let next = try peek()
        if next != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { try passKey() }
          continue
        }
        position &+= 1
        (outer, open) = (outer >> 1, outer << 63 | open >> 1)
        depth -= 1
      } else {
        _ = try passScalar()
      }
      // After a value.
      afterValue: while true {
        guard depth > 0 else { return }
        let isObject = open & 1 == 1
        switch try peek() {
        case UInt8(ascii: ","):
          position &+= 1
          if isObject { try passKey() }
          break afterValue
        case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
          position &+= 1
          (outer, open) = (outer >> 1, outer << 63 | open >> 1)
          depth -= 1
        default:
          throw fault(isObject ? "',' or '}' was expected" : "',' or ']' was expected")
        }
      }
    }
  }

  /// Passes a member's name and the colon.
  @inline(__always)
  mutating func passKey() throws(ScanFault) {
    guard try peek() == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
    _ = try passString()
    try passColon()
  }

  /// Passes the colon between a member's name and its value.
  @inline(__always)
  mutating func passColon() throws(ScanFault) {
    guard try peek() == UInt8(ascii: ":") else { throw fault("':' was expected") }
    position &+= 1
  }

  @inline(__always)
  private mutating func passNumber() throws(ScanFault) {
    var place = position
    if rawByte(at: place) == UInt8(ascii: "-") { place += 1 }
    if try byte(at: &place) == UInt8(ascii: "0") {
      place += 1
    } else {
      try passDigits(at: &place)
    }
    if try byte(at: &place) == UInt8(ascii: ".") {
      place += 1
      try passDigits(at: &place)
    }
    if try byte(at: &place) | 0x20 == UInt8(ascii: "e") {
      place += 1
      let sign = try byte(at: &place)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { place += 1 }
      try passDigits(at: &place)
    }
    position = place
  }

  @inline(__always)
  private mutating func passDigits(at place: inout Int) throws(ScanFault) {
    guard try byte(at: &place) &- 0x30 < 10 else { throw fault("a digit was expected", at: place) }
    repeat { place &+= 1 } while try byte(at: &place) &- 0x30 < 10
  }

  private mutating func passLiteral(_ text: StaticString) throws(ScanFault) {
    let count = text.utf8CodeUnitCount
    var place = position
    for index in 0..<count {
      guard try byte(at: &place) == text.utf8Start[index] else {
        throw fault("a value was expected", at: place)
      }
      place += 1
    }
    position = place
  }
}

extension JSONScanner {
  /// Skips the string that starts here and returns whether it has escapes.
  @inline(__always)
  mutating func passString() throws(ScanFault) -> JSONKind {
    // Most strings of traces are short and plain; the word loop finds their end at once.
    var place = position &+ 1
    while true {
      let special = Self.specialBytes(in: rawWord(at: place))
      if special == 0 {
        place &+= 8
        continue
      }
      place &+= special.trailingZeroBitCount >> 3
      if _fastPath(rawByte(at: place) == 0x22) {
        position = place &+ 1
        return .plainString
      }
      return try passRestOfString(from: place)
    }
  }

  /// Passes the rest of a string, from the first byte that is not plain ASCII.
  @inline(never)
  private mutating func passRestOfString(from start: Int) throws(ScanFault) -> JSONKind {
    var place = start
    var kind = JSONKind.plainString
    while true {
      let special = Self.specialBytes(in: rawWord(at: place))
      if special == 0 {
        place += 8
        continue
      }
      place += special.trailingZeroBitCount >> 3
      let value = try byte(at: &place)
      switch value {
      case 0x22:
        position = place + 1
        return kind
      case 0x5C:
        kind = .escapedString
        try passEscape(at: &place)
      case 0x80...:
        try passMultibyteCharacter(value, at: &place)
      case 0x09 where allowsLineFeeds, 0x0A where allowsLineFeeds, 0x0D where allowsLineFeeds:
        place += 1
      case 0..<0x20:
        throw fault("a control character in a string", at: place)
      default:
        // More bytes were loaded.
        continue
      }
    }
  }

  /// Passes the string that starts here, however long it is, and hands each of its lines to `body`, with
  /// whether it is longer than `limit` bytes and was left out.
  mutating func passLines(
    limit: Int, _ body: (UnsafeRawBufferPointer, Bool) -> Void
  ) throws(ScanFault) {
    position += 1
    anchor = -1
    var line: [UInt8] = []
    var isTooLong = false
    func end(_ line: inout [UInt8], _ isTooLong: inout Bool) {
      line.withUnsafeBytes { body($0, isTooLong) }
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    while true {
      var place = position
      let value = try byte(at: &place)
      var isLineEnd = false
      switch value {
      case 0x22:
        position = place + 1
        return end(&line, &isTooLong)
      case 0x5C:
        try passEscape(at: &place)
        isLineEnd = rawByte(at: position + 1) == UInt8(ascii: "n")
      case 0x80...: try passMultibyteCharacter(value, at: &place)
      case 0x0A where allowsLineFeeds:
        place += 1
        isLineEnd = true
      case 0x09 where allowsLineFeeds, 0x0D where allowsLineFeeds: place += 1
      case 0..<0x20: throw fault("a control character in a string", at: place)
      default:
        while Self.specialBytes(in: rawWord(at: place)) == 0 { place += 8 }
        place += Self.specialBytes(in: rawWord(at: place)).trailingZeroBitCount >> 3
      }
      if isLineEnd {
        end(&line, &isTooLong)
      } else if line.count + place - position > limit {
        isTooLong = true
        line.removeAll(keepingCapacity: true)
      } else if !isTooLong {
        let part = UnsafeRawBufferPointer(rebasing: window[position..<place])
        if value == 0x5C { line += JSONText.unescape(part) } else { line += part }
      }
      position = place
    }
  }

  private mutating func passEscape(at place: inout Int) throws(ScanFault) {
    guard try require(2, at: &place) else { throw fault("an escape without an end", at: place + 2) }
    switch rawByte(at: place + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      place += 2
    case UInt8(ascii: "u"):
      guard try require(6, at: &place) else {
        throw fault("an escape without an end", at: place + 6)
      }
      for index in 2..<6 where JSONText.hexDigit(rawByte(at: place + index)) == nil {
        throw fault("an escape without four hexadecimal digits", at: place)
      }
      place += 6
    default:
      throw fault("an unknown escape", at: place)
    }
  }

  private mutating func passMultibyteCharacter(
    _ first: UInt8, at place: inout Int
  ) throws(ScanFault) {
    guard (0xC2...0xF4).contains(first) else { throw fault("text that is not UTF-8", at: place) }
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard try require(count, at: &place) else {
      throw fault("text that is not UTF-8", at: place + count)
    }
    let second = rawByte(at: place + 1)
    // The first byte narrows the second: no overlong forms, no surrogates, nothing past U+10FFFF.
    let isValid =
      switch first {
      case 0xE0: second >= 0xA0
      case 0xED: second <= 0x9F
      case 0xF0: second >= 0x90
      case 0xF4: second <= 0x8F
      default: true
      }
    guard isValid else { throw fault("text that is not UTF-8", at: place) }
    for index in 1..<count where rawByte(at: place + index) & 0xC0 != 0x80 {
      throw fault("text that is not UTF-8", at: place)
    }
    place += count
  }

  /// Returns a word whose lowest set bit is in the lowest byte that is a quote, a backslash, a
  /// control character or not ASCII, or 0 if there is none.
  @inline(__always)
  private static func specialBytes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    // Borrows spoil only bytes above the lowest hit, and only the lowest is used.
    let hits =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- ones &* 0x20) & ~word) | word
    return hits & highs
  }
}
