import ScrollTraceModel

/// Writes the arguments of a Chrome event as a JSON object, the form in which arguments are read
/// for every format.
///
/// Deeper nesting than three levels is omitted: it has no meaning.
struct PerfettoArguments {
  /// The maximum length of a string, in bytes.
  private static let maximumTextLength = 1 << 12
  /// The maximum number of bytes for one event's arguments; further members are omitted.
  private static let maximumLength = 1 << 16

  /// The maximum number of bytes for the arguments of all events, which are kept to the end; those
  /// of further events are omitted.
  static let maximumTotalLength = 1 << 27

  /// The names of the states of a frame's report, by their numbers.
  private static let states = [
    "STATE_NO_UPDATE_DESIRED", "STATE_PRESENTED_ALL", "STATE_PRESENTED_PARTIAL", "STATE_DROPPED",
  ]

  /// The input events that scroll, by their numbers.
  private static let scrolling: [UInt64: String] = [
    3: "MOUSE_WHEEL", 8: "TOUCH_MOVED", 10: "GESTURE_SCROLL_UPDATE",
    21: "FIRST_GESTURE_SCROLL_UPDATE", 26: "INERTIAL_GESTURE_SCROLL_UPDATE",
  ]

  /// The text written for all events.
  private(set) var text: [UInt8] = []
  private var start = 0
  /// Whether parts of the last event were omitted.
  private(set) var wasCut = false

  private let maximumTotalLength: Int

  init(maximumTotalLength: Int = Self.maximumTotalLength) {
    self.maximumTotalLength = maximumTotalLength
  }

  /// Writes the arguments of the event in `bytes`, and returns their range in the text.
  mutating func write(
    of bytes: UnsafeRawBufferPointer, _ names: borrowing PerfettoNames,
    _ builder: inout TraceBuilder
  ) -> Range<Int> {
    start = text.count
    wasCut = start >= maximumTotalLength
    guard !wasCut else { return start..<start }
    append("{")
    var fields = WireFields(bytes)
    while fields.next() {
      guard fields.isBytes else { continue }
      guard hasRoom() else { break }
      switch fields.number {
      case 4: writeAnnotation(fields.bytes, names, &builder)
      case 32, 1075: writeReport(fields.bytes)
      case 1032: writeLatency(fields.bytes)
      case 1064:
        let number = Self.bytes(4, of: fields.bytes).flatMap { Self.number(2, of: $0) }
        write("animation_frame_timing_info", inside: "begin_frame_id", number)
      case 1074: write("begin_frame_id", inside: nil, Self.number(2, of: fields.bytes))
      default: break
      }
    }
    append("}")
    return start..<text.count
  }

  /// Removes the last arguments, which are at `range`.
  mutating func removeLast(_ range: Range<Int>) { text.removeSubrange(range) }

  /// Returns whether the event's arguments can grow; if not, that is remembered.
  private mutating func hasRoom() -> Bool {
    let hasRoom = text.count - start < Self.maximumLength
    if !hasRoom { wasCut = true }
    return hasRoom
  }

  // MARK: - Messages of Chrome's own

  private mutating func writeReport(_ bytes: UnsafeRawBufferPointer) {
    writeKey("frame_reporter")
    append("{")
    if let state = Self.number(1, of: bytes).flatMap(Int.init(exactly:)),
      Self.states.indices.contains(state)
    {
      append("\"state\":\"\(Self.states[state])\"")
    }
    if let sequence = Self.number(4, of: bytes) {
      writeKey("frame_sequence")
      append("\(sequence)")
    }
    append("}")
  }

  private mutating func writeLatency(_ bytes: UnsafeRawBufferPointer) {
    guard let word = Self.number(1, of: bytes).flatMap({ Self.scrolling[$0] }) else { return }
    writeKey("event_latency")
    append("{\"event_type\":\"\(word)\"}")
  }

  /// Writes the number of a frame in its enclosing objects.
  private mutating func write(_ outer: String, inside inner: String?, _ number: UInt64?) {
    guard let number else { return }
    writeKey(outer)
    if let inner { append("{\"\(inner)\":") }
    append("{\"sequence_number\":\(number)}")
    if inner != nil { append("}") }
  }

