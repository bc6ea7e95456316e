internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

extension RecorderStore {
  /// Ends the recording: writes seals, anchor and state, and truncates the file after its last used
  /// chunk, or deletes it. No chunk is available afterwards.
  ///
  /// - Parameters:
  ///   - caller: The writer of the calling thread, or `nil`.
  ///   - isCut: Whether the file was cut or replaced meanwhile, so that nothing is written.
  func finish(caller: UnsafeMutablePointer<ThreadWriter>?, isCut: Bool) throws(RecorderError) {
    stopDumper()
    let isFirst = locked { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    stopGrower()
    withDurable { $0.limit = 0 }
    waiting(on: hasGrown) { $0.dumpsRunning > 0 }
    let failure = locked { state -> RecorderError? in
      for writer in state.writers { writer.limit = 0 }
      defer { if descriptor >= 0 { close(descriptor) } }
      guard !isCut, hasItsFile(state), hasItsSize(state) else {
        endAfterCut(state)
        return RecorderError(
          path: destination.path,
          reason: "the trace file was truncated or replaced while it was recorded",
          advice: "the recording ends there")
      }
      guard let weight = weight(state) else { return dropFile(&state) }
      if options.sealsChunks { sealChunks(state, caller: caller) }
      options.clock.writeAnchor(to: session + RecordingLayout.Session.closeAnchor)
      writeCounts(state)
      writeWeight(weight)
      markFinished(session, chunkCount: state.chunkCount)
      return descriptor < 0 ? nil : completeFile(state)
    }
    retire()
    ProcessMemory.release(self)
    if let failure { throw failure }
  }

  /// Returns whether the file has at least the size that it was given.
  private func hasItsSize(_ state: RecorderState) -> Bool {
    descriptor < 0
      || FileBytes.size(of: descriptor) >= RecordingLayout.pageSize
        + state.grownCount * RecordingLayout.chunkSize
  }

  /// Marks the session at `payload` as that of a finished file of `chunkCount` chunks.
  ///
  /// The size comes first: a host that dies in between leaves an open recording, and never one that
  /// says that it is finished and not how long it is.
  func markFinished(_ payload: UnsafeMutableRawPointer, chunkCount: Int) {
    typealias Session = RecordingLayout.Session
    scrolltrace_store(
      payload + Session.finishedChunks, UInt64(chunkCount).littleEndian)
    scrolltrace_store(
      payload + Session.finishedSize,
      RecordingLayout.fileSize(chunkCount: chunkCount).littleEndian)
    scrolltrace_store_release(payload + Session.state, UInt64(1).littleEndian)
  }

  /// Writes the counts that are kept outside of the file into it.
  func writeCounts(_ state: RecorderState) {
    guard let control = state.control else { return }
    let refused = control.refusedCount
    scrolltrace_store(session + RecordingLayout.Session.refusedInside, refused.littleEndian)
  }

  /// Seals the chunks that no other thread may currently be writing to.
  private func sealChunks(_ state: RecorderState, caller: UnsafeMutablePointer<ThreadWriter>?) {
    var unsealed = Set(state.stackChunks)
    for writer in state.writers where writer != caller && !writer.pointee.isSimulated {
      if let chunk = writer.pointee.chunk { unsealed.insert(chunk) }
    }
    for chunk in 0..<state.chunkCount where !unsealed.contains(chunk) {
      if emptiesMemory, !state.unwritten.contains(chunk) { continue }
      Chunk.seal(at: address(ofChunk: chunk))
    }
  }

  /// Writes the rest and truncates the file.
  private func completeFile(_ state: RecorderState) -> RecorderError? {
    if case .file = destination {
      // The page is written last, because it marks the recording as finished.
      var isWritten = true
      for chunk in 0..<state.chunkCount where isWritten {
        if !emptiesMemory || state.unwritten.contains(chunk) { isWritten = writeOut(chunk) }
      }
      if !isWritten || !writeOutPage() {
        return .system("cannot write the trace file", path: destination.path)
      }
    }
    let size = RecordingLayout.fileSize(chunkCount: state.chunkCount)
    guard ftruncate(descriptor, off_t(size)) == 0 else {
      return .system("cannot truncate the trace file", path: destination.path)
    }
    if FileBytes.isRemoved(descriptor) {
      return RecorderError(
        path: destination.path, reason: "the trace file was removed while it was recorded")
    }
    return nil
  }
}

/// What a finished recording gives back: its address space, its tables and its writers.
///
/// Other threads may be inside the recorder, or about to enter it after they saw it recording. First,
/// all that they can reach is replaced by memory that stays. Whoever enters after that has reached
/// every thread finds only the replacements, so once each thread was seen outside, nobody uses the
/// file's memory.
extension RecorderStore {
  /// Replaces what threads can reach.
  private func retire() {
    locked { state in
      if let control = state.control { control.session = control.pointee.ownCounters }
      state.names.close()
      for writer in state.writers {
        state.retired.append((writer, writer.stack))
        writer.limit = 0
        writer.stack = writer.ownSlot
      }
    }
    scrolltrace_fence_all_threads()
  }

  /// Gives the memory of the finished recording back, and returns whether no thread was using it.
  ///
  /// - Parameter patience: How long to wait for other threads, in microseconds.
  func release(patience: Int) -> Bool {
    let step = 50
    var waited = 0
    // While another thread that has recorded is inside a recorder.
    while locked({ state in state.retired.contains { $0.writer.isThreadInside } }) {
      guard waited < patience else { return false }
      usleep(UInt32(step))
      waited += step
    }
    let writers = locked { state in releaseMemory(&state) }
    if let durable = takeDurable() { ProcessMemory.give(durable) }
    for writer in writers { ProcessMemory.give(writer) }
    return true
  }

  /// Unmaps the file and returns the writers that no thread refers to.
  private func releaseMemory(_ state: inout RecorderState) -> [UnsafeMutablePointer<ThreadWriter>] {
    mergeCounts(state)
    var unused = state.freeWriters
    for (writer, stack) in state.retired {
      let depth = UInt32(
        truncatingIfNeeded: UInt64(
          littleEndian: scrolltrace_load(stack + RecordingLayout.Slot.depth)))
      writer.hasTokens = depth > 0 || !writer.pointee.leftBehind.isEmpty
      if writer.pointee.isSimulated { unused.append(writer) } else { writer.isRetired = true }
    }
    for writer in state.endedWriters {
      writer.hasTokens = true
      unused.append(writer)
    }
    if let mapping = state.mapping { scrolltrace_unguard(mapping) }
    unmap(keeping: destination == .memory && !state.isDropped ? state.chunkCount : nil)
    state.names.free()
    state.writers = []
    state.freeWriters = []
    state.endedWriters = []
    state.retired = []
    state.freeSlots = []
    state.stackChunks = []
    state.openInteractions = []
    state.unwritten = []
    state.mapping = nil
    state.ring = nil
    return unused
  }

  /// Adds the file's counters to those that stay.
  private func mergeCounts(_ state: RecorderState) {
    guard let control = state.control, control.holdsFile else { return }
    typealias Session = RecordingLayout.Session
    for offset in [Session.droppedNoChunk, Session.droppedTooBig, Session.droppedAfterClose] {
      let count = UInt64(littleEndian: scrolltrace_load(session + offset))
      scrolltrace_add(control.pointee.ownCounters + offset, count)
    }
    control.holdsFile = false
  }
}
