internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension RecorderStore {
  /// Gives `writer` a chunk that is one pad in place of its own; `nil` where there is none to be had.
  ///
  /// The writer learns of it under the lock, so that `finish` never takes the chunk for one that
  /// nobody writes to.
  func takeChunk(for writer: UnsafeMutablePointer<ThreadWriter>) -> TakenChunk? {
    let own = writer.pointee.chunk
    let isLasting = writer.pointee.isLasting
    // Times that the host gives may lie behind the clock's.
    let end = keepsRing ? max(writer.readClock(), writer.pointee.earliestEnd) &+ 1 : 0
    let closed = isLasting ? nil : own.map { ChunkRing.Closed(chunk: $0, end: end) }
    return takeChunk(isLasting ? .lasting : .events(before: closed)) { state, taken in
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
        if purpose.isLasting, state.ring?.hasDurableRoom != true || !hasRoom(state) { return .end }
        guard state.chunkCount < state.grownCount else { return claimRoom(&state) }
        let taken = TakenChunk(place: state.chunkCount, sequence: state.takeSequence())
        state.chunkCount += 1
        switch purpose {
        case .events: state.ring?.grow()
        case .lasting: state.ring?.growDurable()
        case .stacks: break
        }
        if !sink.isMapped {
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
    if case .file = sink { writeOutPage() }
    let start = address(ofChunk: old.chunk)
    let pad = FXTWord.pad(words: UInt64(RecordingLayout.chunkSize / 8))
    scrolltrace_store_release(start, pad.littleEndian)
    // Whoever sees anything of the new chunk sees this pad, or what comes in its place.
    scrolltrace_fence()
  }

  /// Writes a chunk to a file that is not mapped.
  @discardableResult
  func writeOut(_ chunk: Int) -> Bool {
    guard case .file = sink else { return true }
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
  case lasting
  /// Stacks of open spans.
  case stacks

  /// Whether it is for what a flight recorder never overwrites.
  var isLasting: Bool {
    if case .lasting = self { true } else { false }
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
