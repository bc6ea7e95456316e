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

  /// The bytes of a value that is there; `nil` where they had escapes.
  @inline(__always)
  func plainBytes(_ key: LineKey) -> UnsafeRawBufferPointer? {
    let value = self[key]
    return value.kind == .unescaped ? nil : bytes(of: value)
  }

  /// A value as text; `nil` where there is none.
  func text(_ key: LineKey) -> String? { has(key) ? text(self[key]) : nil }

  /// A value as text.
  func text(_ value: Value) -> String {
    value.kind == .unescaped
      ? unescaped[value.start] : String(decoding: bytes(of: value), as: UTF8.self)
  }

  /// A time in nanoseconds; `nil` where there is none.
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

  /// A whole number that is not negative; `nil` where there is none.
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
