internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

extension RecorderStore {
  /// Replaces the chunk of `writer` with a new one that is one pad, or returns `nil` if none is
  /// available.
  ///
  /// The writer is updated under the lock, so that `finish` never mistakes the chunk for an unused
  /// one.
  func takeChunk(for writer: UnsafeMutablePointer<ThreadWriter>) -> TakenChunk? {
    let own = writer.pointee.chunk
    let isDurable = writer.pointee.isDurable
    // Times from the host may be later than the clock.
    let last = max(writer.pointee.earliestEnd, writer.pointee.chunkEarliestEnd)
    let end = keepsRing ? max(writer.readClock(), last) &+ 1 : 0
    let closed = isDurable ? nil : own.map { ChunkRing.Closed(chunk: $0, end: end) }
    let taken = takeChunk(isDurable ? .durable : .events(before: closed)) { state, taken in
      if let own, !emptiesMemory { writeOut(own) }
      if let closed, closed.chunk != taken.index { state.ring?.close(closed.chunk, end: end) }
      writer.pointee.chunk = taken.index
      writer.limit = ThreadWriter.noLimitYet
    }
    if taken != nil, let own { moveOut(own) }
    return taken
  }

  /// Moves a full chunk, which nobody writes to any more, from memory to a file that is not mapped. It
  /// stays in memory if it cannot be written.
  private func moveOut(_ chunk: Int) {
    guard emptiesMemory else { return }
    if options.sealsChunks { Chunk.seal(at: address(ofChunk: chunk)) }
    guard writeOut(chunk) else {
      return locked { state in
        if state.stopReason == 0 {
          state.stopReason = RecordingLayout.Session.writeErrorBase + UInt64(errno)
        }
      }
    }
    locked { state in
      state.unwritten.remove(chunk)
      scrolltrace_empty(address(ofChunk: chunk), UInt(RecordingLayout.chunkSize))
    }
  }

  /// Takes a chunk that is one pad and runs `use` with it under the lock, unless none is available
  /// or `isNeedless`, also under the lock, returns `true`.
  @discardableResult
  func takeChunk(
    _ purpose: ChunkPurpose, unless isNeedless: (RecorderState) -> Bool = { _ in false },
    _ use: (inout RecorderState, TakenChunk) -> Void
  ) -> TakenChunk? {
    while true {
      let step = locked { state -> ChunkStep in
        if state.isClosed || isNeedless(state) || !hasItsFile(state) { return .end }
        writeCounts(state)
        if let old = oldChunk(for: purpose, &state) {
          let taken = TakenChunk(index: old.chunk, sequence: state.takeSequence())
          overwrite(old)
          use(&state, taken)
          return .taken(taken, wakesGrower: false)
        }
        if purpose.isDurable, state.ring?.hasDurableRoom != true || !hasRoom(state) { return .end }
        guard state.chunkCount < state.grownCount else { return claimRoom(&state) }
        let taken = TakenChunk(index: state.chunkCount, sequence: state.takeSequence())
        state.chunkCount += 1
        switch purpose {
        case .events: state.ring?.grow()
        case .durable: state.ring?.growDurable()
        case .stacks: break
        }
        if emptiesMemory { state.unwritten.insert(taken.index) }
        if !destination.isMapped {
          let start = address(ofChunk: taken.index)
          RecordBuilder.writePad(from: start, to: start + RecordingLayout.chunkSize)
        }
        use(&state, taken)
        let wakes = state.growerWaits && state.isLow
        if wakes { state.growerWaits = false }
        return .taken(taken, wakesGrower: wakes)
      }
      switch step {
      case .taken(let taken, let wakes):
        if wakes { pthread_cond_signal(stockRunsLow) }
        return taken
      case .grow(let claim): makeRoom(claim)
      case .wait: waitForRoom()
      case .end: return nil
      }
    }
  }

  /// Returns whether a chunk is ready or can be made.
  private func hasRoom(_ state: RecorderState) -> Bool {
    state.chunkCount < state.grownCount || state.stopReason == 0 && state.grownCount < capacity
  }

  /// The chunk to reuse, or `nil`: the one that was closed first, or the caller's own if all others
  /// are written to.
  private func oldChunk(
    for purpose: ChunkPurpose, _ state: inout RecorderState
  ) -> ChunkRing.Closed? {
    guard case .events(let own) = purpose, let ring = state.ring else { return nil }
    let isWhole = ring.count >= ring.wantedCount(threads: state.writers.count)
    guard isWhole || !hasRoom(state) else { return nil }
    if let old = takeLentOut(before: ring.oldestEnd, &state) ?? state.ring?.takeOldest() {
      return old
    }
    return hasRoom(state) ? nil : own
  }

