/// The values of one line, where they lie.
struct LineRow: ~Copyable {
  /// What kind of value it is.
  enum Kind: UInt8 {
    case text, number, bool, null
    /// A text with escapes, which lies in `unescaped`.
    case unescaped
  }

  /// A value: its bytes, without quotes.
  struct Value {
    var start = 0
    var count = 0
    var kind = Kind.null
  }

  /// A value whose key is not one of ours.
  struct Extra {
    var key: Value
    var value: Value
  }

  /// The bytes of the line; valid until the next is read.
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The values by key, each valid where `present` says so.
  private let values: UnsafeMutableBufferPointer<Value>
  /// Which of them are there; `null` and empty ones are not.
  var present: UInt32 = 0
  /// What else there is.
  var extras: [Extra] = []
  /// Texts that had escapes.
  var unescaped: [String] = []
  /// The power of ten of each time's unit.
  var powers = [Int](repeating: 0, count: LineKey.allCases.count)
  /// Texts of keys that are the same in every line; a column's header.
  var headers: [String] = []

  /// A row that holds nothing yet.
  init() {
    values = .allocate(capacity: LineKey.allCases.count)
    values.initialize(repeating: Value())
  }

  deinit { values.deallocate() }

  /// The value of a key; of one that is not there, that of an earlier line.
  @inline(__always)
  subscript(key: LineKey) -> Value { values[Int(key.rawValue)] }

  /// Makes it the row of another line.
  mutating func reset(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    present = 0
    if !extras.isEmpty { extras.removeAll(keepingCapacity: true) }
    if !unescaped.isEmpty { unescaped.removeAll(keepingCapacity: true) }
  }

  /// Whether there is a value.
  @inline(__always)
  func has(_ key: LineKey) -> Bool { present & key.bit != 0 }

  /// Sets a value.
  @inline(__always)
  mutating func set(_ key: LineKey, _ value: Value) {
    values[Int(key.rawValue)] = value
    present |= key.bit
  }

  /// The bytes of a value.
  @inline(__always)
  func bytes(of value: Value) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[value.start..<(value.start + value.count)])
  }

  /// The bytes of a value that is there, or `nil` if they had escapes.
  @inline(__always)
  func plainBytes(_ key: LineKey) -> UnsafeRawBufferPointer? {
    let value = self[key]
    return value.kind == .unescaped ? nil : bytes(of: value)
  }

  /// A value as text, or `nil` if there is none.
  func text(_ key: LineKey) -> String? { has(key) ? text(self[key]) : nil }

  /// A value as text.
  func text(_ value: Value) -> String {
    value.kind == .unescaped
      ? unescaped[value.start] : String(decoding: bytes(of: value), as: UTF8.self)
  }

  /// A time in nanoseconds, or `nil` if there is none.
  ///
  /// - Throws: Where the value is no time.
  func time(_ key: LineKey) throws(LineFault) -> Int64? {
    guard has(key) else { return nil }
    let value = self[key]
    guard value.kind == .number || value.kind == .text,
      let time = JSONNumber.scaled(bytes(of: value), timesTenTo: powers[Int(key.rawValue)])
    else { throw LineFault("\(key) is no time", at: value.start) }
    return time
  }

  /// A whole number that is not negative, or `nil` if there is none.
  func number(_ key: LineKey) throws(LineFault) -> UInt64? {
    guard has(key) else { return nil }
    let value = self[key]
    if value.kind != .unescaped {
      if let number = JSONNumber.integer(bytes(of: value)), number >= 0 { return UInt64(number) }
      if let number = JSONNumber.unsigned(bytes(of: value)) { return number }
    }
    throw LineFault("\(key) is no whole number from 0 on", at: value.start)
  }
}

/// Why a line cannot be taken.
struct LineFault: Error {
  /// What is wrong.
  var reason: String
  /// Where in the line, in bytes.
  var place: Int

  /// A line that cannot be taken because of what is at `place`.
  init(_ reason: String, at place: Int) {
    self.reason = reason
    self.place = place
  }
}

/// What a line of NDJSON or a column of CSV can say.
enum LineKey: UInt8, CaseIterable {
  case scrolltrace, unit, kind, name
  case frame, span, mark, counter, interaction, state, hitch
  case start, end, duration, commitStart, commitEnd, deadline, target, presented, refreshInterval,
    at
  case surface, category, thread, main, id, item, outcome, value

  /// The key with a name; spelling of letters, `_` and `-` make no difference.
  init?(name: String) {
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    if let alias = Self.aliases[plain] {
      self = alias
    } else if let key = Self.allCases.first(where: { $0.spelling.lowercased() == plain }) {
      self = key
    } else {
      return nil
    }
  }

  /// The keys as lines of JSON spell them, in order.
  static let spellings: [StaticString] = [
    "scrolltrace", "unit", "kind", "name", "frame", "span", "mark", "counter", "interaction",
    "state", "hitch", "begin", "end", "duration", "commitStart", "commitEnd", "deadline", "target",
    "presented", "interval", "at", "surface", "category", "thread", "main", "id", "item",
    "outcome", "value",
  ]

  private var spelling: String { Self.spellings[Int(rawValue)].description }

  /// Whether `bytes` spell the key.
  @inline(__always)
  func isSpelled(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let spelling = Self.spellings[Int(rawValue)]
    guard bytes.count == spelling.utf8CodeUnitCount, let start = bytes.baseAddress else {
      return false
    }
    return LineBytes.areSame(start, spelling.utf8Start, count: bytes.count)
  }

