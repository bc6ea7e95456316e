internal import CRecorderShims
internal import ScrollTraceLayout

/// A copy of a chunk that others may be writing to, or using again, at the same time (W8).
struct ChunkCopy {
  /// Where the copy is to lie: room for a chunk.
  let bytes: UnsafeMutableRawPointer

  /// The number that the chunk at `start` has now; `nil` where it is being built.
  static func sequence(at start: UnsafeMutableRawPointer) -> UInt64? {
    let first = UInt64(littleEndian: scrolltrace_peek(start))
    guard first != FXTWord.pad(words: UInt64(RecordingLayout.chunkSize / 8)) else { return nil }
    let place = RecordingLayout.chunkPayloadOffset + RecordingLayout.Chunk.sequence
    return UInt64(littleEndian: scrolltrace_peek(start + place))
  }

  /// Whether the chunk at `start` holds stacks of open spans.
  static func holdsStacks(at start: UnsafeMutableRawPointer) -> Bool {
    let word = UInt64(littleEndian: scrolltrace_peek(start + RecordingLayout.chunkPayloadOffset))
    return UInt32(truncatingIfNeeded: word >> 32) & RecordingLayout.ChunkFlag.stacks != 0
  }

  /// Copies the chunk at `start` if it has the number `sequence` before and after; whether it had.
  ///
  /// Words are taken from the first to the last, each after the one before it: whoever sees a record's
  /// header sees the record, and the pad behind it or what came in its place.
  func take(_ sequence: UInt64, from start: UnsafeMutableRawPointer) -> Bool {
    guard Self.sequence(at: start) == sequence else { return false }
    scrolltrace_copy_words(bytes, start, UInt(RecordingLayout.chunkSize / 8))
    scrolltrace_fence()
    return Self.sequence(at: start) == sequence
  }

  /// Leaves of the stacks in the copy only what was open at the copy and still is at `start`: an entry
  /// may have been taken while it changed (F-5).
  func settleStacks(with start: UnsafeMutableRawPointer) {
    for index in 0..<RecordingLayout.Stacks.slotCount {
      let copy = StackChunk.slot(index, of: bytes)
      let live = StackChunk.slot(index, of: start)
      let taken = UInt64(
        littleEndian: (copy + RecordingLayout.Slot.depth).load(as: UInt64.self))
      let now = UInt64(littleEndian: scrolltrace_peek(live + RecordingLayout.Slot.depth))
      guard taken != now else { continue }
      let most = min(
        UInt32(truncatingIfNeeded: taken), UInt32(truncatingIfNeeded: now),
        UInt32(RecordingLayout.Stacks.entryCount))
      var depth = 0
      while depth < Int(most), Self.isSame(depth, copy, live) { depth += 1 }
      let word = taken & ~0xFFFF_FFFF | UInt64(depth)
      (copy + RecordingLayout.Slot.depth).storeBytes(of: word.littleEndian, as: UInt64.self)
    }
  }

  /// Whether the entry number `index` of two slots is the same.
  private static func isSame(
    _ index: Int, _ copy: UnsafeMutableRawPointer, _ live: UnsafeMutableRawPointer
  ) -> Bool {
    let copied = UnsafeMutablePointer<ThreadWriter>.entry(index, of: copy)
    let entry = UnsafeMutablePointer<ThreadWriter>.entry(index, of: live)
    return stride(from: 0, to: RecordingLayout.Entry.size, by: 8).allSatisfy {
      (copied + $0).load(as: UInt64.self) == scrolltrace_peek(entry + $0)
    }
  }
}