  /// Takes the chunk of a thread that has ended, which no other thread continues, if nothing in it is
  /// as late as `end`.
  private func takeLentOut(before end: UInt64?, _ state: inout RecorderState) -> ChunkRing.Closed? {
    var oldest: (writer: UnsafeMutablePointer<ThreadWriter>, closed: ChunkRing.Closed)?
    for writer in state.freeWriters {
      guard let chunk = writer.pointee.chunk, writer.pointee.chunkEarliestEnd < end ?? .max,
        writer.pointee.chunkEarliestEnd < oldest?.closed.end ?? .max
      else { continue }
      oldest = (writer, ChunkRing.Closed(chunk: chunk, end: writer.pointee.chunkEarliestEnd))
    }
    guard let oldest else { return nil }
    oldest.writer.pointee.chunk = nil
    oldest.writer.limit = 0
    return oldest.closed
  }

  /// Turns a chunk into one pad, after recording what the recording no longer holds (W8).
  private func overwrite(_ old: ChunkRing.Closed) {
    typealias Session = RecordingLayout.Session
    let since = session + Session.keptSince
    let known = UInt64(littleEndian: scrolltrace_load(since))
    scrolltrace_store(since, max(known, old.end).littleEndian)
    scrolltrace_add(session + Session.chunksOverwritten, 1)
    if case .file = destination { writeOutPage() }
    let start = address(ofChunk: old.chunk)
    let pad = FXTWord.pad(words: UInt64(RecordingLayout.chunkSize / 8))
    scrolltrace_store_release(start, pad.littleEndian)
    // Anyone who sees a part of the new chunk sees this pad or its replacement.
    scrolltrace_fence()
  }

  /// Writes a chunk to a file that is not mapped.
  @discardableResult
  func writeOut(_ chunk: Int) -> Bool {
    guard case .file = destination else { return true }
    let bytes = UnsafeRawBufferPointer(
      start: address(ofChunk: chunk), count: RecordingLayout.chunkSize)
    let offset = RecordingLayout.pageSize + chunk * RecordingLayout.chunkSize
    return FileBytes.write(bytes, to: descriptor, at: offset) == bytes.count
  }

  /// Writes the first page to a file that is not mapped.
  @discardableResult
  func writeOutPage() -> Bool {
    let page = UnsafeRawBufferPointer(start: base, count: RecordingLayout.pageSize)
    return FileBytes.write(page, to: descriptor, at: 0) == page.count
  }
}

enum ChunkPurpose {
  /// A thread's events. The thread leaves the given chunk.
  case events(before: ChunkRing.Closed?)
  /// The records that a flight recorder never overwrites.
  case durable
  /// Stacks of open spans.
  case stacks

  /// Whether the chunk is never reused.
  var isDurable: Bool { if case .durable = self { true } else { false } }
}

/// A chunk to begin.
struct TakenChunk {
  var index: Int
  /// The chunk's number in the recording.
  var sequence: UInt64
}

extension RecorderState {
  /// Returns the number of the next chunk.
  mutating func takeSequence() -> UInt64 {
    defer { sequenceCount += 1 }
    return sequenceCount
  }
}

/// The next step for a thread that needs a chunk.
enum ChunkStep {
  /// The thread has a chunk, and may have to wake the thread that keeps chunks ready.
  case taken(TakenChunk, wakesGrower: Bool)
  /// The thread makes these chunks itself.
  case grow(Range<Int>)
  /// Another thread is making chunks.
  case wait
  /// No chunk is available.
  case end
}

/// The growth of the file: by one thread at a time, without the lock, and in file order (W4).
///
/// A thread of the recorder keeps some chunks ready, written and mapped, so that no thread of the
/// host waits for the system. If that thread is late or missing, the thread that needs a chunk
/// makes it.
extension RecorderStore {
  /// The number of chunks made at a time, about half a MiB, so that a waiting thread does not wait
  /// long.
  private static var piece: Int { 16 }
  /// The maximum number of chunks that are kept ready, about 16 MiB.
  private static var maximum: Int { 512 }
  /// If chunks run low twice within 20 ms, twice as many are kept ready.
  private static var hurry: UInt64 { 20_000_000 }
  /// If chunks do not run low for 1 s, half as many are kept ready.
  private static var leisure: UInt64 { 1_000_000_000 }
  /// The number of seconds after which the recorder writes again that the host is alive.
  private static var beat: Int { 1 }

  /// Makes the first chunks and `bytes` bytes of chunks, or all of a ring and some additional
  /// chunks.
  func prepare(bytes: Int) {
    let ring = locked { $0.ring.map { $0.minimumCount + RecorderState.minimumStock / 2 } ?? 0 }
    let wanted = min(
      max(bytes / RecordingLayout.chunkSize, RecorderState.minimumStock, ring), capacity)
    makeChunks { $0.grownCount >= wanted }
  }

