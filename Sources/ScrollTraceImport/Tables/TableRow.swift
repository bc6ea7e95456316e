import ScrollTraceModel

/// The fields of one line of a table, where they lie.
struct TableRow: ~Copyable {
  /// What stands in a field where a number is wanted.
  enum Number {
    /// Nothing: the field is empty, says so itself, or is not there.
    case missing
    /// A number, cut to a whole one.
    case value(Int64)
    /// Something else.
    case invalid
  }

  private var line = UnsafeRawBufferPointer(start: nil, count: 0)
  private var fields: [Range<Int>] = []

  /// How many fields the line has.
  var count: Int { fields.count }

  /// Takes the fields of `line`, which must stay where it is while they are looked at.
  ///
  /// - Returns: Whether every field in quotes ends.
  mutating func read(_ line: UnsafeRawBufferPointer, delimiter: UInt8) -> Bool {
    self.line = line
    fields.removeAll(keepingCapacity: true)
    var place = 0
    while place <= line.count {
      guard let field = try? Self.field(line, &place, delimiter, isStrict: false) else {
        return false
      }
      fields.append(field.range)
    }
    return true
  }

  /// The field at `place`, without its quotes, and whether quotes in it are doubled; `place` moves
  /// behind the delimiter after the field, or one behind the line's end.
  ///
  /// - Parameter isStrict: Whether the line follows RFC 4180 to the letter: blanks are part of a field,
  ///   and nothing stands between a closing quote and the delimiter.
  static func field(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ delimiter: UInt8, isStrict: Bool
  ) throws(LineFault) -> (range: Range<Int>, hasDoubledQuotes: Bool) {
    if !isStrict, delimiter != 0x20 {
      while place < line.count, line[place] == 0x20 { place += 1 }
    }
    guard place < line.count, line[place] == UInt8(ascii: "\"") else {
      let start = place
      let end = LineBytes.firstIndex(of: delimiter, in: line, from: start)
      place = end + 1
      return (start..<(isStrict ? end : lastInk(line, start..<end)), false)
    }
    let start = place + 1
    var hasDoubledQuotes = false
    var end = start
    while true {
      guard end < line.count else {
        throw LineFault("a field in quotes does not end on its line", at: start - 1)
      }
      if line[end] == UInt8(ascii: "\"") {
        guard end + 1 < line.count, line[end + 1] == UInt8(ascii: "\"") else { break }
        hasDoubledQuotes = true
        end += 1
      }
      end += 1
    }
    let next = LineBytes.firstIndex(of: delimiter, in: line, from: end + 1)
    guard !isStrict || next == end + 1 else {
      throw LineFault("something follows a field in quotes", at: end + 1)
    }
    place = next + 1
    return (start..<end, hasDoubledQuotes)
  }

  /// The bytes of the field at `index`, without quotes; none where there is no such field.
  func bytes(_ index: Int?) -> UnsafeRawBufferPointer {
    guard let index, fields.indices.contains(index) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(rebasing: line[fields[index]])
  }

  /// The text of the field at `index`.
  func text(_ index: Int?) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// The number in the field at `index`, times ten to the power of `power`.
  func number(_ index: Int?, timesTenTo power: Int) -> Number {
    let bytes = bytes(index)
    if bytes.isEmpty || bytes.elementsEqual("NA".utf8) || bytes.elementsEqual("N/A".utf8) {
      return .missing
    }
    return JSONNumber.scaled(bytes, timesTenTo: power).map(Number.value) ?? .invalid
  }

  /// The delimiter of a line of names: comma, semicolon or tab, whichever is there most.
  static func delimiter(of line: UnsafeRawBufferPointer) -> UInt8 {
    var most = (sign: UInt8(ascii: ","), count: 0)
    for sign in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
      let count = line.count { $0 == sign }
      if count > most.count { most = (sign, count) }
    }
    return most.sign
  }

  /// The end of `range` without the blanks and carriage returns before it.
  private static func lastInk(_ line: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, line[end - 1] == 0x20 || line[end - 1] == 0x0D { end -= 1 }
    return end
  }
}

/// Counts missing values in a table's lines, and stores the first place.
struct TableFaults {
  private var count = 0
  private var first: (line: Int, reason: String)?

  /// Whether every line could be read, but perhaps a last one that was cut.
  var isEmpty: Bool { first == nil }

  /// Counts the line that was read last as lost.
  mutating func lose(
    _ reason: String, of lines: borrowing LineReader, in builder: inout TraceBuilder
  ) {
    builder.offset = lines.offset
    defer { builder.offset = nil }
    if lines.isUnfinished { return builder.countLoss(.cutAtEnd) }
    builder.countLoss(lines.isTooLong ? .limitReached : .malformedRecord)
    count += 1
    if first == nil { first = (lines.number, lines.isTooLong ? "the line is too long" : reason) }
  }

  /// Says what was lost, once for all lines.
  ///
  /// - Throws: Where `hasRows` says that nothing else was there.
  func finish(hasRows: Bool, in builder: inout TraceBuilder) throws(ImportError) {
    guard let (line, reason) = first else {
      guard hasRows else { throw ImportError("holds no row under the names of its columns") }
      return
    }
    guard hasRows else {
      throw ImportError("line \(line): \(reason)", advice: "see the format's description")
    }
    let more = count > 1 ? ", the first of \(count) such lines" : ""
    builder.addNotice(.source("line \(line) cannot be read: \(reason)\(more)"))
  }
}
