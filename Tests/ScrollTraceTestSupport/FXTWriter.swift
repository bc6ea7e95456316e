import ScrollTraceLayout

/// Builds FXT records in memory, one for each call.
///
/// The recorder writes its records in place.
///
/// ```swift
/// var writer = FXTWriter()
/// writer.appendMagic()
/// writer.appendInitialization()
/// writer.appendThread(1, process: 100, systemID: 101)
/// writer.appendEvent(
///   .complete(end: 9_000), thread: .index(1), category: "app", name: "layout", at: 1_000)
/// ```
package struct FXTWriter {
  /// The records so far.
  package private(set) var bytes: [UInt8] = []

  /// The number of records that were omitted because they exceed the maximum size.
  package internal(set) var tooLargeCount = 0

  /// Creates a writer without records.
  package init() {}

  /// A reference to a name: an index in the table, or the bytes in the record.
  package enum Name: ExpressibleByStringLiteral, Sendable {
    case empty
    /// The name of the string record with this index, 1 to 32 767.
    case index(UInt16)
    /// The name itself, of which at most 32 000 bytes are written.
    case inline(String)

    /// The name itself.
    package init(stringLiteral value: String) { self = .inline(value) }
  }

  /// A reference to a thread: an index in the table, or the numbers in the record.
  package enum Thread: Sendable {
    /// The thread of the thread record with this index, 1 to 255.
    case index(UInt8)
    /// The thread's own numbers.
    case inline(process: UInt64, thread: UInt64)
  }

  /// The content of an event besides its time and names.
  package enum Event: Sendable {
    /// A mark.
    case instant
    /// Samples, one for each numeric argument.
    case counter(id: UInt64)
    /// A span begins.
    case begin
    /// The innermost span ends.
    case end
    /// A span that ended at `end`.
    case complete(end: UInt64)
    /// An asynchronous span begins.
    case asyncBegin(id: UInt64)
    /// A mark in an asynchronous span.
    case asyncInstant(id: UInt64)
    /// An asynchronous span ends.
    case asyncEnd(id: UInt64)
    case flowBegin(id: UInt64)
    case flowStep(id: UInt64)
    case flowEnd(id: UInt64)
  }

  /// A value of an argument.
  package enum Value: Sendable {
    case null
    /// A signed integer of 32 bits.
    case int32(Int32)
    /// An unsigned integer of 32 bits.
    case uint32(UInt32)
    /// A signed integer of 64 bits.
    case int64(Int64)
    /// An unsigned integer of 64 bits.
    case uint64(UInt64)
    /// A floating-point number.
    case double(Double)
    case string(Name)
    /// An address.
    case pointer(UInt64)
    /// The number of a kernel object.
    case koid(UInt64)
    /// A Boolean value.
    case bool(Bool)
  }

  // MARK: - Words

  /// Appends a word. Tests use it to build invalid records.
  package mutating func appendWord(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends complete records.
  package mutating func append(_ records: [UInt8]) { bytes += records }

  /// Appends a record of `type` with the header's `fields` from bit 16, followed by `body`.
  mutating func appendRecord(_ type: FXT.RecordType, _ fields: UInt64, _ body: [UInt64] = []) {
    let words = body.count + 1
    guard words <= FXT.maximumRecordWords else {
      tooLargeCount += 1
      return
    }
    appendWord(FXTWord.record(type, words: UInt64(words), fields: fields))
    body.map(\.littleEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}

extension FXTWriter.Name {
  /// The maximum number of bytes of a name.
  static let maximumLength = 32_000

  /// The reference as it is in headers.
  var reference: UInt64 {
    switch self {
    case .empty: 0
    case .index(let index): UInt64(index) & 0x7fff
    case .inline: UInt64(FXTWord.inlineReference(bytes.count))
    }
  }

  /// The words that follow if the name is in the record.
  var words: [UInt64] { [UInt64](padding: bytes) }

  private var bytes: [UInt8] {
    guard case .inline(let text) = self else { return [] }
    return text.prefixOfUTF8(Self.maximumLength)
  }
}

extension String {
  /// The first bytes, at most `limit`, without a truncated character.
  fileprivate func prefixOfUTF8(_ limit: Int) -> [UInt8] {
    guard utf8.count > limit else { return Array(utf8) }
    var end = utf8.index(utf8.startIndex, offsetBy: limit)
    while utf8[end] & 0xC0 == 0x80, end > utf8.startIndex { utf8.formIndex(before: &end) }
    return Array(utf8[..<end])
  }
}

extension [UInt64] {
  /// Creates the words of `bytes`, with the last one padded with zeros.
  init(padding bytes: [UInt8]) {
    self.init(repeating: 0, count: (bytes.count + 7) / 8)
    withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
    self = map(UInt64.init(littleEndian:))
  }
}

extension FXTWriter {
  // MARK: - Tables

  /// Appends the magic, the first record of a file.
  package mutating func appendMagic() { appendWord(RecordingLayout.magic) }

  /// Appends the ticks per second, which are always nanoseconds in a ScrollTrace recording (F-1).
  package mutating func appendInitialization(ticksPerSecond: UInt64 = 1_000_000_000) {
    appendRecord(.initialization, 0, [ticksPerSecond])
  }

  /// Begins provider `id` with empty tables.
  package mutating func appendProvider(_ id: UInt32, name: String = "") {
    let bytes = name.prefixOfUTF8(255)
    let fields = FXT.MetadataType.providerInfo.rawValue << 16 | UInt64(id) << 20
    appendRecord(.metadata, fields | UInt64(bytes.count) << 52, [UInt64](padding: bytes))
  }

  /// Continues provider `id` with its tables.
  package mutating func appendProviderSection(_ id: UInt32) {
    appendRecord(
      .metadata, FXT.MetadataType.providerSection.rawValue << 16 | UInt64(id) << 20)
  }

  /// Appends an event of provider `id`. Event 0 is a full buffer.
  package mutating func appendProviderEvent(_ id: UInt32, event: UInt64 = 0) {
    let fields = FXT.MetadataType.providerEvent.rawValue << 16 | UInt64(id) << 20
    appendRecord(.metadata, fields | event.bits(0, 4) << 52)
  }

  /// Assigns the index `index`, 1 to 32 767, to the name `text`.
  package mutating func appendString(_ index: UInt16, _ text: String) {
    let bytes = text.prefixOfUTF8(Name.maximumLength)
    let fields = (UInt64(index) & 0x7fff) << 16 | UInt64(bytes.count) << 32
    appendRecord(.string, fields, [UInt64](padding: bytes))
  }

  /// Assigns the index `index`, 1 to 255, to the thread `systemID` of `process`.
  package mutating func appendThread(_ index: UInt8, process: UInt64, systemID: UInt64) {
    appendRecord(.thread, UInt64(index) << 16, [process, systemID])
  }

  // MARK: - Names of processes and threads

  package mutating func appendProcessName(_ name: Name, process: UInt64) {
    let fields = FXT.ObjectType.process.rawValue << 16 | name.reference << 24
    appendRecord(.kernelObject, fields, [process] + name.words)
  }

  /// Names a thread; `processKey` is the name `process`, by index or inline.
  package mutating func appendThreadName(
    _ name: Name, systemID: UInt64, process: UInt64, processKey: Name = "process"
  ) {
    let fields = FXT.ObjectType.thread.rawValue << 16 | name.reference << 24 | 1 << 40
    let argument = Self.words(of: processKey, .koid(process))
    appendRecord(.kernelObject, fields, [systemID] + name.words + argument)
  }

  // MARK: - Events

  /// Appends an event; at most 15 arguments are allowed.
  package mutating func appendEvent(
    _ event: Event, thread: Thread, category: Name, name: Name, at time: UInt64,
    arguments: [(key: Name, value: Value)] = []
  ) {
    guard arguments.count <= 15 else {
      tooLargeCount += 1
      return
    }
    let (type, tail) = event.typeAndTail
    var fields = FXTWord.eventFields(type, arguments: UInt64(arguments.count))
    fields |= category.reference << 32 | name.reference << 48
    var body = [time]
    switch thread {
    case .index(let index): fields |= UInt64(index) << 24
    case .inline(let process, let thread): body += [process, thread]
    }
    body += category.words + name.words
    for argument in arguments { body += Self.words(of: argument.key, argument.value) }
    appendRecord(.event, fields, body + tail)
  }

  /// Appends a line of a log.
  package mutating func appendLog(_ text: String, thread index: UInt8, at time: UInt64) {
    let bytes = text.prefixOfUTF8(Name.maximumLength)
    let fields = UInt64(bytes.count) << 16 | UInt64(index) << 32
    appendRecord(.log, fields, [time] + [UInt64](padding: bytes))
  }

  // MARK: - Blobs

  /// Appends bytes that readers of FXT skip.
  package mutating func appendBlob(
    _ name: Name, _ payload: [UInt8], type: UInt64 = FXT.dataBlob
  ) {
    let fields = name.reference << 16 | UInt64(payload.count) << 32 | type.bits(0, 8) << 48
    appendRecord(.blob, fields, name.words + [UInt64](padding: payload))
  }

  /// Appends a blob without a name that takes `words` words, including its header.
  package mutating func appendPad(words: Int) {
    guard words > 0 else { return }
    appendBlob(.empty, [UInt8](repeating: 0, count: (words - 1) * 8))
  }

  /// The words of an argument.
  private static func words(of key: Name, _ value: Value) -> [UInt64] {
    let (type, field, tail) = value.parts
    let body = key.words + tail
    let size = UInt64(body.count + 1)
    return [FXTWord.argument(type, words: size, key: UInt16(key.reference)) | field << 32] + body
  }
}

extension FXTWriter.Event {
  /// The event's type and the words at the end of its record.
  fileprivate var typeAndTail: (FXT.EventType, [UInt64]) {
    switch self {
    case .instant: (.instant, [])
    case .counter(let id): (.counter, [id])
    case .begin: (.durationBegin, [])
    case .end: (.durationEnd, [])
    case .complete(let end): (.durationComplete, [end])
    case .asyncBegin(let id): (.asyncBegin, [id])
    case .asyncInstant(let id): (.asyncInstant, [id])
    case .asyncEnd(let id): (.asyncEnd, [id])
    case .flowBegin(let id): (.flowBegin, [id])
    case .flowStep(let id): (.flowStep, [id])
    case .flowEnd(let id): (.flowEnd, [id])
    }
  }
}

extension FXTWriter.Value {
  /// The argument's type, the field of its header from bit 32, and the words after the name.
  fileprivate var parts: (FXT.ArgumentType, UInt64, [UInt64]) {
    switch self {
    case .null: (.null, 0, [])
    case .int32(let value): (.int32, UInt64(UInt32(bitPattern: value)), [])
    case .uint32(let value): (.uint32, UInt64(value), [])
    case .int64(let value): (.int64, 0, [UInt64(bitPattern: value)])
    case .uint64(let value): (.uint64, 0, [value])
    case .double(let value): (.double, 0, [value.bitPattern])
    case .string(let name): (.string, name.reference, name.words)
    case .pointer(let value): (.pointer, 0, [value])
    case .koid(let value): (.koid, 0, [value])
    case .bool(let value): (.bool, value ? 1 : 0, [])
    }
  }
}
