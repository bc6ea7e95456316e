internal import ScrollTraceLayout
internal import ScrollTraceModel

/// What the references in records mean: names, threads and labels, and the unit of times.
struct FXTTables {
  private var references = FXTReferences()
  /// The labels of the most recent references.
  private(set) var labels = RecentValues<UInt64, FXTLabel>(count: 1024)
  /// The thread of the chunk, for events whose thread is undefined.
  private var chunkThread: UInt32?
  /// Whether the record being read refers to something undefined (R5).
  private var hasUndefined = false

  /// A number that changes whenever an index can get another meaning; part of the keys of `labels`.
  var epoch: UInt32 { references.epoch }

  var clock: FXTClock { references.clock }

  /// Forgets all definitions, at the start of a self-contained chunk or of a file.
  mutating func reset() {
    references.reset()
    chunkThread = nil
  }

  /// Sets `thread` for the events of a chunk whose thread is undefined.
  mutating func setChunkThread(_ thread: UInt32) { chunkThread = thread }

  // MARK: - Definitions

  /// Adds what a record defines, if it is of such a type; returns the reason if it is lost.
  ///
  /// - Parameter isRecording: Whether the file has the recording layout, whose ticks are nanoseconds.
  mutating func define(
    _ record: FXTRecord, isRecording: Bool, _ trace: inout FXTTrace
  ) -> Loss.Reason? {
    let header = record.header
    switch FXT.RecordType(rawValue: header.bits(0, 4)) {
    case .string:
      guard let text = record.text(at: 1, count: Int(header.bits(32, 15))) else {
        return .malformedRecord
      }
      let index = Int(header.bits(16, 15))
      if index > 0 { references.defineString(index, trace.builder.string(text).rawValue) }
    case .thread:
      guard record.count >= 3 else { return .malformedRecord }
      let index = Int(header.bits(16, 8))
      if index > 0 {
        references.defineThread(index, trace.thread(process: record[1], thread: record[2]))
      }
    case .metadata:
      let provider = UInt32(header.bits(20, 32))
      switch FXT.MetadataType(rawValue: header.bits(16, 4)) {
      case .providerInfo: references.start(provider)
      case .providerSection: references.select(provider)
      case .providerEvent, .traceInfo, nil: break
      }
    case .initialization:
      guard record.count >= 2 else { return .malformedRecord }
      let clock = FXTClock(ticksPerSecond: record[1])
      guard isRecording ? clock.countsNanoseconds : record[1] > 0 else { return .invalidValue }
      references.setClock(clock)
    default: break
    }
    return nil
  }

  // MARK: - References

  /// Begins a record, of which nothing undefined is known.
  @inline(__always)
  mutating func begin() { hasUndefined = false }

  /// Counts a record that referred to something undefined (R5).
  @inline(__always)
  mutating func end(at offset: UInt64, _ trace: inout FXTTrace) {
    if hasUndefined { trace.lose(.undefinedReference, at: offset) }
  }

  /// Returns the name of `reference`, whose inline bytes start at word `cursor`, or `nil` if the
  /// record ends first.
  mutating func name(
    _ reference: UInt64, in record: FXTRecord, at cursor: inout Int, _ trace: inout FXTTrace
  ) -> StringID? {
    guard reference & FXT.inlineBit != 0 else {
      let index = Int(reference)
      guard index != 0 else { return .empty }
      return references.string(index).map(StringID.init(rawValue:)) ?? undefinedName(index, &trace)
    }
    let length = Int(reference & 0x7fff)
    guard let text = record.text(at: cursor, count: length) else { return nil }
    cursor += FXT.words(forBytes: length)
    return trace.builder.string(text)
  }

  /// Returns the name that `index` has in every chunk (W5).
  mutating func globalName(_ index: UInt16, _ trace: inout FXTTrace) -> StringID {
    guard index != 0 else { return .empty }
    return references.stringOfAnyProvider(Int(index)).map(StringID.init(rawValue:))
      ?? undefinedName(Int(index), &trace)
  }

  @inline(__always)
  mutating func knownName(_ index: Int) -> StringID? {
    references.string(index).map(StringID.init(rawValue:))
  }

  private mutating func undefinedName(_ index: Int, _ trace: inout FXTTrace) -> StringID {
    hasUndefined = true
    return trace.builder.string("(undefined string \(index))")
  }

  @inline(__always)
  mutating func knownThread(_ index: Int) -> UInt32? { references.thread(index) }

  /// Returns the number of the thread with the index `index`; if it is undefined, the chunk's own
  /// thread or else a placeholder (R5).
  mutating func thread(_ index: Int, _ trace: inout FXTTrace) -> UInt32 {
    if index > 0, let thread = references.thread(index) { return thread }
    hasUndefined = true
    if let chunkThread { return chunkThread }
    let thread = trace.thread(process: 0, thread: UInt64(index))
    let track = trace.track(of: thread)
    if trace.builder.name(of: track).isEmpty {
      trace.builder.setName("(undefined thread \(index))", of: track)
    }
    return thread
  }

  /// Returns whether the thread with an index is defined, and remembers if it is not.
  mutating func threadIfDefined(_ index: Int) -> UInt32? {
    if let thread = references.thread(index) { return thread }
    hasUndefined = true
    return nil
  }

  /// Returns the label of an event, whose inline names start at word `cursor`, or `nil` if the
  /// record ends first.
  mutating func label(
    of record: FXTRecord, at cursor: inout Int, _ trace: inout FXTTrace
  ) -> FXTLabel? {
    let header = record.header
    let key = FXTLabel.key(epoch: references.epoch, header: header)
    let isInline = header & 0x8000_8000_0000_0000 != 0
    if !isInline, let label = labels.find(key) { return label }
    let wasUndefined = hasUndefined
    hasUndefined = false
    guard let category = name(header.bits(32, 16), in: record, at: &cursor, &trace),
      let name = name(header.bits(48, 16), in: record, at: &cursor, &trace)
    else { return nil }
    let label = trace.label(category: category, name: name, trace.vocabulary.role(of: category))
    if !isInline, !hasUndefined { labels.keep(label, for: key) }
    hasUndefined = hasUndefined || wasUndefined
    return label
  }
}
