internal import CRecorderPrimitives
internal import ScrollTraceFormat

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension RecorderStore {
  /// The most chunks the file grows by at once, about 2 MiB.
  private static var segment: Int { 64 }

  /// Gives `writer` a chunk that is one pad in place of its own; `nil` where there is none to be had.
  ///
  /// The writer learns of it under the lock, so that `finish` never takes the chunk for one that
  /// nobody writes to.
  func takeChunk(for writer: UnsafeMutablePointer<ThreadWriter>) -> Int? {
    locked { state in
      guard let chunk = takeChunk(&state) else { return nil }
      if let finished = writer.pointee.chunk { writeOut(finished) }
      writer.pointee.chunk = chunk
      return chunk
    }
  }

  /// A chunk that is one pad; `nil` where there is none to be had.
  func takeChunk(_ state: inout RecorderState) -> Int? {
    guard !state.isClosed else { return nil }
    if state.chunkCount == state.grownCount, !state.isFull { grow(&state) }
    guard state.chunkCount < state.grownCount else { return nil }
    let chunk = state.chunkCount
    state.chunkCount += 1
    if case .mappedFile = sink { return chunk }
    let start = address(ofChunk: chunk)
    RecordBuilder.writePad(from: start, to: start + ProfileLayout.chunkSize)
    return chunk
  }

  /// Makes room for `bytes` bytes of chunks and touches their pages.
  func prepare(bytes: Int) {
    locked { state in
      let wanted = bytes / ProfileLayout.chunkSize
      while state.grownCount < min(wanted, capacity), !state.isFull { grow(&state) }
      let end = address(ofChunk: min(state.grownCount, wanted))
      var page = base + ProfileLayout.pageSize
      while page < end {
        // Adds nothing: the page is written to and stays as it is.
        scrolltrace_add(page, 0)
        page += 4096
      }
    }
  }

  /// Makes room for more chunks: few at first, more each time.
  private func grow(_ state: inout RecorderState) {
    let wanted = min(max(8, state.grownCount), Self.segment, capacity - state.grownCount)
    guard wanted > 0 else {
      stop(1, &state)
      return
    }
    var made = wanted
    if descriptor >= 0 {
      let offset = ProfileLayout.pageSize + state.grownCount * ProfileLayout.chunkSize
      made = FileBytes.appendPads(wanted, to: descriptor, at: offset)
      if made < wanted { stop(ProfileLayout.Session.writeErrorBase + UInt64(errno), &state) }
    }
    state.grownCount += made
  }

  /// Says why there will be no more chunks.
  private func stop(_ reason: UInt64, _ state: inout RecorderState) {
    state.isFull = true
    scrolltrace_store_release(session + ProfileLayout.Session.stop, reason.littleEndian)
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
