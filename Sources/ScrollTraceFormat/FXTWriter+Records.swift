extension FXTWriter {
  // MARK: - Tables

  /// Appends the magic, the first record of a file.
  package mutating func appendMagic() { appendWord(RecordingLayout.magic) }

  /// Appends the ticks per second; the profile always says nanoseconds (F-1).
  package mutating func appendInitialization(ticksPerSecond: UInt64 = 1_000_000_000) {
    appendRecord(.initialization, 0, [ticksPerSecond])
  }

  /// Starts provider `id` with empty tables.
  package mutating func appendProvider(_ id: UInt32, name: String = "") {
    let bytes = name.prefixOfUTF8(255)
    let fields = FXT.MetadataType.providerInfo.rawValue << 16 | UInt64(id) << 20
    appendRecord(.metadata, fields | UInt64(bytes.count) << 52, [UInt64](padding: bytes))
  }

  /// Goes on with provider `id` and its tables.
  package mutating func appendProviderSection(_ id: UInt32) {
    appendRecord(
      .metadata, FXT.MetadataType.providerSection.rawValue << 16 | UInt64(id) << 20)
  }

  /// Says that something happened to provider `id`; event 0 is a full buffer.
  package mutating func appendProviderEvent(_ id: UInt32, event: UInt64 = 0) {
    let fields = FXT.MetadataType.providerEvent.rawValue << 16 | UInt64(id) << 20
    appendRecord(.metadata, fields | event.bits(0, 4) << 52)
  }

  /// Gives the name `text` the index `index`, 1 to 32 767.
  package mutating func appendString(_ index: UInt16, _ text: String) {
    let bytes = text.prefixOfUTF8(Name.maximumLength)
    let fields = (UInt64(index) & 0x7fff) << 16 | UInt64(bytes.count) << 32
    appendRecord(.string, fields, [UInt64](padding: bytes))
  }

  /// Gives the thread `systemID` of `process` the index `index`, 1 to 255.
  package mutating func appendThread(_ index: UInt8, process: UInt64, systemID: UInt64) {
    appendRecord(.thread, UInt64(index) << 16, [process, systemID])
  }

  // MARK: - Names of processes and threads

  /// Names a process; more may be said of it in an argument.
  package mutating func appendProcessName(
    _ name: Name, process: UInt64, argument: (key: Name, value: Value)? = nil
  ) {
    var fields = FXT.ObjectType.process.rawValue << 16 | name.reference << 24
    if argument != nil { fields |= 1 << 40 }
    let words = argument.map { Self.words(of: $0.key, $0.value) } ?? []
    appendRecord(.kernelObject, fields, [process] + name.words + words)
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
    var fields = type.rawValue << 16 | UInt64(arguments.count) << 20
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

  /// Appends a blob without a name that takes `words` words, its header included.
  package mutating func appendPad(words: Int) {
    guard words > 0 else { return }
    appendBlob(.empty, [UInt8](repeating: 0, count: (words - 1) * 8))
  }

  /// The words of an argument.
  private static func words(of key: Name, _ value: Value) -> [UInt64] {
    let (type, field, tail) = value.parts
    let body = key.words + tail
    let size = UInt64(body.count + 1)
    return [type.rawValue | size << 4 | key.reference << 16 | field << 32] + body
  }
}

extension FXTWriter.Event {
  /// The event's type and the words at the end of its record.
  fileprivate var typeAndTail: (FXT.EventType, [UInt64]) {
    switch self {
    case .instant: (.instant, [])
    case .counter(let id): (.counter, [id])
    case .start: (.durationBegin, [])
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
  /// The argument's type, the field of its header from bit 32 on, and the words behind the name.
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
