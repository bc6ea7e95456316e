import ScrollTraceModel

/// The values of one line, in place.
struct LineRow: ~Copyable {
  enum Kind: UInt8 {
    case text, number, bool, null
    /// A string with escapes, decoded in `unescaped`.
    case unescaped
  }

  /// The bytes of a value, without quotes.
  struct Value {
    var start = 0
    var count = 0
    var kind = Kind.null
  }

  /// A value with an unknown key.
  struct Extra {
    var key: Value
    var value: Value
  }

  /// The bytes of the line; valid until the next is read.
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The values by key, each valid only if its bit in `present` is set.
  private let values: UnsafeMutableBufferPointer<Value>
  /// The set of present keys; `null` and empty values are absent.
  var present: UInt32 = 0
  /// The values with unknown keys.
  var extras: [Extra] = []
  /// The number of extras before the item, if that is present.
  private(set) var itemIndex = 0
  /// The decoded strings that had escapes.
  var unescaped: [String] = []
  /// The power of ten of each time's unit.
  var powers = [Int](repeating: 0, count: LineKey.allCases.count)
  /// The keys that are the same in every line: a table's header.
  var headers: [String] = []

  init() {
    values = .allocate(capacity: LineKey.allCases.count)
    values.initialize(repeating: Value())
  }

  deinit { values.deallocate() }

  /// The value of a key, or that of an earlier line if the key is absent.
  @inline(__always)
  subscript(key: LineKey) -> Value { values[key.rawValue] }

  mutating func reset(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    present = 0
    if !extras.isEmpty { extras.removeAll(keepingCapacity: true) }
    if !unescaped.isEmpty { unescaped.removeAll(keepingCapacity: true) }
  }

  @inline(__always)
  func has(_ key: LineKey) -> Bool { present & key.bit != 0 }

  @inline(__always)
  mutating func set(_ key: LineKey, _ value: Value) {
    values[key.rawValue] = value
    present |= key.bit
    if case .item = key { itemIndex = extras.count }
  }

  @inline(__always)
  func bytes(of value: Value) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[value.start..<(value.start + value.count)])
  }

  /// Returns the bytes of a present value, or `nil` if they had escapes.
  @inline(__always)
  func plainBytes(_ key: LineKey) -> UnsafeRawBufferPointer? {
    let value = self[key]
    return value.kind == .unescaped ? nil : bytes(of: value)
  }

  func text(_ key: LineKey) -> String? { has(key) ? text(self[key]) : nil }

  func text(_ value: Value) -> String {
    value.kind == .unescaped
      ? unescaped[value.start] : String(decoding: bytes(of: value), as: UTF8.self)
  }

  /// Returns a time in nanoseconds, or `nil` if there is none.
  ///
  /// - Throws: An error if the value is not a time.
  func time(_ key: LineKey) throws(LineFault) -> Int64? {
    guard has(key) else { return nil }
    let value = self[key]
    guard value.kind == .number || value.kind == .text,
      let time = JSONNumber.scaled(bytes(of: value), timesTenTo: powers[key.rawValue])
    else { throw LineFault("\(key) is not a time", at: value.start) }
    return time
  }

  /// Returns a nonnegative whole number, or `nil` if there is none.
  func number(_ key: LineKey) throws(LineFault) -> UInt64? {
    guard has(key) else { return nil }
    let value = self[key]
    if value.kind != .unescaped {
      if let number = JSONNumber.integer(bytes(of: value)), number >= 0 { return UInt64(number) }
      if let number = JSONNumber.unsigned(bytes(of: value)) { return number }
    }
    throw LineFault("\(key) is not a whole number of at least 0", at: value.start)
  }
}

/// The reason a line cannot be read.
struct LineFault: Error {
  var reason: String
  /// The offset in the line, in bytes.
  var offset: Int

  /// Creates a fault caused by the bytes at `offset`.
  init(_ reason: String, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// Creates the fault of a table's row that has too few or too many fields.
  init(fieldCount: Int, columnCount: Int) {
    let fields = fieldCount == 1 ? "is 1 field" : "are \(fieldCount) fields"
    let columns = columnCount == 1 ? "1 column" : "\(columnCount) columns"
    self.init("there \(fields) for \(columns)", at: 0)
  }
}

/// The keys as the readers of lines and tables find them.
extension LineKey {
  /// Creates the key with a name; letter case, `_` and `-` are ignored.
  init?(name: String) {
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    if let alias = Self.aliases[plain] {
      self = alias
    } else if let key = Self.allCases.first(where: {
      $0.isColumn && $0.description.lowercased() == plain
    }) {
      self = key
    } else {
      return nil
    }
  }

