internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// A dump: the current content of the recording as a separate file, while threads continue to
/// write.
///
/// No thread waits. Chunks are copied without the lock, oldest first, and a copy is valid if its
/// chunk was not reused meanwhile (W8).
extension RecorderStore {
  /// The maximum number of attempts to copy a ring whose chunks are reused meanwhile.
  private static var attempts: Int { 16 }

  /// Writes all that is recorded so far into a new file.
  func dump(to path: String) throws(RecorderError) {
    let isAllowed = locked { state -> Bool in
      guard !state.isClosed || destination == .memory && !state.isDropped, hasItsFile(state) else {
        return false
      }
      state.dumpsRunning += 1
      return true
    }
    guard isAllowed else {
      throw RecorderError(
        path: path, reason: "the recording has ended", advice: "copy its file instead")
    }
    defer { endDump() }
    let file = try Self.createFile(for: .file(path: path), options: RecorderOptions())
    defer { close(file) }
    do throws(RecorderError) {
      if keepsRing { try dumpRing(to: file, path) } else { try dumpAll(to: file, path) }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Lets the recording be finished.
  private func endDump() {
    locked { state in
      state.dumpsRunning -= 1
      pthread_cond_broadcast(hasGrown)
    }
  }

  /// Copies the content of a ring to memory, which is fast, and then to the file.
  private func dumpRing(to file: Int32, _ path: String) throws(RecorderError) {
    var image = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    defer { image.deallocate() }
    for attempt in 1... {
      let moment = begin()
      let size = moment.chunkCount * RecordingLayout.chunkSize
      if image.count < size {
        image.deallocate()
        image = .allocate(byteCount: size, alignment: 4096)
      }
      // Before its first event, a recording consists of the first page.
      guard let start = image.baseAddress else { return try write(moment.page, 0, to: file, path) }
      var taken: [ChunkCopy] = []
      let candidates = candidates(moment.chunkCount)
      let stacks = candidates.prefix { $0.holdsStacks }
      func add(_ candidates: ArraySlice<Candidate>) {
        for candidate in candidates {
          let copy = ChunkCopy(bytes: start + taken.count * RecordingLayout.chunkSize)
          if copyChunk(candidate, at: moment, into: copy) { taken.append(copy) }
        }
      }
      add(stacks)
      if isOutrun(moment, attempt) { continue }
      add(candidates.dropFirst(stacks.count))
      let isWhole = taken.count == moment.chunkCount
      guard isWhole || attempt == Self.attempts else { continue }
      // If anything was overwritten, only the fact is known.
      let page = isWhole ? moment.page : copyPage()
      if taken.count * 2 < moment.chunkCount {
        throw RecorderError(
          path: path, reason: "the ring is overwritten faster than it can be copied",
          advice: "make it larger")
      }
      for (index, copy) in taken.enumerated() {
        finish(copy, at: moment)
        try write(copy, to: file, index, path)
      }
      return try write(page, taken.count, to: file, path)
    }
  }

  /// Copies all chunks one by one; nothing is overwritten.
  private func dumpAll(to file: Int32, _ path: String) throws(RecorderError) {
    let copy = ChunkCopy(bytes: .allocate(byteCount: RecordingLayout.chunkSize, alignment: 8))
    defer { copy.bytes.deallocate() }
    for attempt in 1... {
      let moment = begin()
      var count = 0
      func add(_ candidates: ArraySlice<Candidate>) throws(RecorderError) {
        for candidate in candidates where copyChunk(candidate, at: moment, into: copy) {
          finish(copy, at: moment)
          try write(copy, to: file, count, path)
          count += 1
        }
      }
      let candidates = candidates(moment.chunkCount)
      let stacks = candidates.prefix { $0.holdsStacks }
      try add(stacks)
      // The next attempt overwrites what this one has written.
      if isOutrun(moment, attempt) { continue }
      try add(candidates.dropFirst(stacks.count))
      return try write(moment.page, count, to: file, path)
    }
  }

  /// Returns whether a chunk was begun between `moment` and the copying of the stacks. It may
  /// define the names of spans that are open in the copy. The last attempt is accepted as it is.
  private func isOutrun(_ moment: Moment, _ attempt: Int) -> Bool {
    attempt < Self.attempts && locked { $0.sequenceCount } != moment.nextSequence
  }

  /// The state at the start of a dump, read under the lock.
  private struct Moment {
    var page: [UInt8]
    var chunkCount: Int
    var nextSequence: UInt64
    /// Whether the recording is finished and its chunks are sealed.
    var isClosed: Bool
  }

  private func begin() -> Moment {
    locked { state in
      Moment(
        page: copyPage(), chunkCount: state.chunkCount, nextSequence: state.sequenceCount,
        isClosed: state.isClosed)
    }
  }

  private struct Candidate {
    var chunk: Int
    var sequence: UInt64
    var holdsStacks: Bool
  }

  /// The chunks in use, stacks first: a span that ends while chunks are copied then has its event
  /// in them and does not count as open.
  private func candidates(_ count: Int) -> [Candidate] {
    (0..<count).compactMap { chunk -> Candidate? in
      if emptiesMemory { return candidateInFile(chunk) }
      let start = address(ofChunk: chunk)
      guard let sequence = ChunkCopy.sequence(at: start) else { return nil }
      return Candidate(
        chunk: chunk, sequence: sequence, holdsStacks: ChunkCopy.holdsStacks(at: start))
    }.sorted { ($0.holdsStacks ? 0 : 1, $0.sequence) < ($1.holdsStacks ? 0 : 1, $1.sequence) }
  }

  /// A chunk of a file that is not mapped. Its sequence number is that of the chunk in the file.
  private func candidateInFile(_ chunk: Int) -> Candidate? {
    locked { state in
      Candidate(
        chunk: chunk, sequence: UInt64(chunk), holdsStacks: state.stackChunks.contains(chunk))
    }
  }

  /// Copies a chunk of a file that is not mapped, from memory or, once it has left it, from the file.
  private func copyFromFile(_ candidate: Candidate, into copy: ChunkCopy) -> Bool {
    let start = address(ofChunk: candidate.chunk)
    let isInMemory = locked { state in
      guard state.unwritten.contains(candidate.chunk) else { return false }
      scrolltrace_copy_words(copy.bytes, start, UInt(RecordingLayout.chunkSize / 8))
      if candidate.holdsStacks { copy.settleStacks(with: start) }
      return true
    }
    // A chunk that is being built holds nothing yet.
    if isInMemory { return ChunkCopy.sequence(at: copy.bytes) != nil }
    let offset = RecordingLayout.pageSize + candidate.chunk * RecordingLayout.chunkSize
    let bytes = UnsafeMutableRawBufferPointer(start: copy.bytes, count: RecordingLayout.chunkSize)
    return FileBytes.read(bytes, from: descriptor, at: offset) == bytes.count
  }

  /// Copies a chunk that was begun before `moment`, and returns whether it still existed.
  private func copyChunk(_ candidate: Candidate, at moment: Moment, into copy: ChunkCopy) -> Bool {
    if emptiesMemory { return copyFromFile(candidate, into: copy) }
    let start = address(ofChunk: candidate.chunk)
    guard candidate.sequence < moment.nextSequence, copy.copyChunk(candidate.sequence, from: start)
    else { return false }
    if candidate.holdsStacks { copy.settleStacks(with: start) }
    return true
  }

  /// Seals a copy unless the chunk is already sealed or is never sealed.
  private func finish(_ copy: ChunkCopy, at moment: Moment) {
    guard options.sealsChunks, !moment.isClosed, !ChunkCopy.holdsStacks(at: copy.bytes) else {
      return
    }
    Chunk.seal(at: copy.bytes)
  }

  private func write(
    _ copy: ChunkCopy, to file: Int32, _ index: Int, _ path: String
  ) throws(RecorderError) {
    let bytes = UnsafeRawBufferPointer(start: copy.bytes, count: RecordingLayout.chunkSize)
    let offset = RecordingLayout.pageSize + index * RecordingLayout.chunkSize
    guard FileBytes.write(bytes, to: file, at: offset) == bytes.count else {
      throw .system("cannot write the dump", path: path)
    }
  }

  /// Writes the first page of a dump, which is marked as finished with `chunkCount` chunks.
  private func write(
    _ page: [UInt8], _ chunkCount: Int, to file: Int32, _ path: String
  ) throws(RecorderError) {
    var page = page
    let count = page.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      let payload = start + RecordingLayout.sessionPayloadOffset
      markFinished(payload, chunkCount: chunkCount)
      options.clock.writeAnchor(to: payload + RecordingLayout.Session.closeAnchor)
      return FileBytes.write(UnsafeRawBufferPointer(bytes), to: file, at: 0)
    }
    if count != page.count { throw .system("cannot write the dump", path: path) }
  }

  private func copyPage() -> [UInt8] {
    var page = [UInt8](repeating: 0, count: RecordingLayout.pageSize)
    page.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      scrolltrace_copy_words(start, base, UInt(RecordingLayout.pageSize / 8))
    }
    return page
  }
}