  private static func number(_ field: UInt32, of bytes: UnsafeRawBufferPointer) -> UInt64? {
    var found: UInt64?
    var fields = WireFields(bytes)
    while fields.next() { if fields.number == field, !fields.isBytes { found = fields.value } }
    return found
  }

  private static func bytes(
    _ field: UInt32, of bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var fields = WireFields(bytes)
    return next(field, in: &fields)
  }

  // MARK: - Annotations

  private mutating func writeAnnotation(
    _ bytes: UnsafeRawBufferPointer, _ names: borrowing PerfettoNames,
    _ builder: inout TraceBuilder
  ) {
    guard writeName(of: bytes, names, &builder) else { return }
    let count = text.count
    var fields = WireFields(bytes)
    members: while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (11, true):
        guard hasRoom() else { break members }
        append(text.count == count ? "{" : "")
        if writeName(of: fields.bytes, names, &builder) {
          writeScalar(of: fields.bytes, names, &builder)
        }
      case (8, true) where text.count == count:
        append("{")
        writeNested(fields.bytes)
      default: break
      }
    }
    if text.count > count { append("}") } else { writeScalar(of: bytes, names, &builder) }
  }

  /// Writes the annotation's name and a colon; returns `false` if it has none.
  private mutating func writeName(
    of bytes: UnsafeRawBufferPointer, _ names: borrowing PerfettoNames,
    _ builder: inout TraceBuilder
  ) -> Bool {
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false):
        guard let name = names.annotation(fields.value) else { return false }
        writeKey(builder.name(of: name))
        return true
      case (10, true):
        writeSeparator()
        writeText(fields.bytes)
        append(":")
        return true
      default: break
      }
    }
    return false
  }

  private mutating func writeScalar(
    of bytes: UnsafeRawBufferPointer, _ names: borrowing PerfettoNames,
    _ builder: inout TraceBuilder
  ) {
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (2, false): return append(fields.value != 0 ? "true" : "false")
      case (3, false): return append("\(fields.value)")
      case (4, false): return append("\(fields.signed)")
      case (5, false): return writeDouble(fields.double)
      case (6, true): return writeText(fields.bytes)
      case (17, false):
        guard let text = names.text(fields.value) else { continue }
        return writeText(builder.name(of: text))
      default: break
      }
    }
    append("null")
  }

  /// Writes the members of an object in the form of older writers: all names, then all values.
  private mutating func writeNested(_ bytes: UnsafeRawBufferPointer) {
    var (keys, values) = (WireFields(bytes), WireFields(bytes))
    while let key = Self.next(2, in: &keys), let value = Self.next(3, in: &values) {
      guard hasRoom() else { return }
      writeSeparator()
      writeText(key)
      append(":")
      writeNestedScalar(value)
    }
  }

  private static func next(
    _ field: UInt32, in fields: inout WireFields
  ) -> UnsafeRawBufferPointer? {
    while fields.next() { if fields.number == field, fields.isBytes { return fields.bytes } }
    return nil
  }

  private mutating func writeNestedScalar(_ bytes: UnsafeRawBufferPointer) {
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (5, false): return append("\(fields.signed)")
      case (6, false): return writeDouble(fields.double)
      case (7, false): return append(fields.value != 0 ? "true" : "false")
      case (8, true): return writeText(fields.bytes)
      default: break
      }
    }
    append("null")
  }

  // MARK: - Text

  private mutating func writeKey(_ key: String) {
    writeSeparator()
    writeText(key)
    append(":")
  }

  /// Writes a comma, unless the object has just started.
  private mutating func writeSeparator() {
    if text.last != UInt8(ascii: "{") { append(",") }
  }

  private mutating func writeDouble(_ value: Double) {
    append(value.isFinite ? "\(value)" : "null")
  }

  private mutating func writeText(_ value: String) {
    var value = value
    value.withUTF8 { writeText(UnsafeRawBufferPointer($0)) }
  }

  private mutating func writeText(_ bytes: UnsafeRawBufferPointer) {
    append("\"")
    if bytes.count > Self.maximumTextLength { wasCut = true }
    for byte in bytes.prefix(Self.maximumTextLength) {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        text.append(UInt8(ascii: "\\"))
        text.append(byte)
      case 0..<0x20: append("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
      default: text.append(byte)
      }
    }
    append("\"")
  }

  private mutating func append(_ part: String) { text.append(contentsOf: part.utf8) }
}
