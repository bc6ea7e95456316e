internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension RecorderStore {
  /// Ends the recording: no chunk is given out any more, seals, anchor and state are written, the
  /// file is cut to its last chunk in use.
  ///
  /// - Parameter caller: The writer of the calling thread, if it has one.
  func finish(caller: UnsafeMutablePointer<ThreadWriter>?) throws(RecorderError) {
    stopDumper()
    let isFirst = locked { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    stopGrower()
    withLasting { $0.limit = 0 }
    let failure = locked { state -> RecorderError? in
      for writer in state.writers { writer.limit = 0 }
      if options.sealsChunks { sealChunks(state, caller: caller) }
      if let anchor = options.closeAnchor ?? .now(of: options.clock) {
        anchor.write(to: session + RecordingLayout.Session.closeAnchor)
      }
      scrolltrace_store_release(session + RecordingLayout.Session.state, UInt64(1).littleEndian)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return closeFile(state)
    }
    if let failure { throw failure }
  }

  /// Seals the chunks that no other thread may be writing to at this moment.
  private func sealChunks(_ state: RecorderState, caller: UnsafeMutablePointer<ThreadWriter>?) {
    var unsealed = Set(state.stackChunks)
    for writer in state.writers where writer != caller && !writer.pointee.isSimulated {
      if let chunk = writer.pointee.chunk { unsealed.insert(chunk) }
    }
    for chunk in 0..<state.chunkCount where !unsealed.contains(chunk) {
      Chunk.seal(at: address(ofChunk: chunk))
    }
  }

  /// Writes what is not written yet and cuts the file.
  private func closeFile(_ state: RecorderState) -> RecorderError? {
    if case .file = sink {
      // The page last, which says that the recording is closed.
      var isWritten = true
      for chunk in 0..<state.chunkCount where isWritten { isWritten = writeOut(chunk) }
      if !isWritten || !writeOutPage() {
        return .system("cannot write the trace file", path: sink.path)
      }
    }
    let size = RecordingLayout.pageSize + state.chunkCount * RecordingLayout.chunkSize
    guard ftruncate(descriptor, off_t(size)) == 0 else {
      return .system("cannot cut the trace file to its size", path: sink.path)
    }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_nlink == 0 {
      return RecorderError(
        path: sink.path, reason: "the trace file was removed while it was recorded")
    }
    return nil
  }

  /// The bytes of a recording in memory.
  func copyBytes() -> [UInt8] {
    locked { state in
      let size = RecordingLayout.pageSize + state.chunkCount * RecordingLayout.chunkSize
      return [UInt8](UnsafeRawBufferPointer(start: base, count: size))
    }
  }
}