  /// The key that `bytes` spell, which for two of them is also the name of what they hold.
  init?(spelledBy bytes: UnsafeRawBufferPointer) {
    if let key = Self.allCases.first(where: { $0.isSpelled(bytes) }) {
      self = key
    } else if bytes.hasBytes(of: "start") {
      self = .start
    } else if bytes.hasBytes(of: "refreshInterval") {
      self = .refreshInterval
    } else {
      return nil
    }
  }

  private static let aliases: [String: LineKey] = [
    "start": .start, "refreshinterval": .refreshInterval, "time": .at, "timestamp": .at,
    "framenumber": .frame, "ismain": .main,
  ]

  /// Whether the value is a time or a length of time, so that the unit matters.
  var isTime: Bool { (LineKey.start.rawValue...LineKey.at.rawValue).contains(rawValue) }

  /// The bit in a set of keys.
  @inline(__always)
  var bit: UInt32 { 1 &<< UInt32(rawValue) }
}

/// The unit of the times in a file of lines.
enum LineUnit: String, CaseIterable {
  case ns, us, ms, s

  /// By which power of ten a number is to be multiplied to give nanoseconds.
  var power: Int {
    switch self {
    case .ns: 0
    case .us: 3
    case .ms: 6
    case .s: 9
    }
  }
}

/// How the lines before were put together: hosts print most lines by one and the same statement, so
/// that only the values differ.
///
/// A line that has the bytes of such a line between its values has its grammar and its keys too, and
/// needs only its values read.
struct LineShapes: ~Copyable {
  /// The bytes before a value, and what the value is.
  struct Segment {
    /// What stands behind the bytes.
    enum Content {
      case value(LineKey)
      /// The value of a key that is not ours; the key's place counts from the first of the bytes.
      case extra(start: Int, count: Int)
      /// The line's end.
      case end
    }

    /// Where the bytes begin, and how many there are.
    var start: Int
    var count: Int
    var content: Content
  }

  /// The most shapes that are kept; a host whose keys come in any order has too many.
  private static let maximumCount = 16

  /// The bytes of all segments, each filled up to whole words.
  private var bytes: [UInt8] = []
  private var segments: [Segment] = []
  private var shapes: [Range<Int>] = []
  private var last = 0

  /// Whether another shape would be kept.
  var hasRoom: Bool { shapes.count < Self.maximumCount }

  /// Keeps the shape of a line, whose segments are given by where they begin in it.
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

  /// Reads a line that has one of the shapes; where it has none, `row` is as good as reset.
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
        var place = 0
        for segment in segments[shape] {
          let start = place
          guard line.has(bytes, segment.start, segment.count, at: place) else { return false }
          place += segment.count
          switch segment.content {
          case .value(let key):
            // What was null in the first line of this shape may have been there twice.
            guard !row.has(key), let value = Self.value(line, &place, &row, &scanner) else {
              return false
            }
            if value.kind != .null { row.set(key, value) }
          case .extra(let offset, let count):
            guard let value = Self.value(line, &place, &row, &scanner) else { return false }
            let name = LineRow.Value(start: start + offset, count: count, kind: .text)
            row.extras.append(LineRow.Extra(key: name, value: value))
          case .end: return place == line.count
          }
        }
        return false
      }
    }
  }
}

extension LineShapes {
  /// The value at `place`, or `nil` if there is none or it is an array or object.
  @inline(__always)
  fileprivate static func value(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, _ row: inout LineRow,
    _ scanner: inout JSONScanner
  ) -> LineRow.Value? {
    guard place < line.count else { return nil }
    let start = place
    // Nearly all values are texts without escapes and numbers of digits only.
    if line[start] == UInt8(ascii: "\"") {
      let end = LineBytes.stringEnd(line, from: start &+ 1)
      if end < line.count, line[end] == UInt8(ascii: "\"") {
        place = end &+ 1
        return LineRow.Value(start: start &+ 1, count: end &- start &- 1, kind: .text)
      }
    } else if line[start] &- 0x31 < 9 {
      let end = LineBytes.digitsEnd(line, from: start)
      if end < line.count, line[end] != UInt8(ascii: "."), line[end] | 0x20 != UInt8(ascii: "e") {
        place = end
        return LineRow.Value(start: start, count: end &- start, kind: .number)
      }
    }
    scanner.restart(with: line)
    scanner.position = start
    defer { place = scanner.position }
    return (try? scanner.passLineValue(&row)) ?? nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes from `place` on are the `count` ones from `start` on in `bytes`, which are
  /// filled up to whole words.
  @inline(__always)
  fileprivate func has(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int, at place: Int
  ) -> Bool {
    guard self.count &- place >= count else { return false }
    var done = 0
    while done < count {
      let rest = count &- done
      if self.count &- place &- done >= 8 {
        let difference =
          loadUnaligned(fromByteOffset: place &+ done, as: UInt64.self)
          ^ bytes.loadUnaligned(fromByteOffset: start &+ done, as: UInt64.self)
        let unused = rest < 8 ? UInt64(truncatingIfNeeded: 64 &- rest &* 8) : 0
        guard UInt64(littleEndian: difference) &<< unused == 0 else { return false }
      } else {
        for index in 0..<Swift.min(rest, 8) {
          guard self[place &+ done &+ index] == bytes[start &+ done &+ index] else { return false }
        }
      }
      done &+= 8
    }
    return true
  }
}
