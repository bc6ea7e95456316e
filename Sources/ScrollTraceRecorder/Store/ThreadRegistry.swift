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
      let slot = takeSlot(&state)
      (slot + RecordingLayout.Slot.flags).storeBytes(
        of: UInt64(flags).littleEndian, as: UInt64.self)
      scrolltrace_store_release(slot + RecordingLayout.Slot.depth, 0)
      scrolltrace_store_release(
        slot + RecordingLayout.Slot.thread, UInt64(identity.id).littleEndian)
      state.writerCount += 1
      let writer = ThreadWriter.make(
        for: control, reusing: state.freeWriters.popLast(), slot: slot,
        ordinal: state.writerCount, thread: identity.id, threadName: name, flags: flags,
        isSimulated: isSimulated)
      if !isSimulated { writer.pointee.threadTimeKeys = threadTimeKeys }
      state.writers.append(writer)
      return writer
    }
  }

  /// Releases the writer of a thread that has ended. Its open spans stay in the file, and the writer is
  /// not reused until another thread has ended them: their tokens refer to it.
  func release(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    let end = keepsRing ? max(writer.readClock(), writer.pointee.earliestEnd) &+ 1 : 0
    locked { state in
      guard let index = state.writers.firstIndex(of: writer) else { return }
      state.writers.remove(at: index)
      // A finished file does not change.
      guard !state.isClosed else {
        state.freeWriters.append(writer)
        return
      }
      if let chunk = writer.pointee.chunk {
        writeOut(chunk)
        state.ring?.close(chunk, end: end)
      }
      state.endedWriters.append(writer)
      reuse(writer, &state)
    }
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
        let entry = UnsafeMutablePointer.entry(index, of: owner.pointee.stack)
        if scrolltrace_replace(entry + RecordingLayout.Entry.begin, token.begin, 0) { break }
      }
      if ended != nil { reuse(owner, &state) }
    }
  }

  /// Makes the writer of a thread that has ended available to other threads if it has no open span.
  private func reuse(
    _ writer: UnsafeMutablePointer<ThreadWriter>, _ state: inout RecorderState
  ) {
    writer.dropEndedEntries()
    guard writer.depth == 0, let index = state.endedWriters.firstIndex(of: writer) else { return }
    state.endedWriters.remove(at: index)
    state.freeWriters.append(writer)
    let slot = writer.pointee.stack
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

  /// Writes the name of the writer's thread, if it has one.
  func writeThreadName(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    let name = writer.pointee.threadName
    let thread = writer.pointee.thread
    guard name.length > 0 else { return }
    if withDurable({ $0.writeThreadName(name, of: thread, process: process) }) != true {
      writer.writeThreadName(name, of: thread, process: process)
    }
  }

  /// Returns a free slot for a thread's open spans, or separate memory if there is no chunk for it.
  private func takeSlot(_ state: inout RecorderState) -> UnsafeMutableRawPointer {
    if let slot = state.freeSlots.popLast() { return slot }
    return ThreadWriter.makeSlot()
  }

  /// Adds a stack chunk if no slot is free.
  private func addSlots(firstTick: UInt64) {
    takeChunk(.stacks, unless: { !$0.freeSlots.isEmpty }) { state, taken in
      let start = address(ofChunk: taken.place)
      _ = Chunk.begin(
        at: start,
        Chunk.Preamble(
          provider: 0, flags: RecordingLayout.ChunkFlag.stacks, sequence: taken.sequence,
          threadSequence: 0, process: process, thread: 0, threadDrops: 0, firstTick: firstTick))
      StackChunk.write(at: start)
      state.stackChunks.append(taken.place)
      for index in (0..<RecordingLayout.Stacks.slotCount).reversed() {
        state.freeSlots.append(StackChunk.slot(index, of: start))
      }
    }
  }
}
