internal import ScrollTraceLayout
internal import ScrollTraceModel

/// Decoding of a file while it is written.
extension FXTDecoder {
  /// Continues a chunk whose records up to `position` have been read, and restores their
  /// definitions.
  mutating func resumeChunk(
    _ chunk: FXTChunk?, _ bytes: UnsafeRawBufferPointer, at position: Int, recordCount: UInt64
  ) {
    references.reset()
    profile.chunk = chunk
    chunkThread = chunk.flatMap { chunk in
      chunk.holdsStacks || chunk.isShared
        ? nil : threads.index(process: chunk.process, thread: chunk.thread, in: &builder)
    }
    var next = 0
    while position - next >= 8 {
      let size = FXTRecord.size(bytes.word(at: next))
      guard size > 0, size <= UInt64(position - next) else { break }
      let end = next + Int(size)
      define(
        FXTRecord(
          bytes: UnsafeRawBufferPointer(rebasing: bytes[next..<end]), offset: UInt64(next)))
      next = end
    }
    self.recordCount = recordCount
  }

  /// Applies a record's definition, if it has one; its errors were counted before.
  private mutating func define(_ record: FXTRecord) {
    switch FXT.RecordType(rawValue: record.header.bits(0, 4)) {
    case .string:
      let index = Int(record.header.bits(16, 15))
      let length = Int(record.header.bits(32, 15))
      guard index > 0, let text = record.text(at: 1, count: length) else { return }
      references.defineString(index, builder.string(text).rawValue)
    case .thread:
      let index = Int(record.header.bits(16, 8))
      guard index > 0, record.count >= 3 else { return }
      let thread = threads.index(process: record[1], thread: record[2], in: &builder)
      references.defineThread(index, thread)
    case .metadata:
      let provider = UInt32(record.header.bits(20, 32))
      switch FXT.MetadataType(rawValue: record.header.bits(16, 4)) {
      case .providerInfo: references.start(provider)
      case .providerSection: references.select(provider)
      case .providerEvent, .traceInfo, nil: break
      }
    case .initialization:
      if record.count >= 2, record[1] > 0 { references.setTicksPerSecond(record[1]) }
    default: break
    }
  }

  /// Returns the builder as if nothing followed; the decoder does not change.
  ///
  /// - Parameter stacks: The current chunks of open spans.
  mutating func snapshot(_ stacks: [(chunk: FXTChunk, bytes: [UInt8])]) -> TraceBuilder {
    batch.flush(into: &builder)
    let before = (builder, threads, surfaces, lastSurface, texts, profile)
    for (chunk, bytes) in stacks {
      profile.chunk = chunk
      bytes.withUnsafeBytes { bytes in
        guard bytes.isBlob(RecordingLayout.BlobName.stacks, at: RecordingLayout.chunkPreambleSize)
        else { return }
        let size = FXTRecord.size(bytes.word(at: RecordingLayout.chunkPreambleSize))
        let end = RecordingLayout.chunkPreambleSize + Int(size)
        guard size > 0, end <= bytes.count else { return }
        let blob = bytes[RecordingLayout.chunkPreambleSize..<end]
        readBlob(
          FXTRecord(bytes: UnsafeRawBufferPointer(rebasing: blob), offset: 0),
          UnsafeRawBufferPointer(rebasing: bytes[..<RecordingLayout.chunkPreambleSize]))
      }
    }
    resolveDurations()
    resolveAsyncs()
    resolveSchedule()
    finishProfile()
    threads.applyNames(to: &builder)
    unread.note(in: &builder)
    let result = builder
    (builder, threads, surfaces, lastSurface, texts, profile) = before
    return result
  }

  /// Forgets everything that ended before `time`.
  mutating func forget(before time: Timestamp) {
    batch.flush(into: &builder)
    builder.forget(before: time)
    schedule.forget(before: time)
    // The start of such an end can be overwritten, which is not a loss (R18).
    let isCut = profile.overwrittenBefore != nil
    for offset in pairing.forget(before: time, threads, isCut: isCut) {
      lose(.unmatchedEnd, at: offset)
    }
    // Chunks that old do not come again.
    guard profile.seen.count > 1 << 16, let latest = profile.seen.keys.max() else { return }
    let first = latest - min(latest, 1 << 15)
    profile.seen = profile.seen.filter { $0.key >= first }
  }
}
