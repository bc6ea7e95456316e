import CImportShims
import ScrollTraceModel

/// The columns of a CSV file, and the way its rows are read.
///
/// RFC 4180, with a semicolon or tab instead of the comma if the first line uses it. A quoted field
/// must end on its line.
struct CSVHeader {
  /// The keys of the columns, `nil` for unknown ones.
  private let keys: [LineKey?]
  private let spellings = LineKeyTable()
  private let names: [String]
  private let powers: [Int]
  private let delimiter: UInt8
  /// The name of a repeated column, or `nil`.
  let repeated: String?

  /// Creates the columns that `line` names, or returns `nil` if it is not text.
  init?(_ line: UnsafeRawBufferPointer) {
    guard !line.isEmpty, !line.contains(where: { $0 < 0x20 && $0 != 0x09 }),
      line.isUTF8
    else { return nil }
    delimiter = TableRow.delimiter(of: line)
    var keys: [LineKey?] = []
    var names: [String] = []
    var powers: [Int] = []
    var repeated: String?
    var row = LineRow()
    row.reset(line)
    var offset = 0
    while offset <= line.count {
      guard let field = try? Self.field(line, &offset, delimiter, &row) else { return nil }
      let name = row.text(field)
      let unit = LineUnit.allCases.first { name.lowercased().hasSuffix("_\($0)") }
      let bare = unit.map { String(name.dropLast($0.rawValue.count + 1)) } ?? name
      let key = LineKey(name: bare) ?? LineKey(name: name)
      if let key, keys.contains(key) { repeated = name }
      keys.append(key)
      names.append(name)
      powers.append(unit?.power ?? 0)
    }
    self.keys = keys
    self.names = names
    self.powers = powers
    self.repeated = repeated
  }

  /// Whether the columns include those of frames or of kinds, and of times.
  var isOurs: Bool { missing.isEmpty }

  /// A usual column of each of these kinds that the table lacks.
  var missing: [String] {
    let times: [LineKey] = [.begin, .commitStart, .commitEnd, .presented, .at]
    let what: [LineKey] = [.frame, .kind, .span]
    func has(_ wanted: [LineKey]) -> Bool { keys.contains { $0.map(wanted.contains) ?? false } }
    return (has(what) ? [] : ["frame"]) + (has(times) ? [] : ["begin"])
  }

  var row: LineRow {
    var row = LineRow()
    row.headers = names
    for (index, key) in keys.enumerated() {
      if let key { row.powers[key.rawValue] = powers[index] }
    }
    return row
  }

  /// Reads `line`, after which `LineReader.spareCount` bytes are readable, into a row of this
  /// header.
  func read(_ line: UnsafeRawBufferPointer, into row: inout LineRow) throws(LineFault) {
    row.reset(line)
    var count = try readPlainly(line, into: &row)
    if count == nil { count = try readFields(line, into: &row) }
    guard let count, count == keys.count else {
      throw LineFault(fieldCount: count ?? 0, columnCount: keys.count)
    }
    try setKind(&row)
  }

  /// Reads a line without quotes and returns its number of fields, or `nil` for any other line.
  @inline(__always)
  private func readPlainly(
    _ line: UnsafeRawBufferPointer, into row: inout LineRow
  ) throws(LineFault) -> Int? {
    guard let start = line.baseAddress else { return nil }
    var index = 0
    var first = 0
    var offset = 0
    while offset < line.count {
      let bytes = start + offset
      let rest = line.count &- offset
      let all = rest >= 64 ? UInt64.max : (1 &<< UInt64(truncatingIfNeeded: rest)) &- 1
      let needLook = scrolltrace_mask_of(bytes, UInt8(ascii: "\"")) | scrolltrace_mask_of(bytes, 0)
      guard needLook & all == 0 else {
        row.reset(line)
        return nil
      }
      var ends = scrolltrace_mask_of(bytes, delimiter) & all
      while ends != 0 {
        let end = offset &+ ends.trailingZeroBitCount
        try set(index, LineRow.Value(start: first, count: end &- first, kind: .text), &row)
        ends &= ends &- 1
        first = end &+ 1
        index &+= 1
      }
      offset &+= 64
    }
    try set(index, LineRow.Value(start: first, count: line.count &- first, kind: .text), &row)
    return index &+ 1
  }

  private func readFields(
    _ line: UnsafeRawBufferPointer, into row: inout LineRow
  ) throws(LineFault) -> Int {
    if let zero = line.firstIndex(of: 0) { throw LineFault("the line has a zero byte", at: zero) }
    var offset = 0
    var index = 0
    while offset <= line.count {
      try set(index, try Self.field(line, &offset, delimiter, &row), &row)
      index += 1
    }
    return index
  }

  /// Sets the value of a column, unless it is empty.
  @inline(__always)
  private func set(
    _ index: Int, _ field: LineRow.Value, _ row: inout LineRow
  ) throws(LineFault) {
    guard index < keys.count else {
      throw LineFault("the row has more fields than columns", at: field.start)
    }
    guard field.count > 0 || field.kind == .unescaped else { return }
    if let key = keys[index] {
      row.set(key, field)
    } else {
      let name = LineRow.Value(start: index, count: 0, kind: .null)
      row.extras.append(LineRow.Extra(key: name, value: Self.typed(field, in: row.bytes)))
    }
  }

  /// Sets the row's kind from its column `kind`, with the name in its column `name`.
  private func setKind(_ row: inout LineRow) throws(LineFault) {
    guard row.has(.kind) else { return }
    let kind = row[.kind]
    guard kind.kind != .unescaped, let key = spellings.key(row.bytes(of: kind)),
      key.bit & (LineKey.kinds | LineKey.thread.bit) != 0
    else {
      throw LineFault(
        "the kind must be frame, span, mark, counter, interaction, state, hitch or thread",
        at: kind.start)
    }
    // Other rows name threads too.
    if key != .thread { row.present &= ~(LineKey.kinds & ~key.bit) }
    if key == .frame || (key == .hitch && !row.has(.name)) {
      if !row.has(key) { row.set(key, LineRow.Value(start: 0, count: 0, kind: .null)) }
    } else if !row.has(key) {
      guard row.has(.name) else { throw LineFault("the \(key) has no name", at: 0) }
      row.set(key, row[.name])
    }
  }

  /// Returns the field at `offset`, which advances past the delimiter after it, or one past the
  /// line's end.
  private static func field(
    _ line: UnsafeRawBufferPointer, _ offset: inout Int, _ delimiter: UInt8, _ row: inout LineRow
  ) throws(LineFault) -> LineRow.Value {
    let (range, hasDoubledQuotes) = try TableRow.field(line, &offset, delimiter, isStrict: true)
    guard hasDoubledQuotes else {
      return LineRow.Value(start: range.lowerBound, count: range.count, kind: .text)
    }
    var isSecond = false
    let text = line[range].filter { byte in
      isSecond = byte == UInt8(ascii: "\"") && !isSecond
      return !isSecond
    }
    row.unescaped.append(String(decoding: text, as: UTF8.self))
    return LineRow.Value(start: row.unescaped.count - 1, count: 0, kind: .unescaped)
  }

  /// Returns a field of an unknown column, as a number if it looks like one.
  private static func typed(
    _ field: LineRow.Value, in line: UnsafeRawBufferPointer
  ) -> LineRow.Value {
    guard field.kind == .text else { return field }
    let bytes = UnsafeRawBufferPointer(rebasing: line[field.start..<(field.start + field.count)])
    var field = field
    if JSONNumber.integer(bytes) != nil || JSONNumber.double(bytes) != nil { field.kind = .number }
    return field
  }
}
