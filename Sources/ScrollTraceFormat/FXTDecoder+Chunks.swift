internal import ScrollTraceModel

extension FXTDecoder {
  /// Starts a chunk of the profile, which stands on its own.
  mutating func startChunk(_ chunk: FXTChunk?, at offset: UInt64) {
    references.reset()
    recordCount = 0
    otherRecordCount = 0
    chunkThread = nil
    profile.chunk = chunk
    guard let chunk else { return }
    profile.seen[chunk.sequence] = FXTProfile.Seen(offset: offset, isSealed: false)
    guard !chunk.holdsStacks, !chunk.isShared else { return }
    let thread = threads.index(process: chunk.process, thread: chunk.thread, in: &builder)
    chunkThread = thread
    if chunk.isMain { builder.setMain(threads.tracks[Int(thread)]) }
    if chunk.isComplete { builder.setCompletelyRecorded(threads.tracks[Int(thread)]) }
    var sequence =
      profile.sequences[thread]
      ?? FXTProfile.Sequence(highest: 0, count: 0, drops: 0, firstOffset: offset)
    sequence.highest = max(sequence.highest, chunk.threadSequence)
    sequence.count += 1
    sequence.drops = max(sequence.drops, chunk.threadDrops)
    profile.sequences[thread] = sequence
  }

  /// Counts the events of the chunk that was read.
  mutating func countEvents() {
    guard let chunk = profile.chunk, recordCount >= otherRecordCount else { return }
    let count = recordCount - otherRecordCount
    profile.eventCount &+= count
    if chunk.isMain { profile.mainEventCount &+= count }
  }

  /// Starts another file behind the one before it.
  mutating func startNextFile() {
    batch.flush(into: &builder)
    resolveDurations()
    resolveAsyncs()
    finishProfile()
    pairing = FXTPairing()
    profile = FXTProfile()
    profile.isFirstFile = false
    references.reset()
  }
}