  private static let aliases: [String: LineKey] = [
    "start": .begin, "refreshinterval": .interval, "time": .at, "timestamp": .at,
    "framenumber": .frame, "ismain": .main,
  ]

  /// Whether the value is a time or a duration, so that the unit applies.
  var isTime: Bool { (LineKey.begin.rawValue...LineKey.at.rawValue).contains(rawValue) }

  /// Whether it can be a column: other tables use the remaining names with other meanings.
  private var isColumn: Bool { self != .threadTime && self != .threadState }

  @inline(__always)
  var bit: UInt32 { 1 &<< UInt32(rawValue) }

  /// The bits of the keys that say what a line or row is about.
  @inline(__always)
  static var kinds: UInt32 {
    frame.bit | span.bit | mark.bit | counter.bit | interaction.bit | state.bit | hitch.bit
  }
}

/// Finds the keys that bytes spell.
struct LineKeyTable {
  /// A spelling of up to 16 bytes; those of one length have different words.
  private struct Spelling {
    let first: UInt64
    let last: UInt64
    let key: LineKey

    @inline(__always)
    init(_ start: UnsafeRawPointer, count: Int, _ key: LineKey) {
      (first, last) = LineKeyTable.words(start, count: count)
      self.key = key
    }
  }

  /// The spellings in ascending order of length.
  private let spellings: [Spelling]
  /// The position of the first spelling of each length, and behind the last one.
  private let starts: [Int]

  init() {
    var keys = LineKey.allCases.map { (spelling: Array("\($0)".utf8), key: $0) }
    keys += LineKey.synonyms.map { (Array($0.key.utf8), $0.value) }
    keys.sort { $0.spelling.count < $1.spelling.count }
    spellings = keys.compactMap { spelling, key in
      spelling.withUnsafeBytes { bytes in
        bytes.baseAddress.map { Spelling($0, count: bytes.count, key) }
      }
    }
    starts = (0...17).map { length in
      keys.firstIndex { $0.spelling.count >= length } ?? keys.count
    }
  }

  /// Returns the key that `bytes` spell, or `nil` if they are the host's own.
  @inline(__always)
  func key(_ bytes: UnsafeRawBufferPointer) -> LineKey? {
    guard bytes.count <= 16, let start = bytes.baseAddress else { return nil }
    let (first, last) = Self.words(start, count: bytes.count)
    for index in starts[bytes.count]..<starts[bytes.count + 1] {
      let spelling = spellings[index]
      if spelling.first == first, spelling.last == last { return spelling.key }
    }
    return nil
  }

  /// Returns the first and the last eight bytes, which may overlap, or all of fewer bytes.
  @inline(__always)
  private static func words(_ start: UnsafeRawPointer, count: Int) -> (UInt64, UInt64) {
    guard count >= 8 else { return (LineBytes.shortWord(start, count: count), 0) }
    return (LineBytes.word(start), LineBytes.word(start + (count &- 8)))
  }
}

/// The unit of the times in a file of lines.
enum LineUnit: String, CaseIterable {
  case ns, us, ms, s

  /// The power of ten that converts a number to nanoseconds.
  var power: Int {
    switch self {
    case .ns: 0
    case .us: 3
    case .ms: 6
    case .s: 9
    }
  }
}

/// The structure of earlier lines: hosts print most lines with one statement, so that only the
/// values differ.
///
/// A line with the same bytes between its values also has the same grammar and keys, so only its
/// values are read.
struct LineShapes: ~Copyable {
  /// The bytes before a value, and the kind of the value.
  struct Segment {
    /// The content after the bytes.
    enum Content {
      case value(LineKey)
      /// The value of an unknown key; the key's position is relative to the first byte.
      case extra(start: Int, count: Int)
      case end
    }

    /// The position and the number of the bytes.
    var start: Int
    var count: Int
    var content: Content
  }

  /// The maximum number of shapes; a host whose keys come in any order exceeds it.
  private static let maximumCount = 16

  /// The bytes of all segments, each padded to whole words.
  private var bytes: [UInt8] = []
  private var segments: [Segment] = []
  private var shapes: [Range<Int>] = []
  private var last = 0

  /// Whether another shape can be stored.
  var hasRoom: Bool { shapes.count < Self.maximumCount }