  /// Claims the next chunks to make, for the calling thread.
  private func claimRoom(_ state: inout RecorderState) -> ChunkStep {
    if state.isGrowing { return .wait }
    let piece = keepsRing ? RecorderState.minimumStock / 2 : Self.piece
    let count = min(
      state.grownCount == 0 ? RecorderState.minimumStock : piece, capacity - state.grownCount)
    if state.stopReason == 0, count == 0 { state.stopReason = 1 }
    guard state.stopReason == 0 else {
      // Events are lost only from this point.
      scrolltrace_store_release(
        session + RecordingLayout.Session.stop, state.stopReason.littleEndian)
      return .end
    }
    state.isGrowing = true
    return .grow(state.grownCount..<(state.grownCount + count))
  }

  /// Makes the chunks that the calling thread has claimed, and notifies the other threads.
  func makeRoom(_ claim: Range<Int>) {
    var made = claim.count
    var failure: Int32 = 0
    if descriptor >= 0 {
      let offset = RecordingLayout.pageSize + claim.lowerBound * RecordingLayout.chunkSize
      if FileBytes.size(of: descriptor) < offset {
        // Others have cut the file; growing it would fill the gap with zeros.
        locked { endAfterCut($0) }
        (made, failure) = (0, EIO)
      } else {
        (made, failure) = FileBytes.appendPads(claim.count, to: descriptor, at: offset)
      }
    }
    let bytes = made * RecordingLayout.chunkSize
    if made > 0, !emptiesMemory,
      scrolltrace_populate(address(ofChunk: claim.lowerBound), UInt(bytes)) != 0
    {
      // The system cannot provide memory for these pages, or space after them. A store would kill
      // the process.
      failure = destination.isMapped ? ENOSPC : ENOMEM
      made = 0
    }
    locked { state in
      state.grownCount += made
      if failure != 0 {
        state.stopReason = RecordingLayout.Session.writeErrorBase + UInt64(failure)
      }
      state.isGrowing = false
      pthread_cond_broadcast(hasGrown)
    }
  }

  private func waitForRoom() { waiting(on: hasGrown) { $0.isGrowing } }

  // MARK: - The thread

  /// Starts the thread that keeps chunks ready and writes that the host is alive. A host in virtual time has
  /// no need for it and gets the same bytes each time.
  func startGrower() {
    guard destination.isMapped, options.clock.systemClock != nil else { return }
    let thread = startThread("scrolltrace") { $0.refillFreeChunks() }
    locked { state in state.grower = thread }
  }

  /// Keeps chunks ready, and writes each second that the host is alive, until the recording is finished.
  private func refillFreeChunks() {
    var last = scrolltrace_clock(CLOCK_MONOTONIC)
    // A ring is allocated at the start.
    let grows = !keepsRing
    var isWanted = true
    while true {
      if isWanted, grows { makeChunks { $0.grownCount - $0.chunkCount >= $0.stock } }
      let isOver = locked { state -> Bool in
        let canGrow = grows && state.stopReason == 0 && state.grownCount < capacity
        state.growerWaits = !state.isClosed && !(canGrow && state.isLow)
        if !state.isClosed { writeAliveTime(state) }
        return state.isClosed
      }
      guard !isOver else { return }
      isWanted = waitingForStock(maximumSeconds: Self.beat) { $0.growerWaits }
      guard isWanted else { continue }
      let now = scrolltrace_clock(CLOCK_MONOTONIC)
      let passed = now &- last
      last = now
      locked { state in
        if passed < Self.hurry { state.stock = min(state.stock * 2, Self.maximum) }
        if passed > Self.leisure { state.stock = max(state.stock / 2, RecorderState.minimumStock) }
      }
    }
  }

  /// Writes the time at the offset of the anchor at the end, for the case that the host dies: what hung then
  /// hung at least until now.
  private func writeAliveTime(_ state: RecorderState) {
    typealias Anchor = RecordingLayout.Anchor
    guard hasItsFile(state), let clock = options.clock.systemClock else { return }
    let (anchor, now) = (session + RecordingLayout.Session.closeAnchor, scrolltrace_clock(clock))
    scrolltrace_store(anchor + Anchor.clock, now.littleEndian)
    // A host that dies in between leaves a time that does not fit its check.
    scrolltrace_store(anchor + Anchor.uncertainty, (~now).littleEndian)
  }

  /// Makes chunks until there are enough, or as many as there can be.
  private func makeChunks(until isEnough: (RecorderState) -> Bool) {
    while true {
      let step = locked { state in
        isEnough(state) || state.isClosed || state.stopReason != 0 || state.grownCount >= capacity
          ? .end : claimRoom(&state)
      }
      switch step {
      case .grow(let claim): makeRoom(claim)
      case .wait: waitForRoom()
      case .taken, .end: return
      }
    }
  }

  /// Ends the thread. The recording is finished, so no thread makes chunks afterwards.
  func stopGrower() {
    locked { $0.growerWaits = false }
    let thread = takeThread(\.grower)
    pthread_cond_signal(stockRunsLow)
    waitForRoom()
    thread?.join()
  }
}
