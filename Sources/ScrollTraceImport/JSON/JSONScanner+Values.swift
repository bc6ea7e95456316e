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

  /// Passes an object or array with all that is in it, without recursion.
  @inline(never)
  private mutating func passContainer() throws(ScanFault) {
    // One bit for each open container, the innermost lowest: 1 for an object.
    var open: UInt128 = 0
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
        open = open << 1 | (isObject ? 1 : 0)
        let next = try peek()
        if next != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { try passKey() }
          continue
        }
        position &+= 1
        open >>= 1
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
          open >>= 1
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
