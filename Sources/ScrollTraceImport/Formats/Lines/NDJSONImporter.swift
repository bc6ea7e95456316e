package import ScrollTraceModel

/// Reads frames, spans and more from lines of JSON, one object per line, which any host can print.
///
/// The article *Lines of JSON and CSV* of this module describes the keys.
package struct NDJSONImporter: TraceImporter {
  package static let name = "ndjson"
  package static let files = "any app's lines"
  package static let recipe = "print a line of JSON for each frame and span"

  package static let fileEndings = ["ndjson", "jsonl"]

  /// Returns whether the first line is an object that declares this format, or is a frame, span,
  /// mark, counter, interaction, state, hitch, thread or thread state.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      let first = bytes.firstIndex { ![0x20, 0x09, 0x0D, 0x0A, 0xEF, 0xBB, 0xBF].contains($0) }
      guard let first else { return .needMoreBytes }
      guard bytes[first] == UInt8(ascii: "{") else { return .no }
      let end = bytes[first...].firstIndex(of: 0x0A)
      guard end != nil || bytes.count < 1 << 20 else { return .no }
      var line = UnsafeRawBufferPointer(rebasing: bytes[first..<(end ?? bytes.count)])
      if line.last == 0x0D { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
      var row = LineRow()
      var reader = NDJSONLine()
      do throws(LineFault) {
        try reader.read(line, into: &row)
      } catch {
        return end == nil ? .needMoreBytes : .no
      }
      let ours =
        LineKey.kinds | LineKey.scrolltrace.bit | LineKey.thread.bit | LineKey.threadTime.bit
        | LineKey.threadState.bit
      let isChrome = row.extras.contains { LineArgument.chromeKeys.contains(row.text($0.key)) }
      return !isChrome && row.present & ours != 0 ? .yes : .no
    }
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var parser = NDJSONLine()
    var row = LineRow()
    var records = LineRecords(&builder)
    var hasRows = false
    while let line = try lines.next() {
      if line.isEmpty, !lines.isTooLong { continue }
      do throws(LineFault) {
        try parser.read(line, into: &row)
        if row.has(.scrolltrace) {
          try Self.readHeader(&row)
          builder.holdsSeveralRecordings = builder.holdsSeveralRecordings || hasRows
          for key in [LineKey.begin, .end] {
            if let time = try row.time(key).flatMap(Timestamp.init(nanoseconds:)) {
              builder.extend(to: time)
              builder.setsStrayTimesApart = false
              if key == .end { records.isEndDeclared = true }
            }
          }
          for extra in row.extras.reversed() {
            switch LineDetail(rawValue: row.text(extra.key)) {
            case .process: records.setProcessName(row.text(extra.value), in: &builder)
            case .tellsLength: builder.source.hasKnownLength = row.text(extra.value) != "false"
            default: break
            }
          }
          continue
        }
      } catch {
        if !hasRows, Self.isHeaderOfOtherLines(row) {
          throw ImportError("line \(lines.number), column 1: \(error.reason)")
        }
        records.lose(error, row, of: lines, in: &builder)
        continue
      }
      hasRows = true
      records.add(row, of: lines, to: &builder)
    }
    try records.finish(in: &builder)
  }

  private static let version = "ndjson/1"

  /// Returns whether a line is nothing but a header, of another version or with an unknown unit: all lines after it
  /// would be misread.
  private static func isHeaderOfOtherLines(_ row: borrowing LineRow) -> Bool {
    guard row.has(.scrolltrace), row.present & LineKey.kinds == 0 else { return false }
    let version = row.text(.scrolltrace) ?? ""
    return version.hasPrefix("ndjson/") && version != Self.version
      || row.text(.unit).map { LineUnit(rawValue: $0) == nil } ?? false
  }

  private static func readHeader(_ row: inout LineRow) throws(LineFault) {
    guard row.text(.scrolltrace) == version else {
      throw LineFault("only scrolltrace \(version) is supported", at: 0)
    }
    guard let name = row.text(.unit) else { return }
    guard let unit = LineUnit(rawValue: name) else {
      throw LineFault("the unit must be ns, us, ms or s", at: 0)
    }
    for key in LineKey.allCases where key.isTime { row.powers[key.rawValue] = unit.power }
  }
}

/// Reads one JSON object into a row and checks it against RFC 8259.
struct NDJSONLine: ~Copyable {
  private let keys = LineKeyTable()
  private var shapes = LineShapes()
  /// The shape of the line that is being read, or `nil` if it cannot be stored.
  private var shape: [LineShapes.Segment]?
  private var scanner = JSONScanner(MemoryByteSource([]), blockSize: 1 << 12)

  init() {
    // Strings can contain tabs; other control characters are rejected before.
    scanner.allowsLineFeeds = true
  }

  /// Reads `line`, which must contain an object and nothing else.
  mutating func read(_ line: UnsafeRawBufferPointer, into row: inout LineRow) throws(LineFault) {
    row.reset(line)
    try Self.checkText(line)
    guard !shapes.read(line, into: &row, &scanner) else { return }
    shape = shapes.hasRoom ? [] : nil
    scanner.restart(with: line)
    let offset = try readObject(into: &row)
    guard var shape else { return }
    shape.append(.init(start: offset, count: line.count - offset, content: .end))
    shapes.add(shape, of: line)
  }