/// A copy of a chunk that other threads may be writing or reusing (W8).
struct ChunkCopy {
  /// The destination of the copy, with room for a chunk.
  let bytes: UnsafeMutableRawPointer

  /// The current number of the chunk at `start`, or `nil` if it is being built.
  static func sequence(at start: UnsafeMutableRawPointer) -> UInt64? {
    let first = UInt64(littleEndian: scrolltrace_peek(start))
    guard first != FXTWord.pad(words: UInt64(RecordingLayout.chunkSize / 8)) else { return nil }
    let offset = RecordingLayout.chunkPayloadOffset + RecordingLayout.Chunk.sequence
    return UInt64(littleEndian: scrolltrace_peek(start + offset))
  }

  /// Returns whether the chunk at `start` holds stacks of open spans.
  static func holdsStacks(at start: UnsafeMutableRawPointer) -> Bool {
    let word = UInt64(littleEndian: scrolltrace_peek(start + RecordingLayout.chunkPayloadOffset))
    return UInt32(truncatingIfNeeded: word >> 32) & RecordingLayout.ChunkFlag.stacks != 0
  }

  /// Copies the chunk at `start` and returns whether its number was `sequence` before and
  /// afterwards.
  ///
  /// Words are copied in order, so a copy that contains a record's header also contains the record
  /// and the pad after it, or the pad's replacement.
  func copyChunk(_ sequence: UInt64, from start: UnsafeMutableRawPointer) -> Bool {
    guard Self.sequence(at: start) == sequence else { return false }
    scrolltrace_copy_words(bytes, start, UInt(RecordingLayout.chunkSize / 8))
    scrolltrace_fence()
    return Self.sequence(at: start) == sequence
  }

  /// Removes all spans from the copied stacks that were not open both in the copy and now at
  /// `start`, because an entry may have been copied while it changed (F-5).
  func settleStacks(with start: UnsafeMutableRawPointer) {
    for index in 0..<RecordingLayout.Stacks.slotCount {
      let copy = StackChunk.slot(index, of: bytes)
      let live = StackChunk.slot(index, of: start)
      let taken = UInt64(littleEndian: (copy + RecordingLayout.Slot.depth).load(as: UInt64.self))
      let now = UInt64(littleEndian: scrolltrace_peek(live + RecordingLayout.Slot.depth))
      guard taken != now else { continue }
      let maximum = min(
        UInt32(truncatingIfNeeded: taken), UInt32(truncatingIfNeeded: now),
        UInt32(RecordingLayout.Stacks.entryCount))
      var depth = 0
      while depth < Int(maximum), Self.isSame(depth, copy, live) { depth += 1 }
      let word = taken & ~0xFFFF_FFFF | UInt64(depth)
      (copy + RecordingLayout.Slot.depth).storeBytes(of: word.littleEndian, as: UInt64.self)
    }
  }

  /// Returns whether an entry is the same in two slots.
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
