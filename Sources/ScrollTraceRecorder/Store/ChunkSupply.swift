internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension RecorderStore {
  /// Gives `writer` a chunk that is one pad instead of its own, or `nil` if there is none to be had.
  ///
  /// The writer learns of it under the lock, so that `finish` never takes the chunk for one that
  /// nobody writes to.
  func takeChunk(for writer: UnsafeMutablePointer<ThreadWriter>) -> TakenChunk? {
    let own = writer.pointee.chunk
    let isDurable = writer.pointee.isDurable
    // Times that the host gives may lie behind the clock's.
    let end = keepsRing ? max(writer.readClock(), writer.pointee.earliestEnd) &+ 1 : 0
    let closed = isDurable ? nil : own.map { ChunkRing.Closed(chunk: $0, end: end) }
    return takeChunk(isDurable ? .durable : .events(before: closed)) { state, taken in
      if let own { writeOut(own) }
      if let closed, closed.chunk != taken.place { state.ring?.close(closed.chunk, end: end) }
      writer.pointee.chunk = taken.place
    }
  }

  /// Takes a chunk that is one pad and runs `use` with it under the lock, unless there is none to be
  /// had or `isNeedless` says, under the lock too, that none is needed after all.
  @discardableResult
  func takeChunk(
    _ purpose: ChunkPurpose, unless isNeedless: (RecorderState) -> Bool = { _ in false },
    _ use: (inout RecorderState, TakenChunk) -> Void
  ) -> TakenChunk? {
    while true {
      let step = locked { state -> ChunkStep in
        if state.isClosed || isNeedless(state) { return .end }
        if let old = oldChunk(for: purpose, &state) {
          let taken = TakenChunk(place: old.chunk, sequence: state.takeSequence())
          overwrite(old)
          use(&state, taken)
          return .taken(taken, wakesGrower: false)
        }
        if purpose.isDurable, state.ring?.hasDurableRoom != true || !hasRoom(state) { return .end }
        guard state.chunkCount < state.grownCount else { return claimRoom(&state) }
        let taken = TakenChunk(place: state.chunkCount, sequence: state.takeSequence())
        state.chunkCount += 1
        switch purpose {
        case .events: state.ring?.grow()
        case .durable: state.ring?.growDurable()
        case .stacks: break
        }
        if !destination.isMapped {
          let start = address(ofChunk: taken.place)
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

  /// Whether a chunk is ready or could be made.
  private func hasRoom(_ state: RecorderState) -> Bool {
    state.chunkCount < state.grownCount || state.stopReason == 0 && state.grownCount < capacity
  }

  /// The chunk that is to be used again, where one is: the one that was closed first, or the caller's
  /// own where all others are written to.
  private func oldChunk(
    for purpose: ChunkPurpose, _ state: inout RecorderState
  ) -> ChunkRing.Closed? {
    guard case .events(let own) = purpose, let ring = state.ring else { return nil }
    let isWhole = ring.count >= ring.wantedCount(threads: state.writers.count)
    guard isWhole || !hasRoom(state) else { return nil }
    if let old = state.ring?.takeOldest() { return old }
    return hasRoom(state) ? nil : own
  }

  /// Makes one pad of a chunk, and says first what the recording no longer holds (W8).
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
    // Whoever sees anything of the new chunk sees this pad, or what comes in its place.
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

/// What a chunk is for.
enum ChunkPurpose {
  /// A thread's events; its chunk so far, which it leaves.
  case events(before: ChunkRing.Closed?)
  /// What a flight recorder never overwrites.
  case durable
  /// Stacks of open spans.
  case stacks

  /// Whether it is for what a flight recorder never overwrites.
  var isDurable: Bool {
    if case .durable = self { true } else { false }
  }
}

/// A chunk that is to be begun.
struct TakenChunk {
  /// Where it lies in the file's grid.
  var place: Int
  /// Its number in the recording.
  var sequence: UInt64
}

extension RecorderState {
  /// The number of the chunk that is begun next.
  mutating func takeSequence() -> UInt64 {
    defer { sequenceCount += 1 }
    return sequenceCount
  }
}

/// What comes next for a thread that needs a chunk.
enum ChunkStep {
  /// It has one; whether the thread that keeps chunks ready is to be woken.
  case taken(TakenChunk, wakesGrower: Bool)
  /// It makes room itself, for these chunks.
  case grow(Range<Int>)
  /// Another thread is making room.
  case wait
  /// There is none to be had.
  case end
}

/// How the file grows: by one thread at a time, without the lock, and in its order (W4).
///
/// A thread of the recorder's own keeps some chunks ready, written and mapped, so that no thread of
/// the host waits for the system. Where it is late or missing, whoever needs a chunk makes room.
extension RecorderStore {
  /// How many chunks are made at once, about half a MiB: a thread that waits does not wait long.
  private static var piece: Int { 16 }
  /// The most chunks that are kept ready, about 16 MiB.
  private static var most: Int { 512 }
  /// Where the stock runs low twice within this time, twice as much is kept ready: 20 ms.
  private static var hurry: UInt64 { 20_000_000 }
  /// Where it does not run low for this time, half as much is: 1 s.
  private static var leisure: UInt64 { 1_000_000_000 }

  /// Makes room for the first chunks and for `bytes` bytes of chunks; for all of a ring, and some
  /// chunks beside it.
  func prepare(bytes: Int) {
    let ring = locked { $0.ring.map { $0.leastCount + RecorderState.leastStock / 2 } ?? 0 }
    let wanted = min(
      max(bytes / RecordingLayout.chunkSize, RecorderState.leastStock, ring), capacity)
    while true {
      let step = locked { state in
        state.grownCount < wanted && state.stopReason == 0 ? claimRoom(&state) : .end
      }
      guard case .grow(let claim) = step else { return }
      makeRoom(claim)
    }
  }

  /// Claims the next chunks to be made, for the calling thread.
  func claimRoom(_ state: inout RecorderState) -> ChunkStep {
    if state.isGrowing { return .wait }
    let piece = keepsRing ? RecorderState.leastStock / 2 : Self.piece
    let count = min(
      state.grownCount == 0 ? RecorderState.leastStock : piece, capacity - state.grownCount)
    if state.stopReason == 0, count == 0 { state.stopReason = 1 }
    guard state.stopReason == 0 else {
      // Only now something is lost.
      scrolltrace_store_release(
        session + RecordingLayout.Session.stop, state.stopReason.littleEndian)
      return .end
    }
    state.isGrowing = true
    return .grow(state.grownCount..<(state.grownCount + count))
  }

  /// Makes room for the chunks that the calling thread has claimed, and lets all others know.
  func makeRoom(_ claim: Range<Int>) {
    var made = claim.count
    var failure: Int32 = 0
    if descriptor >= 0 {
      let offset = RecordingLayout.pageSize + claim.lowerBound * RecordingLayout.chunkSize
      (made, failure) = FileBytes.appendPads(claim.count, to: descriptor, at: offset)
    }
    let bytes = made * RecordingLayout.chunkSize
    if made > 0, scrolltrace_populate(address(ofChunk: claim.lowerBound), UInt(bytes)) != 0 {
      // The system can give no memory for these pages, or no room behind them: a store would kill.
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

  /// Waits until nobody makes room any more.
  func waitForRoom() {
    waiting(on: hasGrown) { $0.isGrowing }
  }

  // MARK: - The thread

  /// Starts the thread that keeps chunks ready; a host in virtual time has no hurry, and gets the
  /// same bytes each time, and a ring is made ready at once.
  func startGrower() {
    guard destination.isMapped, options.clock.systemClock != nil, !keepsRing else { return }
    let thread = HelperThread.start("scrolltrace", self) { store in store.refillFreeChunks() }
    locked { state in state.grower = thread }
  }

  /// Keeps chunks ready until the recording is finished or the file can grow no more.
  private func refillFreeChunks() {
    var last = scrolltrace_clock(CLOCK_MONOTONIC)
    while true {
      fillStock()
      let isLeft = locked { state -> Bool in
        state.growerWaits = !state.isClosed && !state.isLow
        return !state.isClosed && state.stopReason == 0 && state.grownCount < capacity
      }
      guard isLeft else { return }
      waiting(on: stockRunsLow) { $0.growerWaits }
      let now = scrolltrace_clock(CLOCK_MONOTONIC)
      let passed = now &- last
      last = now
      locked { state in
        if passed < Self.hurry { state.stock = min(state.stock * 2, Self.most) }
        if passed > Self.leisure {
          state.stock = max(state.stock / 2, RecorderState.leastStock)
        }
      }
    }
  }

  /// Makes chunks until there are as many as are to be kept ready.
  private func fillStock() {
    while true {
      let step = locked { state -> ChunkStep in
        let isFilled = state.grownCount - state.chunkCount >= state.stock
        guard !isFilled, !state.isClosed, state.stopReason == 0, state.grownCount < capacity
        else { return .end }
        return claimRoom(&state)
      }
      switch step {
      case .grow(let claim): makeRoom(claim)
      case .wait: waitForRoom()
      case .taken, .end: return
      }
    }
  }

  /// Ends the thread; the recording is closed, so that nobody makes room after this.
  func stopGrower() {
    let thread = locked { state in
      state.growerWaits = false
      defer { state.grower = nil }
      return state.grower
    }
    pthread_cond_signal(stockRunsLow)
    waitForRoom()
    thread?.join()
  }
}
