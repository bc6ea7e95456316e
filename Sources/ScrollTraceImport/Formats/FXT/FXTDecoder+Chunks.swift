internal import ScrollTraceModel

extension FXTDecoder {
  /// Starts a self-contained chunk of the recording layout.
  mutating func startChunk(_ chunk: FXTChunk?, at offset: UInt64) {
    references.reset()
    recordCount = 0
    otherRecordCount = 0
    chunkThread = nil
    profile.chunk = chunk
    guard let chunk else { return }
    profile.seen[chunk.sequence] = FXTRecordingMetadata.Seen(offset: offset, isSealed: false)
    guard !chunk.holdsStacks, !chunk.isShared else { return }
    let thread = threads.index(process: chunk.process, thread: chunk.thread, in: &builder)
    chunkThread = thread
    profile.seen[chunk.sequence]?.place = (thread, chunk.threadSequence)
    if chunk.isMain { builder.setMain(threads.tracks[Int(thread)]) }
    if chunk.isComplete { builder.setCompletelyRecorded(threads.tracks[Int(thread)]) }
    var sequence =
      profile.sequences[thread]
      ?? FXTRecordingMetadata.Sequence(highest: 0, count: 0, drops: 0, firstOffset: offset)
    sequence.highest = max(sequence.highest, chunk.threadSequence)
    sequence.count += 1
    sequence.drops = max(sequence.drops, chunk.threadDrops)
    profile.sequences[thread] = sequence
  }

  /// Rejects a chunk whose checksum does not match: any of its records can be wrong (R12).
  mutating func reject(_ chunk: FXTChunk?, at offset: UInt64) {
    lose(.checksumMismatch, at: offset)
    if let chunk, chunk.isShared || chunk.holdsStacks { return }
    profile.rejectedCount += 1
  }

  /// Counts the events of the chunk that was read.
  mutating func countEvents() {
    guard let chunk = profile.chunk, recordCount >= otherRecordCount else { return }
    let count = recordCount - otherRecordCount
    profile.eventCount &+= count
    if chunk.isMain { profile.mainEventCount &+= count }
  }

  /// Starts another file that follows the previous one.
  mutating func startNextFile() {
    batch.flush(into: &builder)
    resolveDurations()
    resolveAsyncs()
    resolveSchedule()
    finishProfile()
    pairing = FXTPairing()
    schedule = FXTSchedule()
    profile = FXTRecordingMetadata()
    profile.isFirstFile = false
    references.reset()
  }

  /// Starts the chunk in `bytes`, which is not pure padding, and returns the offset of its records.
  /// Returns `nil` and counts the loss if no record can be read.
  mutating func beginChunk(
    _ chunk: FXTChunk?, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) -> Int? {
    startChunk(chunk, at: offset)
    guard bytes.count >= 8 else {
      // The first bytes of padding: the writer died while the file grew.
      let isGrowing = bytes.elementsEqual(FXTFileReader.padBytes.prefix(bytes.count))
      if !isGrowing { lose(.cutAtEnd, at: offset) }
      return nil
    }
    let header = bytes.word(at: 0)
    if header & 0xf_ffff == 0x1_0010 { return 0 }
    if chunk != nil {
      lose(.damagedBytes, UInt64(FXTChunk.blobOffset), at: offset)
      return FXTChunk.blobOffset
    }
    if FXTRecord.isPad(header) { return 0 }
    lose(.damagedBytes, UInt64(bytes.count), at: offset)
    return nil
  }

  /// Ends the chunk at `offset` after all of its records have been read.
  mutating func endChunk(at offset: UInt64) {
    // Provider info, initialization and padding alone are a chunk whose writer died at its start.
    if profile.chunk == nil, recordCount > 3 {
      lose(.malformedRecord, at: offset + UInt64(FXTChunk.blobOffset))
    }
  }

  /// Counts the loss if the records of a page or chunk of `size` bytes at `offset` end too early
  /// (R2).
  mutating func lose(
    _ stop: Stop, at position: Int, in bytes: UnsafeRawBufferPointer, size: Int, offset: UInt64
  ) {
    let rest = UInt64(bytes.count - position)
    let isWhole = bytes.count == size
    let offset = offset + UInt64(position)
    switch stop {
    case .atEnd:
      if !isWhole { lose(.cutAtEnd, at: offset) }
    case .zeroSize:
      lose(.damagedBytes, rest, at: offset)
    case .needs(let wanted):
      if isWhole || wanted > UInt64(size - position) {
        lose(.damagedBytes, rest, at: offset)
      } else if !FXTRecord.isPad(bytes.word(at: position)) {
        lose(.cutAtEnd, at: offset)
      }
    }
  }
}
