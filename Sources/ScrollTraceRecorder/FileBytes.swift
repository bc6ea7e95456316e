internal import ScrollTraceFormat

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The system calls on the bytes of a trace file.
enum FileBytes {
  /// Writes `bytes` at `offset` and gives how many were written; fewer mean an error in `errno`.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) -> Int {
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      let count = pwrite(descriptor, start + done, bytes.count - done, off_t(offset + done))
      if count < 0 && errno == EINTR { continue }
      if count == 0 { errno = ENOSPC }
      guard count > 0 else { break }
      done += count
    }
    return done
  }

  /// Appends `count` pads of a chunk each, from `offset` on; gives how many are whole.
  ///
  /// Blocks are written, never left out: a store into a hole of a mapped file kills the process when
  /// the disk is full, a write gives an error (W4).
  static func appendPads(_ count: Int, to descriptor: Int32, at offset: Int) -> Int {
    let size = ProfileLayout.chunkSize
    guard let image = calloc(1, size) else {
      errno = ENOMEM
      return 0
    }
    defer { free(image) }
    let header = FXTWord.pad(words: UInt64(size / 8)).littleEndian
    image.storeBytes(of: header, as: UInt64.self)
    let whole = write(image, size: size, times: count, to: descriptor, at: offset) / size
    if whole < count {
      let number = errno
      _ = ftruncate(descriptor, off_t(offset + whole * size))
      errno = number
    }
    return whole
  }

  /// Writes the same bytes `times` times, in as few calls as the system takes; gives how many bytes
  /// were written.
  private static func write(
    _ image: UnsafeMutableRawPointer, size: Int, times: Int, to descriptor: Int32, at offset: Int
  ) -> Int {
    let vectors = [iovec](repeating: iovec(iov_base: image, iov_len: size), count: times)
    var done = 0
    while done < times * size {
      let rest = done % size
      let count =
        if rest > 0 {
          pwrite(descriptor, image + rest, size - rest, off_t(offset + done))
        } else {
          pwritev(descriptor, vectors, Int32(times - done / size), off_t(offset + done))
        }
      if count < 0 && errno == EINTR { continue }
      if count == 0 { errno = ENOSPC }
      guard count > 0 else { break }
      done += count
    }
    return done
  }

  /// Maps `wanted` bytes of address space, or the half, or the half of that.
  ///
  /// Pages behind the file's end are not touched before the file has grown.
  static func map(
    _ sink: RecorderSink, descriptor: Int32, wanted: Int
  ) throws(RecorderError) -> (start: UnsafeMutableRawPointer, size: Int) {
    var size = max(wanted, ProfileLayout.pageSize)
    while true {
      let start: UnsafeMutableRawPointer?
      if case .mappedFile = sink {
        start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
      } else {
        let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
        start = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
      }
      if let start, start != MAP_FAILED { return (start, size) }
      guard size / 2 >= ProfileLayout.pageSize + 8 * ProfileLayout.chunkSize else {
        throw .system("cannot map the trace file", path: sink.path)
      }
      size /= 2
    }
  }
}
