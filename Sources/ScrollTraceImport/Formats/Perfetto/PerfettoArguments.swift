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

  /// The ways in which a page is scrolled, by their numbers.
  private static let scrollStates: [UInt64: String] = [
    1: "SCROLL_MAIN_THREAD", 2: "SCROLL_COMPOSITOR_THREAD",
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
    of bytes: UnsafeRawBufferPointer, _ names: inout PerfettoNames,
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
      case 4: writeAnnotation(fields.bytes, &names, &builder)
      case 32, 1075: writeReport(fields.bytes)
      case 1032: writeLatency(fields.bytes)
      case 1064:
        var info = WireFields(fields.bytes)
        let number = info.nextBytes(of: 4).flatMap { WireFields.number(2, of: $0) }
        write("animation_frame_timing_info", inside: "begin_frame_id", number)
      case 1074: write("begin_frame_id", inside: nil, WireFields.number(2, of: fields.bytes))
      default: break
      }
    }
    append("}")
    return start..<text.count
  }

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
    if let state = WireFields.number(1, of: bytes).flatMap(Int.init(exactly:)),
      Self.states.indices.contains(state)
    {
      append("\"state\":\"\(Self.states[state])\"")
    }
    if let sequence = WireFields.number(4, of: bytes) {
      writeKey("frame_sequence")
      append("\(sequence)")
    }
    if let word = WireFields.number(6, of: bytes).flatMap({ Self.scrollStates[$0] }) {
      writeKey("scroll_state")
      writeText(word)
    }
    if WireFields.number(7, of: bytes) == 1 { writeFact("has_main_animation") }
    if WireFields.number(8, of: bytes) == 1 { writeFact("has_compositor_animation") }
    append("}")
  }

  private mutating func writeFact(_ key: String) {
    writeKey(key)
    append("true")
  }

  private mutating func writeLatency(_ bytes: UnsafeRawBufferPointer) {
    guard let word = WireFields.number(1, of: bytes).flatMap({ Self.scrolling[$0] }) else { return }
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

  /// Returns the first argument that is written as JSON, as V8 writes the parts of its profiles.
  static func json(of event: UnsafeRawBufferPointer) -> JSONView? {
    var fields = WireFields(event)
    while let annotation = fields.nextBytes(of: 4) {
      var parts = WireFields(annotation)
      if let json = parts.nextBytes(of: 9) { return JSONView(bytes: json) }
    }
    return nil
  }

  // MARK: - Annotations

  private mutating func writeAnnotation(
    _ bytes: UnsafeRawBufferPointer, _ names: inout PerfettoNames, _ builder: inout TraceBuilder
  ) {
    guard writeName(of: bytes, &names, &builder) else { return }
    let count = text.count
    var fields = WireFields(bytes)
    members: while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (11, true):
        guard hasRoom() else { break members }
        append(text.count == count ? "{" : "")
        if writeName(of: fields.bytes, &names, &builder) {
          writeScalar(of: fields.bytes, &names, &builder)
        }
      case (8, true) where text.count == count:
        append("{")
        writeNested(fields.bytes)
      default: break
      }
    }
    if text.count > count { append("}") } else { writeScalar(of: bytes, &names, &builder) }
  }

  /// Writes the annotation's name and a colon; returns `false` if it has none.
  private mutating func writeName(
    of bytes: UnsafeRawBufferPointer, _ names: inout PerfettoNames,
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
    of bytes: UnsafeRawBufferPointer, _ names: inout PerfettoNames,
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
    while let key = keys.nextBytes(of: 2), let value = values.nextBytes(of: 3) {
      guard hasRoom() else { return }
      writeSeparator()
      writeText(key)
      append(":")
      writeNestedScalar(value)
    }
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
  private mutating func writeSeparator() { if text.last != UInt8(ascii: "{") { append(",") } }

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

/// Reads the called script function from an event's annotations.
///
/// Only the parts needed for a name are read.
struct PerfettoCalls {
  private let data: StringID
  private let function: StringID
  private let url: StringID
  private let line: StringID
  private let type: StringID

  init(in builder: inout TraceBuilder) {
    data = builder.string("data")
    function = builder.string("functionName")
    url = builder.string("url")
    line = builder.string("lineNumber")
    type = builder.string("type")
  }

  /// Returns the called function of the event in `bytes`, or `nil` if it has a rare form that must
  /// be written as JSON.
  func target(
    of bytes: UnsafeRawBufferPointer, _ names: inout PerfettoNames
  ) -> ChromeCallNames.Target? {
    var target = ChromeCallNames.Target(isEscaped: false)
    var fields = WireFields(bytes)
    while fields.next() {
      guard fields.number == 4, fields.isBytes else { continue }
      var members = WireFields(fields.bytes)
      var isData: Bool?
      while members.next() {
        switch (members.number, members.isBytes) {
        case (1, false): isData = names.annotation(members.value) == data
        case (10, true): isData = members.bytes.hasBytes(of: "data")
        case (11, true) where isData == true:
          guard read(members.bytes, &names, into: &target) else { return nil }
        case (8, true) where isData != false, (11, true) where isData == nil: return nil
        default: break
        }
      }
    }
    return target
  }

  /// Reads one member of the call's data; returns `false` for a rare form.
  @inline(__always)
  private func read(
    _ bytes: UnsafeRawBufferPointer, _ names: inout PerfettoNames,
    into target: inout ChromeCallNames.Target
  ) -> Bool {
    var word = Word.none
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (10, true) where word == .none:
        word = Word(fields.bytes)
        if word == .none { return true }
      case (1, false) where word == .none:
        word = names.annotation(fields.value).map { self.word($0) } ?? .none
        if word == .none { return true }
      case (6, true):
        switch word {
        case .function: target.function = fields.bytes
        case .url: target.url = fields.bytes
        case .type: target.type = fields.bytes
        // A value before its name is rare.
        case .line, .none: return false
        }
      case (3, false), (4, false):
        if word == .none { return false }
        if word == .line { target.line = fields.signed }
      case (8, true), (17, false): return false
      default: break
      }
    }
    return true
  }

  private enum Word {
    case none, function, url, line, type

    init(_ name: UnsafeRawBufferPointer) {
      self =
        switch name.count {
        case 12 where name.hasBytes(of: "functionName"): .function
        case 3 where name.hasBytes(of: "url"): .url
        case 10 where name.hasBytes(of: "lineNumber"): .line
        case 4 where name.hasBytes(of: "type"): .type
        default: .none
        }
    }
  }

  private func word(_ name: StringID) -> Word {
    switch name {
    case function: .function
    case url: .url
    case line: .line
    case type: .type
    default: .none
    }
  }
}

extension RecentTexts {
  /// Creates the key of a call of `target` by an event with the label at `entry`, because a page
  /// calls the same few functions over and over. Returns `nil` if the line number is impossibly
  /// large.
  init?(_ target: ChromeCallNames.Target, by entry: Int32) {
    guard let line = Int32(exactly: target.line ?? 0) else { return nil }
    self.init(
      target.function ?? .empty, target.type ?? .empty, target.url ?? .empty,
      number: UInt64(UInt32(bitPattern: entry)) << 32 | UInt64(UInt32(bitPattern: line)))
  }
}
