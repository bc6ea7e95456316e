internal import CRecorderPrimitives
internal import ScrollTraceFormat

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
  func takeChunk(for writer: UnsafeMutablePointer<ThreadWriter>) -> Int? {
    takeChunk { _, chunk in
      if let finished = writer.pointee.chunk { writeOut(finished) }
      writer.pointee.chunk = chunk
    }
  }

  /// Takes a chunk that is one pad and runs `use` with it under the lock, unless there is none to be
  /// had or `isNeedless` says, under the lock too, that none is needed after all.
  @discardableResult
  func takeChunk(
    unless isNeedless: (RecorderState) -> Bool = { _ in false },
    _ use: (inout RecorderState, Int) -> Void
  ) -> Int? {
    while true {
      let step = locked { state -> ChunkStep in
        if state.isClosed || isNeedless(state) { return .end }
        guard state.chunkCount < state.grownCount else { return claimRoom(&state) }
        let chunk = state.chunkCount
        state.chunkCount += 1
        if !sink.isMapped {
          let start = address(ofChunk: chunk)
          RecordBuilder.writePad(from: start, to: start + ProfileLayout.chunkSize)
        }
        use(&state, chunk)
        let wakes = state.growerWaits && state.isLow
        if wakes { state.growerWaits = false }
        return .taken(chunk, wakesGrower: wakes)
      }
      switch step {
      case .taken(let chunk, let wakes):
        if wakes { pthread_cond_signal(stockRunsLow) }
        return chunk
      case .grow(let claim): makeRoom(claim)
      case .wait: waitForRoom()
      case .end: return nil
      }
    }
  }

  /// Writes a chunk to a file that is not mapped.
  @discardableResult
  func writeOut(_ chunk: Int) -> Bool {
    guard case .file = sink else { return true }
    let bytes = UnsafeRawBufferPointer(
      start: address(ofChunk: chunk), count: ProfileLayout.chunkSize)
    let offset = ProfileLayout.pageSize + chunk * ProfileLayout.chunkSize
    return FileBytes.write(bytes, to: descriptor, at: offset) == bytes.count
  }
}

/// What comes next for a thread that needs a chunk.
enum ChunkStep {
  /// It has one; whether the thread that keeps chunks ready is to be woken.
  case taken(Int, wakesGrower: Bool)
  /// It makes room itself, for these chunks.
  case grow(Range<Int>)
  /// Another thread is making room.
  case wait
  /// There is none to be had.
  case end
}
