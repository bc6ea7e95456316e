internal import ScrollTraceLayout
internal import ScrollTraceModel

extension FXTDecoder {
  /// Reads one record; `preceding` holds the bytes before it in its chunk.
  mutating func readRecord(_ record: FXTRecord, in preceding: UnsafeRawBufferPointer) {
    let type = FXT.RecordType(rawValue: record.header.bits(0, 4))
    if type != .event { otherRecordCount &+= 1 }
    switch type {
    case .event: readEvent(record)
    case .string: readString(record)
    case .thread: readThread(record)
    case .metadata: readMetadata(record)
    case .initialization: readInitialization(record)
    case .blob: readBlob(record, preceding)
    case .kernelObject: readKernelObject(record)
    case .log: readLog(record)
    case .scheduling: readScheduling(record)
    case .userspaceObject: builder.addNotice(.source("userspace objects are not read"))
    case .large: unread.count("large records")
    case nil: unread.count("records of the unknown type \(record.header.bits(0, 4))")
    }
  }

  private mutating func readMetadata(_ record: FXTRecord) {
    let header = record.header
    let provider = UInt32(header.bits(20, 32))
    switch FXT.MetadataType(rawValue: header.bits(16, 4)) {
    case .providerInfo: references.start(provider)
    case .providerSection: references.select(provider)
    case .providerEvent:
      let event = header.bits(52, 4)
      guard event != 0 else { return lose(.sourceDroppedRecords, at: record.offset) }
      unread.count("events of providers of the unknown type \(event)")
    case .traceInfo:
      if header == RecordingLayout.magic, !isScrollTraceRecording {
        references.reset()
        builder.addNotice(.source("the file contains several traces"))
      }
    case nil: unread.count("metadata of the unknown type \(header.bits(16, 4))")
    }
  }

  private mutating func readInitialization(_ record: FXTRecord) {
    guard record.count >= 2 else { return lose(.malformedRecord, at: record.offset) }
    let isRight = isScrollTraceRecording ? record[1] == 1_000_000_000 : record[1] > 0
    guard isRight else { return lose(.invalidValue, at: record.offset) }
    references.setTicksPerSecond(record[1])
  }

  private mutating func readString(_ record: FXTRecord) {
    let index = Int(record.header.bits(16, 15))
    guard let text = record.text(at: 1, count: Int(record.header.bits(32, 15))) else {
      return lose(.malformedRecord, at: record.offset)
    }
    if index > 0 { references.defineString(index, builder.string(text).rawValue) }
  }

  private mutating func readThread(_ record: FXTRecord) {
    guard record.count >= 3 else { return lose(.malformedRecord, at: record.offset) }
    let index = Int(record.header.bits(16, 8))
    guard index > 0 else { return }
    let thread = threads.index(process: record[1], thread: record[2], in: &builder)
    references.defineThread(index, thread)
  }

  private mutating func readKernelObject(_ record: FXTRecord) {
    let header = record.header
    var cursor = 2
    hasUndefinedReference = false
    guard record.count >= 2, let name = readName(header.bits(24, 16), in: record, at: &cursor),
      readArguments(Int(header.bits(40, 4)), of: record, from: &cursor)
    else { return lose(.malformedRecord, at: record.offset) }
    if hasUndefinedReference { lose(.undefinedReference, at: record.offset) }
    switch FXT.ObjectType(rawValue: header.bits(16, 8)) {
    case .process: threads.setName(name, process: record[1])
    case .thread:
      var process: UInt64?
      for argument in arguments where argument.key == keys.process {
        if case .unsigned(let koid) = argument.value { process = koid }
      }
      threads.setName(name, thread: record[1], process: process)
    case nil: break
    }
  }

  private mutating func readLog(_ record: FXTRecord) {
    let header = record.header
    guard record.count >= 2, let text = record.text(at: 2, count: Int(header.bits(16, 15))) else {
      return lose(.malformedRecord, at: record.offset)
    }
    guard let time = time(record[1]) else { return lose(.timeOutOfRange, at: record.offset) }
    hasUndefinedReference = false
    let thread = definedThread(Int(header.bits(32, 8)))
    if hasUndefinedReference { lose(.undefinedReference, at: record.offset) }
    let label = builder.label(category: builder.string("log"), name: builder.string(text))
    builder.addMark(on: threads.tracks[Int(thread)], at: time, label: label)
  }

  // MARK: - References

  /// Returns the name of `reference`, whose inline bytes start at word `cursor`, or `nil` if the
  /// record ends first.
  mutating func readName(
    _ reference: UInt64, in record: FXTRecord, at cursor: inout Int
  ) -> StringID? {
    guard reference & FXT.inlineBit != 0 else { return definedName(Int(reference)) }
    let length = Int(reference & 0x7fff)
    guard let text = record.text(at: cursor, count: length) else { return nil }
    cursor += FXT.words(forBytes: length)
    return builder.string(text)
  }

  /// Returns the name with the index `index`, or a placeholder if it is undefined (R5).
  mutating func definedName(_ index: Int) -> StringID {
    guard index != 0 else { return .empty }
    if let name = references.string(index) { return StringID(rawValue: name) }
    hasUndefinedReference = true
    return builder.string("(undefined string \(index))")
  }

  /// Returns the number of the thread with the index `index`; if it is undefined, the chunk's own
  /// thread or else a placeholder (R5).
  mutating func definedThread(_ index: Int) -> UInt32 {
    if index > 0, let thread = references.thread(index) { return thread }
    hasUndefinedReference = true
    if let chunkThread { return chunkThread }
    let thread = threads.index(process: 0, thread: UInt64(index), in: &builder)
    let track = threads.tracks[Int(thread)]
    if builder.name(of: track).isEmpty {
      builder.setName("(undefined thread \(index))", of: track)
    }
    return thread
  }
}
