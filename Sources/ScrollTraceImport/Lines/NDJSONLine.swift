import ScrollTraceFormat

/// Reads one JSON object into a row, and checks it against RFC 8259 on the way.
struct NDJSONLine {
  /// The keys that stood at each place of the lines before: the next line's are mostly the same.
  private var known: [LineKey] = []

  /// Reads `line`, which holds an object and nothing else.
  mutating func read(_ line: UnsafeRawBufferPointer, into row: inout LineRow) throws(LineFault) {
    row.reset(line)
    var place = 0
    try Self.checkText(line)
    skipSpace(line, &place)
    try expect("{", line, &place, "it is no JSON object")
    skipSpace(line, &place)
    var index = 0
    if place < line.count, line[place] == UInt8(ascii: "}") {
      place += 1
    } else {
      while true {
        try readMember(index, line, &place, &row)
        index += 1
        skipSpace(line, &place)
        guard place < line.count else { throw LineFault("the object does not end", at: place) }
        if line[place] == UInt8(ascii: "}") { break }
        try expect(",", line, &place, "a comma or the object's end is missing")
        skipSpace(line, &place)
      }
      place += 1
    }
    skipSpace(line, &place)
    guard place == line.count else { throw LineFault("something follows the object", at: place) }
  }

  private mutating func readMember(
    _ index: Int, _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) throws(LineFault) {
    let name = try string(line, &place, &row)
    let key = key(of: name, index, row)
    skipSpace(line, &place)
    try expect(":", line, &place, "a colon is missing")
    skipSpace(line, &place)
    guard let value = try value(line, &place, &row) else { return }
    if let key {
      guard !row.has(key) else { throw LineFault("\(key) is there twice", at: name.start) }
      if value.kind != .null { row.set(key, value) }
    } else {
      row.extras.append(LineRow.Extra(key: name, value: value))
    }
  }

  private mutating func key(
    of name: LineRow.Value, _ index: Int, _ row: LineRow
  ) -> LineKey? {
    guard name.kind == .text else { return nil }
    let bytes = row.bytes(of: name)
    if index < known.count, known[index].isSpelled(bytes) { return known[index] }
    // Exactly as described: other spellings are the host's own words.
    guard let key = LineKey.allCases.first(where: { $0.isSpelled(bytes) }) else { return nil }
    if index < known.count {
      known[index] = key
    } else if index == known.count, index < LineKey.allCases.count {
      known.append(key)
    }
    return key
  }

  // MARK: - Values

  /// A value; `nil` for an array or object, which is passed over.
  private func value(
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

  private func word(
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

  private func number(
    _ line: UnsafeRawBufferPointer, _ place: inout Int
  ) throws(LineFault) -> LineRow.Value {
    let start = place
    func digits() throws(LineFault) {
      let first = place
      while place < line.count, line[place] &- 0x30 < 10 { place += 1 }
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

  private func string(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) throws(LineFault) -> LineRow.Value {
    try expect("\"", line, &place, "a string is missing")
    let start = place
    var end = start
    while end < line.count, line[end] != UInt8(ascii: "\""), line[end] != UInt8(ascii: "\\") {
      end += 1
    }
    place = end
    if end < line.count, line[end] == UInt8(ascii: "\\") {
      return try unescape(from: start, line, &place, &row)
    }
    guard place < line.count else { throw LineFault("a string does not end", at: start) }
    place += 1
    return LineRow.Value(start: start, count: place - 1 - start, kind: .text)
  }

  private func unescape(
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
  private func skipContainer(
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

  private func skipKey(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow
  ) throws(LineFault) {
    _ = try string(line, &place, &row)
    skipSpace(line, &place)
    try expect(":", line, &place, "a colon is missing")
  }

  // MARK: - Bytes

  /// Refuses control characters and bytes that are no UTF-8.
  private static func checkText(_ line: UnsafeRawBufferPointer) throws(LineFault) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var place = 0
    while line.count - place >= 8 {
      let word = line.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      high |= word
      // A byte below 0x20 borrows from its highest bit.
      low |= (word &- 0x2020_2020_2020_2020) & ~word
      place += 8
    }
    var rest: UInt8 = 0
    var mayHaveControl = low & 0x8080_8080_8080_8080 != 0
    while place < line.count {
      rest |= line[place]
      mayHaveControl = mayHaveControl || line[place] < 0x20
      place += 1
    }
    let hasControl = mayHaveControl && line.contains { $0 < 0x20 && $0 != 0x09 }
    guard !hasControl else {
      let place = line.firstIndex { $0 < 0x20 && $0 != 0x09 } ?? 0
      throw LineFault("there is a control character", at: place)
    }
    if high & 0x8080_8080_8080_8080 != 0 || rest >= 0x80,
      String(validating: line, as: UTF8.self) == nil
    {
      throw LineFault("the text is no UTF-8", at: line.firstIndex { $0 >= 0x80 } ?? 0)
    }
  }

  @inline(__always)
  private func skipSpace(_ line: UnsafeRawBufferPointer, _ place: inout Int) {
    while place < line.count, line[place] == 0x20 || line[place] == 0x09 { place += 1 }
  }

  @inline(__always)
  private func expect(
    _ sign: Unicode.Scalar, _ line: UnsafeRawBufferPointer, _ place: inout Int,
    _ complaint: @autoclosure () -> String
  ) throws(LineFault) {
    guard place < line.count, line[place] == UInt8(truncatingIfNeeded: sign.value) else {
      throw LineFault(complaint(), at: place)
    }
    place += 1
  }
}