  /// Stores the shape of a line, with segments given by their positions in it.
  mutating func add(_ shape: [Segment], of line: UnsafeRawBufferPointer) {
    guard hasRoom else { return }
    let first = segments.count
    for var segment in shape {
      let start = bytes.count
      bytes += line[segment.start..<(segment.start + segment.count)]
      while bytes.count % 8 != 0 { bytes.append(0) }
      segment.start = start
      segments.append(segment)
    }
    last = shapes.count
    shapes.append(first..<segments.count)
  }

  /// Reads a line that has one of the shapes; otherwise, `row` is equivalent to a reset one.
  mutating func read(
    _ line: UnsafeRawBufferPointer, into row: inout LineRow, _ scanner: inout JSONScanner
  ) -> Bool {
    guard !shapes.isEmpty else { return false }
    var index = last
    repeat {
      if read(line, as: shapes[index], into: &row, &scanner) {
        last = index
        return true
      }
      row.reset(line)
      index = index + 1 == shapes.count ? 0 : index + 1
    } while index != last
    return false
  }

  private func read(
    _ line: UnsafeRawBufferPointer, as shape: Range<Int>, into row: inout LineRow,
    _ scanner: inout JSONScanner
  ) -> Bool {
    bytes.withUnsafeBytes { bytes in
      segments.withUnsafeBufferPointer { segments in
        var offset = 0
        for segment in segments[shape] {
          let start = offset
          guard line.has(bytes, segment.start, segment.count, at: offset) else { return false }
          offset += segment.count
          switch segment.content {
          case .value(let key):
            // A null value in the first line of this shape can hide a repeated key.
            guard !row.has(key), let value = Self.value(line, &offset, &row, &scanner) else {
              return false
            }
            if value.kind != .null { row.set(key, value) }
          case .extra(let keyStart, let count):
            guard let value = Self.value(line, &offset, &row, &scanner) else { return false }
            let name = LineRow.Value(start: start + keyStart, count: count, kind: .text)
            row.extras.append(LineRow.Extra(key: name, value: value))
          case .end: return offset == line.count
          }
        }
        return false
      }
    }
  }
}

extension LineShapes {
  /// Returns the value at `offset`, or `nil` if there is none or it is an array or object.
  @inline(__always)
  fileprivate static func value(
    _ line: UnsafeRawBufferPointer, _ offset: inout Int, _ row: inout LineRow,
    _ scanner: inout JSONScanner
  ) -> LineRow.Value? {
    guard offset < line.count else { return nil }
    let start = offset
    // Nearly all values are strings without escapes, or digits only.
    if line[start] == UInt8(ascii: "\"") {
      let end = LineBytes.stringEnd(line, from: start &+ 1)
      if end < line.count, line[end] == UInt8(ascii: "\"") {
        offset = end &+ 1
        return LineRow.Value(start: start &+ 1, count: end &- start &- 1, kind: .text)
      }
    } else if line[start] &- 0x31 < 9 {
      let end = LineBytes.digitsEnd(line, from: start)
      if end < line.count, line[end] != UInt8(ascii: "."), line[end] | 0x20 != UInt8(ascii: "e") {
        offset = end
        return LineRow.Value(start: start, count: end &- start, kind: .number)
      }
    }
    scanner.restart(with: line)
    scanner.position = start
    defer { offset = scanner.position }
    return (try? scanner.passLineValue(&row)) ?? nil
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether the `count` bytes from `offset` on equal those from `start` on in `bytes`,
  /// which are padded to whole words.
  @inline(__always)
  fileprivate func has(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int, at offset: Int
  ) -> Bool {
    guard self.count &- offset >= count else { return false }
    var done = 0
    while done < count {
      let rest = count &- done
      if self.count &- offset &- done >= 8 {
        let difference =
          loadUnaligned(fromByteOffset: offset &+ done, as: UInt64.self)
          ^ bytes.loadUnaligned(fromByteOffset: start &+ done, as: UInt64.self)
        let unused = rest < 8 ? UInt64(truncatingIfNeeded: 64 &- rest &* 8) : 0
        guard UInt64(littleEndian: difference) &<< unused == 0 else { return false }
      } else {
        for index in 0..<Swift.min(rest, 8) {
          guard self[offset &+ done &+ index] == bytes[start &+ done &+ index] else { return false }
        }
      }
      done &+= 8
    }
    return true
  }
}
