internal import ScrollTraceRecorder
internal import ScrollTracePlatform

/// Whole files of a few hundred kilobytes.
enum SampleFile {
  static func read(_ path: String) throws(RecorderError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error("cannot be read", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = ScrollTracePlatform.read(descriptor, &block, block.count)
      if count > 0 { bytes += block[..<count] }
      if count == 0 { return bytes }
      if count < 0, errno != EINTR { throw error("cannot be read", path) }
    }
  }

  /// Throws unless there is no file at `path`, or one of `bytes`.
  static func checkUnused(_ path: String, by bytes: [UInt8]) throws(RecorderError) {
    guard access(path, F_OK) == 0, try read(path) != bytes else { return }
    throw RecorderError(path: path, reason: "is another file", errorNumber: EEXIST)
  }

  static func write(_ bytes: [UInt8], to path: String) throws(RecorderError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw error("cannot be written", path) }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(done))
      }
      if count > 0 { done += count }
      if count <= 0, errno != EINTR { throw error("cannot be written", path) }
    }
  }

  /// Makes a folder unless it is there; where that fails, so will the writing of its files.
  static func makeFolder(_ path: String) { mkdir(path, 0o755) }

  static func remove(_ path: String) { unlink(path) }

  private static func error(_ problem: String, _ path: String) -> RecorderError {
    RecorderError(
      path: path, reason: "\(problem): \(String(cString: strerror(errno)))", errorNumber: errno)
  }
}
