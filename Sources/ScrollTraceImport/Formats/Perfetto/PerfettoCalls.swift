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

/// The labels of calls that were met lately, by what was called: a page calls the same few functions
/// over and over, and to put their names together takes longer than to know them again.
struct PerfettoRecentCalls {
  private struct Recent {
    /// The position of the label of the event, and of the call.
    var entry: Int32 = -1
    var call: Int32 = -1
    var line: Int64 = 0
    var functionCount = 0
    var urlCount = 0
    var typeCount = 0
  }

  private static let slotCount = 64

  /// How many bytes of each call's texts are kept; longer ones are put together each time.
  private static let keptCount = 256

  private var recent = Array(repeating: Recent(), count: slotCount)
  private var kept = [UInt8](repeating: 0, count: slotCount * keptCount)

  /// The position of the label of the call of `target` by an event with the label at `entry`; `nil`
  /// where it was not met lately.
  func find(_ target: ChromeCallNames.Target, by entry: Int32) -> Int32? {
    let slot = Self.slot(target, entry)
    let known = recent[slot]
    guard known.entry == entry, known.line == target.line ?? 0,
      known.functionCount == target.function?.count ?? 0,
      known.urlCount == target.url?.count ?? 0, known.typeCount == target.type?.count ?? 0
    else { return nil }
    return kept.withUnsafeBytes { all in
      let first = slot &* Self.keptCount
      let second = first &+ known.functionCount
      let third = second &+ known.urlCount
      let isSame =
        Self.isSame(target.function, all[first..<second])
        && Self.isSame(target.url, all[second..<third])
        && Self.isSame(target.type, all[third..<(third &+ known.typeCount)])
      return isSame ? known.call : nil
    }
  }

  @inline(__always)
  private static func isSame(
    _ text: UnsafeRawBufferPointer?, _ kept: Slice<UnsafeRawBufferPointer>
  ) -> Bool {
    text.map { $0.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: kept)) } ?? true
  }

  /// Keeps the label at `call` for the next such call.
  mutating func keep(_ call: Int32, of target: ChromeCallNames.Target, by entry: Int32) {
    let counts = [target.function, target.url, target.type].map { $0?.count ?? 0 }
    guard counts[0] + counts[1] + counts[2] <= Self.keptCount else { return }
    let slot = Self.slot(target, entry)
    recent[slot] = Recent(
      entry: entry, call: call, line: target.line ?? 0, functionCount: counts[0],
      urlCount: counts[1], typeCount: counts[2])
    kept.withUnsafeMutableBytes { all in
      var place = slot * Self.keptCount
      for text in [target.function, target.url, target.type] {
        guard let text else { continue }
        UnsafeMutableRawBufferPointer(rebasing: all[place...]).copyMemory(from: text)
        place += text.count
      }
    }
  }

  /// Where a call is kept: by its line and the first bytes of what is called.
  private static func slot(_ target: ChromeCallNames.Target, _ entry: Int32) -> Int {
    var hash = UInt64(bitPattern: target.line ?? 0) &* 31 &+ UInt64(UInt32(bitPattern: entry))
    func mix(_ text: UnsafeRawBufferPointer?) {
      guard let text else { return }
      hash = (hash ^ UInt64(text.count)) &* 0x9E37_79B9_7F4A_7C15
      if text.count >= 8 { hash ^= text.loadUnaligned(as: UInt64.self) }
    }
    mix(target.function)
    mix(target.type)
    return Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) &>> 40) & (slotCount &- 1)
  }
}
