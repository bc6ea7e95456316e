/// Reads values of JSON out of a line, and checks them against RFC 8259 on the way.
enum JSONLineValue {
  /// A value as `value` gives it; `nil` too where it is none.
  @inline(__always)
  static func quick(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) -> LineRow.Value? {
    guard place < line.count else { return nil }
    let first = line[place]
    if first == UInt8(ascii: "\"") {
      let start = place &+ 1
      let end = LineBytes.stringEnd(line, from: start)
      if end < line.count, line[end] == UInt8(ascii: "\"") {
        place = end &+ 1
        return LineRow.Value(start: start, count: end &- start, kind: .text)
      }
    } else if first &- 0x31 < 9 {
      let end = LineBytes.digitsEnd(line, from: place)
      if end < line.count, line[end] != UInt8(ascii: "."), line[end] | 0x20 != UInt8(ascii: "e") {
        defer { place = end }
        return LineRow.Value(start: place, count: end &- place, kind: .number)
      }
    }
    return (try? value(line, &place, &row)) ?? nil
  }

  /// A value; `nil` for an array or object, which is passed over.
  static func value(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) throws(LineFault) -> LineRow.Value? {
    guard place < line.count else { throw LineFault("a value is missing", at: place) }
    switch line[place] {
    case UInt8(ascii: "\""): return try string(line, &place, &row)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skipContainer(line, &place, &row)
      return nil
    case UInt8(ascii: "t"): return try word("true", .bool, line, &place)
    case UInt8(ascii: "f"): return try word("false", .bool, line, &place)
    case UInt8(ascii: "n"): return try word("null", .null, line, &place)
    default: return try number(line, &place)
    }
  }

  private static func word(
    _ word: StaticString, _ kind: LineRow.Kind, _ line: UnsafeRawBufferPointer,
    _ place: inout Int
  ) throws(LineFault) -> LineRow.Value {
    let count = word.utf8CodeUnitCount
    guard line.count - place >= count,
      line[place..<(place + count)].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: count))
    else { throw LineFault("a value is no JSON", at: place) }
    defer { place += count }
    return LineRow.Value(start: place, count: count, kind: kind)
  }

  private static func number(
    _ line: UnsafeRawBufferPointer, _ place: inout Int
  ) throws(LineFault) -> LineRow.Value {
    let start = place
    func digits() throws(LineFault) {
      let first = place
      place = LineBytes.digitsEnd(line, from: place)
      guard place > first else { throw LineFault("a value is no JSON", at: start) }
    }
    if line[place] == UInt8(ascii: "-") { place += 1 }
    let first = place
    try digits()
    if line[first] == UInt8(ascii: "0"), place > first + 1 {
      throw LineFault("a number begins with 0", at: start)
    }
    if place < line.count, line[place] == UInt8(ascii: ".") {
      place += 1
      try digits()
    }
    if place < line.count, line[place] | 0x20 == UInt8(ascii: "e") {
      place += 1
      if place < line.count, line[place] == UInt8(ascii: "+") || line[place] == UInt8(ascii: "-") {
        place += 1
      }
      try digits()
    }
    return LineRow.Value(start: start, count: place - start, kind: .number)
  }

  /// A string, with its quotes passed over.
  static func string(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) throws(LineFault) -> LineRow.Value {
    try expect("\"", line, &place, "a string is missing")
    let start = place
    let end = LineBytes.stringEnd(line, from: start)
    place = end
    if end < line.count, line[end] == UInt8(ascii: "\\") {
      return try unescape(from: start, line, &place, &row)
    }
    guard place < line.count else { throw LineFault("a string does not end", at: start) }
    place += 1
    return LineRow.Value(start: start, count: place - 1 - start, kind: .text)
  }

  private static func unescape(
    from start: Int, _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) throws(LineFault) -> LineRow.Value {
    var units: [UInt16] = []
    var bytes = [UInt8](line[start..<place])
    func flush() {
      guard !units.isEmpty else { return }
      bytes += String(decoding: units, as: UTF16.self).utf8
      units = []
    }
    while place < line.count, line[place] != UInt8(ascii: "\"") {
      guard line[place] == UInt8(ascii: "\\") else {
        flush()
        bytes.append(line[place])
        place += 1
        continue
      }
      guard place + 1 < line.count else { break }
      let letter = line[place + 1]
      if letter == UInt8(ascii: "u") {
        units.append(try Self.unit(line, place + 2))
        place += 6
        continue
      }
      guard let byte = Self.escapes[letter] else {
        throw LineFault("a string has an escape that JSON does not know", at: place)
      }
      flush()
      bytes.append(byte)
      place += 2
    }
    flush()
    guard place < line.count else { throw LineFault("a string does not end", at: start) }
    place += 1
    row.unescaped.append(String(decoding: bytes, as: UTF8.self))
    return LineRow.Value(start: row.unescaped.count - 1, count: 0, kind: .unescaped)
  }

  private static let escapes: [UInt8: UInt8] = [
    0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
  ]

  private static func unit(
    _ line: UnsafeRawBufferPointer, _ place: Int
  ) throws(LineFault) -> UInt16 {
    guard line.count - place >= 4,
      line[place..<(place + 4)].allSatisfy({
        0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 || 0x61...0x66 ~= $0
      }),
      let unit = UInt16(String(decoding: line[place..<(place + 4)], as: UTF8.self), radix: 16)
    else { throw LineFault("a string has an escape that is cut", at: place - 2) }
    return unit
  }

  /// Passes over an array or object, checking it; no recursion, and a limit to its depth.
  private static func skipContainer(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) throws(LineFault) {
    var closers: [UInt8] = []
    var wantsValue = true
    repeat {
      skipSpace(line, &place)
      guard place < line.count else { throw LineFault("a value does not end", at: place) }
      let byte = line[place]
      if wantsValue, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        guard closers.count < JSONScanner.maximumDepth else {
          throw LineFault("values are nested too deep", at: place)
        }
        closers.append(byte + 2)
        place += 1
        skipSpace(line, &place)
        if place < line.count, line[place] == byte + 2 {
          place += 1
          closers.removeLast()
          wantsValue = false
        } else if byte == UInt8(ascii: "{") {
          try skipKey(line, &place, &row)
        }
        continue
      }
      if wantsValue {
        _ = try value(line, &place, &row)
        wantsValue = false
      } else if byte == closers.last {
        place += 1
        closers.removeLast()
      } else {
        try expect(",", line, &place, "a comma or the end of a value is missing")
        skipSpace(line, &place)
        if closers.last == UInt8(ascii: "}") { try skipKey(line, &place, &row) }
        wantsValue = true
      }
    } while !closers.isEmpty
  }

  private static func skipKey(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) throws(LineFault) {
    _ = try string(line, &place, &row)
    skipSpace(line, &place)
    try expect(":", line, &place, "a colon is missing")
  }

  /// Passes over blanks.
  @inline(__always)
  static func skipSpace(_ line: UnsafeRawBufferPointer, _ place: inout Int) {
    while place < line.count, line[place] == 0x20 || line[place] == 0x09 { place += 1 }
  }

  /// Passes over `sign`.
  ///
  /// - Throws: `complaint` where something else stands there.
  @inline(__always)
  static func expect(
    _ sign: Unicode.Scalar, _ line: UnsafeRawBufferPointer, _ place: inout Int,
    _ complaint: @autoclosure () -> String
  ) throws(LineFault) {
    guard place < line.count, line[place] == UInt8(truncatingIfNeeded: sign.value) else {
      throw LineFault(complaint(), at: place)
    }
    place += 1
  }
}
