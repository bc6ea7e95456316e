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
      while place < line.count, line[place] == 0x20, delimiter != 0x20 { place += 1 }
      guard place < line.count, line[place] == UInt8(ascii: "\"") else {
        let end = LineBytes.firstIndex(of: delimiter, in: line, from: place)
        fields.append(place..<Self.lastInk(line, place..<end))
        place = end + 1
        continue
      }
      let start = place + 1
      place = start
      while place < line.count {
        if line[place] == UInt8(ascii: "\"") {
          guard place + 1 < line.count, line[place + 1] == UInt8(ascii: "\"") else { break }
          place += 1
        }
        place += 1
      }
      guard place < line.count else { return false }
      fields.append(start..<place)
      place = LineBytes.firstIndex(of: delimiter, in: line, from: place + 1) + 1
    }
    return true
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
