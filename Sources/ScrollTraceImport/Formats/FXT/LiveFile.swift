import ScrollTracePlatform

/// A regular file that another process may be writing to, cutting short, or removing.
///
/// It is read, never mapped and never locked, so that nothing that becomes of it can harm the reader
/// and nothing that the reader does can be noticed by the writer. A class because it owns a file
/// descriptor.
final class LiveFile {
  private let descriptor: Int32
  private let device: dev_t
  private let number: ino_t

  init(path: String) throws(ImportError) {
    guard !path.utf8.contains(0) else { throw ImportError("has a zero character in its path") }
    // Without O_NONBLOCK the opening of a FIFO that nobody writes to would wait forever.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ImportError(lastFailure: "cannot be opened") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ImportError("is not a file", advice: "give the file that is being recorded into")
    }
    self.descriptor = descriptor
    device = status.st_dev
    number = status.st_ino
  }

  deinit { close(descriptor) }

  var size: UInt64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(clamping: status.st_size) : 0
  }

  /// What `path` leads to now, compared with this file.
  func state(of path: String) -> LiveTraceReader.PathState {
    var status = stat()
    guard stat(path, &status) == 0 else { return .removed }
    return status.st_dev == device && status.st_ino == number ? .there : .replaced
  }

  /// Returns the `count` bytes from `offset` on; fewer only at the end of the file.
  func bytes(at offset: UInt64, count: Int) throws(ImportError) -> [UInt8] {
    try readBytes(descriptor, at: offset, count: count)
  }
}
