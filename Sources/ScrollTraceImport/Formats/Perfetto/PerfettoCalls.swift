import ScrollTraceModel

/// Reads from an event's annotations which script it called.
///
/// Most of what Chrome says of a call is of no use here, so this is no way for more than that.
struct PerfettoCalls {
  private let data: StringID
  private let function: StringID
  private let url: StringID
  private let line: StringID
  private let type: StringID

  /// What the words are in the names of `builder`.
  init(in builder: inout TraceBuilder) {
    data = builder.string("data")
    function = builder.string("functionName")
    url = builder.string("url")
    line = builder.string("lineNumber")
    type = builder.string("type")
  }

  /// What the event in `bytes` says of its call, or `nil` if it is told in a form that few writers
  /// use, so that it must be written out.
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

  /// Reads one member of the call's data; `false` for a form that few writers use.
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
        // A value before its name: few writers do that.
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

  /// A word for something that a call's name is made of.
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
  /// The call of `target` by an event with the label at `entry`: a page calls the same few functions
  /// over and over. `nil` if its line is beyond any that a script has.
  init?(_ target: ChromeCallNames.Target, by entry: Int32) {
    guard let line = Int32(exactly: target.line ?? 0) else { return nil }
    self.init(
      target.function ?? .empty, target.type ?? .empty, target.url ?? .empty,
      number: UInt64(UInt32(bitPattern: entry)) << 32 | UInt64(UInt32(bitPattern: line)))
  }
}
