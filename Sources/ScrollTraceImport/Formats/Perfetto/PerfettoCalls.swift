import ScrollTraceModel

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
