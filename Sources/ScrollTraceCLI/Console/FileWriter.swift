#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why something could not be written.
struct OutputError: Error, Hashable, Sendable {
  /// Where to.
  let path: String
  /// What is wrong, and what to do.
  let problem: String

  /// An error in words.
  init(path: String, problem: String) {
    self.path = path
    self.problem = problem
  }

  /// The system's error `number`.
  init(path: String, number: Int32) {
    self.init(path: path, problem: "cannot be written: \(String(cString: strerror(number)))")
  }
}

/// Writes whole texts.
enum FileWriter {
  /// Writes all of `text` to an open file; 0, or the system's error number.
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes all of `bytes` to an open file; 0, or the system's error number.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Glibc)
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if count < 0, errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Refuses a path that leads to one of `inputs`.
  private static func check(_ path: String, against inputs: [String]) throws(OutputError) {
    guard let existing = status(of: path, followingLinks: true) else { return }
    for input in inputs {
      if let other = input == "-" ? statusOfInput : status(of: input, followingLinks: true),
        other.st_dev == existing.st_dev, other.st_ino == existing.st_ino
      {
        throw OutputError(path: path, problem: "is also the input; name another file")
      }
    }
  }

  /// Makes `path` a file of `text`, all at once or not at all, and never over one of `inputs`.
  static func replace(
    _ path: String, with text: String, inputs: [String]
  ) throws(OutputError) {
    try check(path, against: inputs)
    switch status(of: path, followingLinks: false).map({ $0.st_mode & S_IFMT }) {
    case nil, S_IFREG:
      try replaceFile(path) { descriptor in write(text, to: descriptor) }
    case S_IFDIR: throw OutputError(path: path, problem: "is a directory; name a file in it")
    case S_IFLNK:
      throw OutputError(path: path, problem: "is a symbolic link; name the file itself")
    default: try writeThrough(path, text)
    }
  }

  /// Makes `path` a file of what `body` writes, all at once or not at all; there must be none yet
  /// unless `mayReplace`, and it is never over one of `inputs`.
  ///
  /// `body` gives 0, or the system's error number.
  static func create(
    _ path: String, mayReplace: Bool, inputs: [String], _ body: (Int32) -> Int32
  ) throws(OutputError) {
    try check(path, against: inputs)
    switch status(of: path, followingLinks: false).map({ $0.st_mode & S_IFMT }) {
    case nil: break
    case S_IFREG:
      guard mayReplace else {
        throw OutputError(path: path, problem: "is there already; give --force to replace it")
      }
    case S_IFDIR: throw OutputError(path: path, problem: "is a directory; name a file in it")
    default: throw OutputError(path: path, problem: "is no regular file; name another")
    }
    try replaceFile(path, body)
  }

  private static func replaceFile(
    _ path: String, _ body: (Int32) -> Int32
  ) throws(OutputError) {
    var name = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw OutputError(path: path, number: errno) }
    var number = body(descriptor)
    // mkstemp leaves the file to its owner alone; a report is a file like any other.
    let mask = umask(0)
    umask(mask)
    if number == 0, fchmod(descriptor, 0o666 & ~mask) != 0 || fsync(descriptor) != 0 {
      number = errno
    }
    close(descriptor)
    if number == 0, rename(name, path) != 0 { number = errno }
    guard number == 0 else {
      unlink(name)
      throw OutputError(path: path, number: number)
    }
  }

  /// Devices and pipes are written to, never replaced.
  private static func writeThrough(_ path: String, _ text: String) throws(OutputError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputError(path: path, number: errno) }
    let number = write(text, to: descriptor)
    close(descriptor)
    if number != 0, number != EPIPE { throw OutputError(path: path, number: number) }
  }

  /// The file that the standard input is read from; `nil` for a pipe or a device.
  private static var statusOfInput: stat? {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status
  }

  private static func status(of path: String, followingLinks: Bool) -> stat? {
    var status = stat()
    let result = followingLinks ? stat(path, &status) : lstat(path, &status)
    return result == 0 ? status : nil
  }
}
