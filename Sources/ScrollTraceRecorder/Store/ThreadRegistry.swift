internal import CRecorderShims
internal import ScrollTraceLayout

extension RecorderStore {
  /// Returns a writer for the calling thread or a simulated one.
  func makeWriter(
    _ control: UnsafeMutablePointer<ControlBlock>, _ identity: ThreadIdentity, isSimulated: Bool
  ) -> UnsafeMutablePointer<ThreadWriter> {
    let name = intern(identity.name)
    var flags: UInt32 = identity.isMain ? RecordingLayout.ChunkFlag.mainThread : 0
    if identity.isMain, options.isMainThreadFullyInstrumented {
      flags |= RecordingLayout.ChunkFlag.completeThread
    }
    if isSimulated { flags |= RecordingLayout.ChunkFlag.simulatedThread }
    addSlots(firstTick: control.readClock())
    return locked { state in
      let slot = state.isClosed ? nil : state.freeSlots.popLast()
      if let slot {
        (slot + RecordingLayout.Slot.flags).storeBytes(
          of: UInt64(flags).littleEndian, as: UInt64.self)
        scrolltrace_store_release(slot + RecordingLayout.Slot.depth, 0)
        scrolltrace_store_release(
          slot + RecordingLayout.Slot.thread, UInt64(identity.id).littleEndian)
      }
      state.writerCount += 1
      let used = state.takeFreeWriter(withChunk: flags == 0 && slot != nil)
      let writer = ThreadWriter.make(
        for: control, reusing: used, slot: slot, ordinal: state.writerCount, thread: identity.id,
        threadName: name, flags: flags, isSimulated: isSimulated)
      if !isSimulated {
        writer.pointee.threadTimeKeys = threadTimeKeys
        writer.pointee.sampler = sampler
        writer.pointee.hasFrameWork = threadTimeKeys != 0 || sampler != nil
      }
      state.writers.append(writer)
      return writer
    }
  }

  /// Releases the writer of a thread that has ended. Its open spans stay in the file, and the writer is
  /// not reused until another thread has ended them: their tokens refer to it.
  func release(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    let now = keepsRing ? writer.readClock() : 0
    writer.forgetThread()
    let isUnused = locked { state in
      guard let index = state.writers.firstIndex(of: writer) else { return writer.isRetired }
      state.writers.remove(at: index)
      // A finished file does not change.
      guard !state.isClosed else {
        state.freeWriters.append(writer)
        return false
      }
      if let chunk = writer.pointee.chunk { writeOut(chunk) }
      let end = max(now, writer.pointee.earliestEnd) &+ 1
      writer.pointee.chunkEarliestEnd = max(writer.pointee.chunkEarliestEnd, end)
      if !canLend(writer) { closeChunk(of: writer, &state) }
      state.endedWriters.append(writer)
      reuse(writer, &state)
      return false
    }
    if isUnused { ProcessMemory.give(writer) }
  }

  /// The least room for which a chunk is lent to another thread: enough for its names.
  private static var minimumRoom: Int { 5_000 }

  /// Returns whether another thread may continue the chunk of one that has ended.
  private func canLend(_ writer: UnsafeMutablePointer<ThreadWriter>) -> Bool {
    writer.depth == 0 && writer.pointee.leftBehind.isEmpty && writer.pointee.flags == 0
      && writer.room >= Self.minimumRoom
  }

  /// Makes the chunk of a thread that has ended one that nobody writes to.
  private func closeChunk(
    of writer: UnsafeMutablePointer<ThreadWriter>, _ state: inout RecorderState
  ) {
    guard let chunk = writer.pointee.chunk else { return }
    state.ring?.close(chunk, end: writer.pointee.chunkEarliestEnd)
    writer.pointee.chunk = nil
    writer.limit = 0
  }

  /// Writes whose events follow in the chunk that `writer` continues, and the thread's name.
  func moveIn(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    if writer.writeThread(process: process), writer.pointee.chunkCount == 0 { introduce(writer) }
  }

  /// Marks the entry of another thread's span as ended.
  func markEnded(_ token: SpanToken) {
    locked { state in
      func isOwner(_ writer: UnsafeMutablePointer<ThreadWriter>) -> Bool {
        UnsafeMutableRawPointer(writer) == token.writer
      }
      let ended = state.endedWriters.first(where: isOwner)
      guard let owner = ended ?? state.writers.first(where: isOwner) else { return }
      for index in 0..<RecordingLayout.Stacks.entryCount {
        let entry = UnsafeMutablePointer.entry(index, of: owner.stack)
        if scrolltrace_replace(entry + RecordingLayout.Entry.begin, token.begin, 0) { break }
      }
      guard ended != nil else { return }
      _ = owner.pointee.leftBehind.remove(token.begin)
      reuse(owner, &state)
    }
  }

  /// Makes the writer of a thread that has ended available to other threads if it has no open span.
  private func reuse(_ writer: UnsafeMutablePointer<ThreadWriter>, _ state: inout RecorderState) {
    writer.dropEndedEntries()
    guard writer.depth == 0, writer.pointee.leftBehind.isEmpty,
      let index = state.endedWriters.firstIndex(of: writer)
    else { return }
    state.endedWriters.remove(at: index)
    state.freeWriters.append(writer)
    let slot = writer.stack
    guard slot != writer.ownSlot else { return }
    scrolltrace_store_release(slot + RecordingLayout.Slot.thread, 0)
    scrolltrace_store_release(slot + RecordingLayout.Slot.depth, 0)
    state.freeSlots.append(slot)
  }

  /// Writes the names of the process and the thread into the thread's first chunk.
  func introduce(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    let isFirst = locked { state in
      defer { state.processIsNamed = true }
      return !state.processIsNamed
    }
    if isFirst {
      let name = intern(options.processName ?? String(cString: scrolltrace_process_name()))
      if name.length > 0, withDurable({ $0.writeProcessName(name, id: process) }) != true {
        writer.writeProcessName(name, id: process)
      }
    }
    writeThreadName(writer)
  }

  func writeThreadName(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    let name = writer.pointee.threadName
    let thread = writer.pointee.thread
    guard name.length > 0 else { return }
    if withDurable({ $0.writeThreadName(name, of: thread, process: process) }) != true {
      writer.writeThreadName(name, of: thread, process: process)
    }
  }

  /// Adds a stack chunk if no slot is free.
  private func addSlots(firstTick: UInt64) {
    takeChunk(.stacks, unless: { !$0.freeSlots.isEmpty }) { state, taken in
      let start = address(ofChunk: taken.index)
      _ = Chunk.begin(
        at: start,
        Chunk.Preamble(
          provider: 0, flags: RecordingLayout.ChunkFlag.stacks, sequence: taken.sequence,
          threadSequence: 0, process: process, thread: 0, threadDrops: 0, firstTick: firstTick))
      StackChunk.write(at: start)
      state.stackChunks.append(taken.index)
      for index in (0..<RecordingLayout.Stacks.slotCount).reversed() {
        state.freeSlots.append(StackChunk.slot(index, of: start))
      }
    }
  }
}

extension RecorderState {
  /// Removes and returns the writer of a thread that has ended, if there is one to use: with a chunk to
  /// continue if that is wanted and there is one, otherwise without.
  mutating func takeFreeWriter(withChunk: Bool) -> UnsafeMutablePointer<ThreadWriter>? {
    let lent = withChunk ? freeWriters.lastIndex { $0.pointee.chunk != nil } : nil
    let index = lent ?? freeWriters.lastIndex { $0.pointee.chunk == nil }
    return index.map { freeWriters.remove(at: $0) }
  }
}
