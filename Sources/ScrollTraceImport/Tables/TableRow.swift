import ScrollTraceModel

/// The fields of one table line, in place.
struct TableRow: ~Copyable {
  /// The content of a numeric field.
  enum Number {
    /// No value: the field is empty, has a marker for no value, or is absent.
    case missing
    /// A number, truncated to a whole one.
    case value(Int64)
    /// Something else.
    case invalid
  }

  private var line = UnsafeRawBufferPointer(start: nil, count: 0)
  private var fields: [Range<Int>] = []

  var count: Int { fields.count }

  /// Reads the fields of `line`, which must stay valid while they are used.
  ///
  /// - Returns: Whether every quoted field ends.
  mutating func read(_ line: UnsafeRawBufferPointer, delimiter: UInt8) -> Bool {
    self.line = line
    fields.removeAll(keepingCapacity: true)
    var offset = 0
    while offset <= line.count {
      guard let field = try? Self.field(line, &offset, delimiter, isStrict: false) else {
        return false
      }
      fields.append(field.range)
    }
    return true
  }

  /// Returns the field at `offset`, without its quotes, and whether it contains doubled quotes;
  /// `offset` advances past the delimiter after the field, or one past the line's end.
  ///
  /// - Parameter isStrict: Whether the line follows RFC 4180 exactly: spaces are part of a field,
  ///   and the delimiter directly follows a closing quote.
  static func field(
    _ line: UnsafeRawBufferPointer, _ offset: inout Int, _ delimiter: UInt8, isStrict: Bool
  ) throws(LineFault) -> (range: Range<Int>, hasDoubledQuotes: Bool) {
    if !isStrict, delimiter != 0x20 {
      while offset < line.count, line[offset] == 0x20 { offset += 1 }
    }
    guard offset < line.count, line[offset] == UInt8(ascii: "\"") else {
      let start = offset
      let end = LineBytes.firstIndex(of: delimiter, in: line, from: start)
      offset = end + 1
      return (start..<(isStrict ? end : lastInk(line, start..<end)), false)
    }
    let start = offset + 1
    var hasDoubledQuotes = false
    var end = start
    while true {
      guard end < line.count else {
        throw LineFault("a quoted field does not end on its line", at: start - 1)
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
      throw LineFault("text follows a quoted field", at: end + 1)
    }
    offset = next + 1
    return (start..<end, hasDoubledQuotes)
  }

  /// Returns the bytes of the field at `index`, without quotes, or none if there is no such field.
  func bytes(_ index: Int?) -> UnsafeRawBufferPointer {
    guard let index, fields.indices.contains(index) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(rebasing: line[fields[index]])
  }

  func text(_ index: Int?) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// Returns the number in the field at `index`, times ten to the power of `power`.
  func number(_ index: Int?, timesTenTo power: Int) -> Number {
    let bytes = bytes(index)
    if bytes.isEmpty || bytes.elementsEqual("NA".utf8) || bytes.elementsEqual("N/A".utf8) {
      return .missing
    }
    return JSONNumber.scaled(bytes, timesTenTo: power).map(Number.value) ?? .invalid
  }

  /// Returns the delimiter of a header: the most frequent of comma, semicolon and tab.
  static func delimiter(of line: UnsafeRawBufferPointer) -> UInt8 {
    var commonest = (sign: UInt8(ascii: ","), count: 0)
    for sign in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
      let count = line.count { $0 == sign }
      if count > commonest.count { commonest = (sign, count) }
    }
    return commonest.sign
  }

  /// Returns the end of `range` without trailing spaces and carriage returns.
  private static func lastInk(_ line: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, line[end - 1] == 0x20 || line[end - 1] == 0x0D { end -= 1 }
    return end
  }
}

/// Counts the lines of a table in which a value is missing, and stores why the first one cannot be read.
struct TableFaults {
  private var count = 0
  private var first: (place: String, reason: String)?

  /// Whether every line could be read, except possibly a truncated last one.
  var isEmpty: Bool { first == nil }

  /// Counts the last line read as lost.
  mutating func lose(
    _ reason: String, of lines: borrowing LineReader, in builder: inout TraceBuilder
  ) {
    lose(reason, "", of: lines, in: &builder)
  }

  /// Counts the last line read as lost because of some of its bytes.
  mutating func lose(
    _ fault: LineFault, of lines: borrowing LineReader, in builder: inout TraceBuilder
  ) {
    lose(fault.reason, ", column \(fault.offset + 1)", of: lines, in: &builder)
  }

  private mutating func lose(
    _ reason: String, _ column: @autoclosure () -> String, of lines: borrowing LineReader,
    in builder: inout TraceBuilder
  ) {
    builder.offset = lines.offset
    defer { builder.offset = nil }
    if lines.isUnfinished { return builder.countLoss(.cutAtEnd) }
    builder.countLoss(lines.isTooLong ? .limitReached : .malformedRecord)
    count += 1
    guard first == nil else { return }
    first =
      lines.isTooLong
      ? ("line \(lines.number)", "the line is too long")
      : ("line \(lines.number)\(column())", reason)
  }

  /// Reports the losses once for all lines.
  ///
  /// - Throws: An error if `hasRows` is `false`.
  func finish(hasRows: Bool, in builder: inout TraceBuilder) throws(ImportError) {
    guard let (place, reason) = first else {
      guard hasRows else { throw ImportError("has column names but no rows") }
      return
    }
    guard hasRows else {
      throw ImportError("\(place): \(reason)")
    }
    let more = count > 1 ? ", the first of \(count) such lines" : ""
    builder.addNotice("\(place) cannot be read: \(reason)\(more)")
  }
}
