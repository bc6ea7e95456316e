internal import ScrollTraceLayout

/// The content of one record, in words.
package struct FXTRecordFacts {
  /// The kind of record: `string`, `complete`, `instant`, `blob` …
  package var kind: String
  /// The time in ticks, or `nil` if the record has none.
  package var time: UInt64?
  /// The word after the arguments: the end of a complete event, or else an id; `nil` if there is
  /// none.
  package var tail: UInt64?
  /// The thread, or `nil` if there is none or it is undefined.
  package var thread: FXTNames.Thread?
  /// The category, or an empty string if there is none.
  package var category = ""
  /// The name, or the text of a string record.
  package var name = ""
  /// The arguments in words.
  package var arguments: [(key: String, value: String)] = []
  /// A Boolean value indicating whether the record's content matches its header, so that a reader
  /// can use it.
  package var isReadable = true
  /// The undefined strings that the record refers to.
  package var undefinedStrings: [UInt64] = []
  /// The undefined thread that the record refers to.
  package var undefinedThread: UInt64?

  /// Creates the facts of `record` with the tables `names`.
  init(_ record: FXTRecord, _ names: FXTNames) {
    kind = "unknown"
    let header = record.header
    switch FXT.RecordType(rawValue: header.bits(0, 4)) {
    case .metadata: readMetadata(header)
    case .initialization:
      kind = "init"
      isReadable = record.count >= 2 && record[1] > 0
      if isReadable { arguments = [("ticks/s", String(record[1]))] }
    case .string:
      kind = "string"
      name = text(record, at: 1, count: Int(header.bits(32, 15)))
      arguments = [("index", String(header.bits(16, 15)))]
    case .thread:
      kind = "thread"
      isReadable = record.count >= 3
      if isReadable { thread = FXTNames.Thread(process: record[1], id: record[2]) }
      arguments = [("index", String(header.bits(16, 8)))]
    case .event: readEvent(record, names)
    case .blob: readBlob(record)
    case .kernelObject: readObject(record, names)
    case .log:
      kind = "log"
      time = record.count >= 2 ? record[1] : nil
      name = text(record, at: 2, count: Int(header.bits(16, 15)))
      thread = names.thread(header.bits(32, 8))
    case .scheduling:
      kind = "scheduling"
      time = record.count >= 2 ? record[1] : nil
    case .userspaceObject: kind = "userspace object"
    case .large: kind = "large record"
    case nil: break
    }
  }

  private mutating func readMetadata(_ header: UInt64) {
    switch FXT.MetadataType(rawValue: header.bits(16, 4)) {
    case .providerInfo: kind = "provider"
    case .providerSection: kind = "provider section"
    case .providerEvent: kind = "provider event"
    case .traceInfo: kind = header == RecordingLayout.magic ? "magic" : "trace info"
    case nil: return
    }
    if kind.hasPrefix("provider") { arguments = [("id", String(header.bits(20, 32)))] }
  }

  private mutating func readBlob(_ record: FXTRecord) {
    guard !record.isPad else { return kind = "pad" }
    kind = "blob"
    let reference = record.header.bits(16, 16)
    if reference & FXT.inlineBit != 0 { name = text(record, at: 1, count: Int(reference & 0x7fff)) }
  }

  private mutating func readObject(_ record: FXTRecord, _ names: FXTNames) {
    kind = "kernel object"
    guard record.count >= 2 else { return isReadable = false }
    var cursor = 2
    name = reference(record.header.bits(24, 16), in: record, at: &cursor, names)
    arguments = [("koid", String(record[1]))]
    readArguments(Int(record.header.bits(40, 4)), of: record, from: &cursor, names)
  }

  private mutating func readEvent(_ record: FXTRecord, _ names: FXTNames) {
    let header = record.header
    guard let type = FXT.EventType(rawValue: header.bits(16, 4)) else { return }
    kind = type.word
    guard record.count >= 2 else { return isReadable = false }
    time = record[1]
    var cursor = 2
    let index = header.bits(24, 8)
    if index == 0 {
      guard record.count >= 4 else { return isReadable = false }
      thread = FXTNames.Thread(process: record[2], id: record[3])
      cursor = 4
    } else {
      thread = names.thread(index)
      if thread == nil { undefinedThread = index }
    }
    category = reference(header.bits(32, 16), in: record, at: &cursor, names)
    name = reference(header.bits(48, 16), in: record, at: &cursor, names)
    readArguments(Int(header.bits(20, 4)), of: record, from: &cursor, names)
    guard isReadable, type.hasTail else { return }
    guard cursor < record.count else { return isReadable = false }
    tail = record[cursor]
  }

  private mutating func readArguments(
    _ count: Int, of record: FXTRecord, from cursor: inout Int, _ names: FXTNames
  ) {
    for _ in 0..<count where isReadable {
      guard cursor < record.count else { return isReadable = false }
      let size = Int(record[cursor].bits(4, 12))
      guard size > 0, size <= record.count - cursor else { return isReadable = false }
      let bytes = record.bytes[(cursor * 8)..<((cursor + size) * 8)]
      readArgument(
        FXTRecord(
          bytes: UnsafeRawBufferPointer(rebasing: bytes),
          offset: record.offset + UInt64(cursor * 8)),
        names)
      cursor += size
    }
  }

  private mutating func readArgument(_ argument: FXTRecord, _ names: FXTNames) {
    let header = argument.header
    // A type of a later version is skipped by its size (R3).
    guard let type = FXT.ArgumentType(rawValue: header.bits(0, 4)) else { return }
    var cursor = 1
    let key = reference(header.bits(16, 16), in: argument, at: &cursor, names)
    let value: String
    switch type {
    case .null: value = "null"
    case .int32: value = String(Int32(truncatingIfNeeded: header >> 32))
    case .uint32: value = String(header >> 32)
    case .bool: value = header.bits(32, 1) != 0 ? "true" : "false"
    case .string: value = reference(header.bits(32, 16), in: argument, at: &cursor, names)
    case .int64, .uint64, .double, .pointer, .koid:
      guard cursor < argument.count else { return isReadable = false }
      let word = argument[cursor]
      switch type {
      case .int64: value = String(Int64(bitPattern: word))
      case .double: value = "\(Double(bitPattern: word))"
      case .pointer: value = "0x" + String(word, radix: 16)
      default: value = String(word)
      }
    }
    arguments.append((key, value))
  }

  /// Returns the text of a reference, whose inline bytes start at word `cursor`.
  private mutating func reference(
    _ reference: UInt64, in record: FXTRecord, at cursor: inout Int, _ names: FXTNames
  ) -> String {
    guard reference & FXT.inlineBit == 0 else {
      let length = Int(reference & 0x7fff)
      defer { cursor += FXT.words(forBytes: length) }
      return text(record, at: cursor, count: length)
    }
    if let text = names.string(reference) { return text }
    undefinedStrings.append(reference)
    return Self.placeholder(reference)
  }

  /// Returns the placeholder for an undefined string (R5).
  static func placeholder(_ index: UInt64) -> String { "(undefined string \(index))" }

  private mutating func text(_ record: FXTRecord, at index: Int, count: Int) -> String {
    guard let bytes = record.text(at: index, count: count) else {
      isReadable = false
      return ""
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FXT.EventType {
  /// The kind's name.
  fileprivate var word: String {
    switch self {
    case .instant: "instant"
    case .counter: "counter"
    case .durationBegin: "begin"
    case .durationEnd: "end"
    case .durationComplete: "complete"
    case .asyncBegin: "async begin"
    case .asyncInstant: "async instant"
    case .asyncEnd: "async end"
    case .flowBegin: "flow begin"
    case .flowStep: "flow step"
    case .flowEnd: "flow end"
    }
  }
}
