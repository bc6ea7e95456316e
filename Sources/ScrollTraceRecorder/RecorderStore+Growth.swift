internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
      failure = sink.isMapped ? ENOSPC : ENOMEM
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
    guard sink.isMapped, options.clock.systemClock != nil, !keepsRing else { return }
    let thread = HelperThread.start("scrolltrace", self) { store in store.keepStock() }
    locked { state in state.grower = thread }
  }

  /// Keeps chunks ready until the recording is finished or the file can grow no more.
  private func keepStock() {
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