  /// Reads the object and returns the position after its last value.
  private mutating func readObject(into row: inout LineRow) throws(LineFault) -> Int {
    var last = 0
    try pass(UInt8(ascii: "{"), "it is not a JSON object")
    if try peek() != UInt8(ascii: "}") {
      while true {
        try readMember(from: last, &row)
        last = scanner.position
        if try peek() == UInt8(ascii: "}") { break }
        try pass(
          UInt8(ascii: ","),
          scanner.isAtEnd ? "the object does not end" : "a comma or the object's end is missing")
      }
    }
    scanner.position += 1
    guard try peek() == 0, scanner.isAtEnd else {
      throw LineFault("text follows the object", at: scanner.position)
    }
    return last
  }

  /// Reads a key and its value; the text between the previous value and them starts at `start`.
  private mutating func readMember(from start: Int, _ row: inout LineRow) throws(LineFault) {
    guard try peek() == UInt8(ascii: "\""), let name = try value(&row) else {
      throw LineFault("a string is missing", at: scanner.position)
    }
    // Only the exact spelling: others are the host's own keys.
    let key = name.kind == .text ? keys.key(row.bytes(of: name)) : nil
    try pass(UInt8(ascii: ":"), "a colon is missing")
    guard try peek() != 0 else { throw LineFault("a value is missing", at: scanner.position) }
    let count = scanner.position - start
    guard let value = try value(&row) else {
      shape = nil
      return
    }
    if let key {
      guard !row.has(key) else { throw LineFault("\(key) is repeated", at: name.start) }
      if value.kind != .null { row.set(key, value) }
      shape?.append(.init(start: start, count: count, content: .value(key)))
    } else {
      row.extras.append(LineRow.Extra(key: name, value: value))
      if name.kind == .unescaped { shape = nil }
      shape?.append(
        .init(
          start: start, count: count,
          content: .extra(start: name.start - start, count: name.count)))
    }
  }

  private mutating func value(_ row: inout LineRow) throws(LineFault) -> LineRow.Value? {
    try scan { (scanner) throws(ScanFault) in try scanner.passLineValue(&row) }
  }

  private mutating func peek() throws(LineFault) -> UInt8 {
    try scan { (scanner) throws(ScanFault) in try scanner.peek() }
  }

  /// Passes `sign`.
  ///
  /// - Throws: `complaint` if there is another character.
  private mutating func pass(_ sign: UInt8, _ complaint: String) throws(LineFault) {
    guard try peek() == sign else { throw LineFault(complaint, at: scanner.position) }
    scanner.position += 1
  }

  /// Returns the result of `body` and converts a scanner fault into one of the line.
  @inline(__always)
  private mutating func scan<Result>(
    _ body: (inout JSONScanner) throws(ScanFault) -> Result
  ) throws(LineFault) -> Result {
    do throws(ScanFault) {
      return try body(&scanner)
    } catch {
      throw LineFault(
        error.kind == .cutAtEnd ? "a value does not end" : error.reason,
        at: Int(truncatingIfNeeded: error.offset))
    }
  }

  /// Rejects control characters and invalid UTF-8.
  private static func checkText(_ line: UnsafeRawBufferPointer) throws(LineFault) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var offset = 0
    while line.count - offset >= 8 {
      let word = line.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      high |= word
      // A byte below 0x20 borrows from its highest bit.
      low |= (word &- 0x2020_2020_2020_2020) & ~word
      offset += 8
    }
    var rest: UInt8 = 0
    var mayHaveControl = low & 0x8080_8080_8080_8080 != 0
    while offset < line.count {
      rest |= line[offset]
      mayHaveControl = mayHaveControl || line[offset] < 0x20
      offset += 1
    }
    let hasControl = mayHaveControl && line.contains { $0 < 0x20 && $0 != 0x09 }
    guard !hasControl else {
      let offset = line.firstIndex { $0 < 0x20 && $0 != 0x09 } ?? 0
      throw LineFault("the line contains a control character", at: offset)
    }
    if high & 0x8080_8080_8080_8080 != 0 || rest >= 0x80, !line.isUTF8 {
      throw LineFault("the text is not UTF-8", at: line.firstIndex { $0 >= 0x80 } ?? 0)
    }
  }
}

extension JSONScanner {
  /// Passes the value that starts here; returns `nil` for an array or object.
  mutating func passLineValue(_ row: inout LineRow) throws(ScanFault) -> LineRow.Value? {
    _ = try peek()
    let start = position
    switch try passValue() {
    case .plainString:
      return LineRow.Value(start: start + 1, count: position - start - 2, kind: .text)
    case .escapedString:
      let raw = UnsafeRawBufferPointer(rebasing: window[(start + 1)..<(position - 1)])
      row.unescaped.append(String(decoding: JSONText.unescape(raw), as: UTF8.self))
      return LineRow.Value(start: row.unescaped.count - 1, count: 0, kind: .unescaped)
    case .number: return LineRow.Value(start: start, count: position - start, kind: .number)
    case .literal:
      let isNull = rawByte(at: start) == UInt8(ascii: "n")
      return LineRow.Value(start: start, count: position - start, kind: isNull ? .null : .bool)
    case .object, .array, .missing: return nil
    }
  }
}
