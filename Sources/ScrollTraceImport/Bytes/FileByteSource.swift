import ScrollTracePlatform

/// The bytes of a regular file, up to the size it had when it was opened.
///
/// The file is read, not mapped: truncating a mapped file from another process terminates the
/// reader. A class because it owns a file descriptor.
package final class FileByteSource: ByteSource {
  private let descriptor: Int32
  private let atOpen: stat
  private var remaining: UInt64

  /// Opens the file at `path`, which must be a regular file.
  package init(path: String) throws(ImportError) {
    // The C library would open the part of the path before the zero.
    guard !path.utf8.contains(0) else { throw ImportError("has a zero character in its path") }
    // Without O_NONBLOCK, opening a FIFO without a writer waits forever.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ImportError(lastFailure: "cannot be opened") }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = ImportError(lastFailure: "cannot be examined")
      close(descriptor)
      throw error
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ImportError(
        "is \(Self.kind(of: status.st_mode))", advice: "name a file, or - for standard input")
    }
    let flags = fcntl(descriptor, F_GETFL)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) }
    self.descriptor = descriptor
    self.atOpen = status
    self.remaining = UInt64(clamping: status.st_size)
  }

  deinit { close(descriptor) }

  /// The size of the file when it was opened.
  package var byteCount: UInt64? { UInt64(clamping: atOpen.st_size) }

  /// Reads the next bytes of the file, never past its size at opening.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    let wanted = Int(clamping: min(UInt64(buffer.count), remaining))
    guard wanted > 0 else { return 0 }
    let count = try readRetrying(descriptor, into: buffer, count: wanted)
    // A truncated file ends early, which `changedWhileReading` reports.
    remaining = count == 0 ? 0 : remaining - UInt64(count)
    return count
  }

  package func rewind() throws(ImportError) -> Bool {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return false }
    remaining = UInt64(clamping: atOpen.st_size)
    return true
  }

  /// Whether the file's size or modification time changed since it was opened.
  ///
  /// Check it after reading: the bytes read can then mix two states of the file.
  package var changedWhileReading: Bool {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return true }
    #if canImport(Darwin)
      let sameTime =
        now.st_mtimespec.tv_sec == atOpen.st_mtimespec.tv_sec
        && now.st_mtimespec.tv_nsec == atOpen.st_mtimespec.tv_nsec
    #else
      let sameTime =
        now.st_mtim.tv_sec == atOpen.st_mtim.tv_sec && now.st_mtim.tv_nsec == atOpen.st_mtim.tv_nsec
    #endif
    return now.st_size != atOpen.st_size || !sameTime
  }

  private static func kind(of mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a directory"
    case S_IFIFO: "a named pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something else"
    }
  }
}

/// Reads up to `count` bytes and retries if a signal interrupts the call.
func readRetrying(
  _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, count: Int
) throws(ImportError) -> Int {
  while true {
    let got = read(descriptor, buffer.baseAddress, count)
    if got >= 0 { return got }
    if errno != EINTR { throw ImportError(lastFailure: "cannot be read") }
  }
}

/// Returns the `count` bytes of a file from `offset` on; fewer only at its end.
func readBytes(
  _ descriptor: Int32, at offset: UInt64, count: Int
) throws(ImportError) -> [UInt8] {
  guard let start = off_t(exactly: offset) else { return [] }
  var failure: ImportError?
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
    while written < count {
      let got = pread(
        descriptor, buffer.baseAddress.map { $0 + written }, count - written,
        start + off_t(written))
      if got < 0, errno == EINTR { continue }
      if got < 0 { failure = ImportError(lastFailure: "cannot be read") }
      if got <= 0 { return }
      written += got
    }
  }
  if let failure { throw failure }
  return bytes
}
