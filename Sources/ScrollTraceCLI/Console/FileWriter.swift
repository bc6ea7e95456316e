import CRecorderShims
import ScrollTracePlatform

package struct OutputError: Error, Equatable, Sendable {
  package let path: String
  package let problem: String

  package init(path: String, problem: String) {
    self.path = path
    self.problem = problem
  }

  package init(path: String, number: Int32) {
    self.init(path: path, problem: "cannot be written: \(String(cString: strerror(number)))")
  }

  package static func exists(_ path: String, advice: String) -> OutputError {
    OutputError(path: path, problem: "already exists; \(advice)")
  }
}

/// Writes whole files.
package enum FileWriter {
  /// Writes `text` to an open file and returns 0 or the system's error number.
  package static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes `bytes` to an open file and returns 0 or the system's error number.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = ScrollTracePlatform.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if count < 0, errno != EINTR {
        return errno
      }
    }
    return 0
  }

  static func check(_ path: String, against inputs: [String]) throws(OutputError) {
    guard let existing = status(of: path, followingLinks: true) else { return }
    for input in inputs {
      if let other = input == "-" ? statusOfInput : status(of: input, followingLinks: true),
        other.st_dev == existing.st_dev, other.st_ino == existing.st_ino
      {
        throw OutputError(path: path, problem: "is also the input; name another file")
      }
    }
  }

  /// Writes `text` to the file at `path`, atomically.
  ///
  /// A trace is never replaced, and neither is one of `inputs`. With `advice`, an existing file that
  /// this tool did not write is an error, which gives the advice; without, it is replaced.
  package static func replace(
    _ path: String, with text: String, unlessForeign advice: String? = nil, inputs: [String]
  ) throws(OutputError) {
    try check(path, against: inputs)
    let file = try open(path, unlessForeign: advice)
    try file.write(text)
    try file.finish()
  }

  /// Opens the file at `path` to be written in pieces and replaced as a whole.
  static func open(
    _ path: String, unlessForeign advice: String?
  ) throws(OutputError) -> OutputFile {
    try isReplaced(path, unlessForeign: advice)
      ? OutputFile(replacing: path) : OutputFile(through: path)
  }

  /// Returns whether the file at `path` is replaced as a whole, which a device or a pipe is not.
  ///
  /// A trace is never replaced. With `advice`, an existing file that this tool did not write is an error,
  /// which gives the advice; without, it is replaced.
  @discardableResult static func isReplaced(
    _ path: String, unlessForeign advice: String?
  ) throws(OutputError) -> Bool {
    switch status(of: path, followingLinks: false).map({ $0.st_mode & S_IFMT }) {
    case nil: return true
    case S_IFREG:
      guard !ReportFile.isTrace(path) else {
        throw OutputError(path: path, problem: "is a trace; name another file")
      }
      if let advice, !ReportFile.canReplace(path) { throw .exists(path, advice: advice) }
      return true
    case S_IFDIR: throw OutputError(path: path, problem: "is a directory; name a file in it")
    case S_IFLNK:
      throw OutputError(path: path, problem: "is a symbolic link; name the file itself")
    default: return false
    }
  }

  /// Throws if `create` would refuse the file at `path`.
  static func checkCreation(
    of path: String, overwrites: Bool, inputs: [String]
  ) throws(OutputError) {
    try check(path, against: inputs)
    switch status(of: path, followingLinks: false).map({ $0.st_mode & S_IFMT }) {
    case nil: break
    case S_IFREG:
      guard overwrites else { throw .exists(path, advice: "replace it with --overwrite") }
    case S_IFDIR: throw OutputError(path: path, problem: "is a directory; name a file in it")
    default: throw OutputError(path: path, problem: "is not a regular file; name another file")
    }
  }

  /// Creates the file at `path` with the output of `body`, atomically.
  ///
  /// An existing file is an error unless `overwrites`. None of `inputs` is replaced.
  ///
  /// - Parameter body: Writes to the file, and returns 0 or the system's error number.
  static func create(
    _ path: String, overwrites: Bool, inputs: [String], _ body: (Int32) -> Int32
  ) throws(OutputError) {
    try checkCreation(of: path, overwrites: overwrites, inputs: inputs)
    let file = try OutputFile(replacing: path)
    try file.write(body)
    try file.finish()
  }

  /// The status of the file on standard input, or `nil` for a pipe or a device.
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

/// A file that is being written, or a device or a pipe, which is never replaced.
///
/// A class because it removes what is not complete.
final class OutputFile {
  private let path: String
  /// The name while the file is not complete; `nil` then, and if it is written in place.
  private var temporaryName: [CChar]?
  private let descriptor: Int32

  /// Opens a file that replaces the one at `path` when it is complete.
  init(replacing path: String) throws(OutputError) {
    var name = Array((path + ".XXXXXX").utf8CString)
    let signals = TemporaryFile.block()
    let descriptor = mkstemp(&name)
    let number = errno
    if descriptor >= 0 { TemporaryFile.removeIfStopped(name) }
    TemporaryFile.unblock(signals)
    guard descriptor >= 0 else { throw OutputError(path: path, number: number) }
    (self.path, temporaryName, self.descriptor) = (path, name, descriptor)
  }

  /// Opens the device or pipe at `path`.
  init(through path: String) throws(OutputError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputError(path: path, number: errno) }
    (self.path, temporaryName, self.descriptor) = (path, nil, descriptor)
  }

  deinit {
    close(descriptor)
    guard let temporaryName else { return }
    unlink(temporaryName)
    TemporaryFile.forget()
  }

  /// Writes `text`. A closed pipe is not an error.
  func write(_ text: String) throws(OutputError) {
    try write { FileWriter.write(text, to: $0) }
  }

  /// Writes the output of `body`, which returns 0 or the system's error number.
  func write(_ body: (Int32) -> Int32) throws(OutputError) {
    let number = body(descriptor)
    guard number == 0 || temporaryName == nil && number == EPIPE else {
      throw OutputError(path: path, number: number)
    }
  }

  func finish() throws(OutputError) {
    guard let temporaryName else { return }
    // mkstemp restricts the file to its owner; outputs have the usual permissions.
    let mask = umask(0)
    umask(mask)
    guard fchmod(descriptor, 0o666 & ~mask) == 0, fsync(descriptor) == 0,
      rename(temporaryName, path) == 0
    else { throw OutputError(path: path, number: errno) }
    self.temporaryName = nil
    TemporaryFile.forget()
  }
}

/// The file that is being written, which a signal that stops the process removes.
private enum TemporaryFile {
  private static let stopping = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU]
  /// The address of the path, which `strdup` allocated, or 0.
  private nonisolated(unsafe) static let path = makeWord()

  /// Removes the file at `name` if a signal stops the process.
  static func removeIfStopped(_ name: [CChar]) {
    free(exchange(strdup(name)))
    for number in stopping {
      // A handler of a screen removes nothing, and an ignored signal stops nothing.
      if hasHandler(SIG_DFL, number) { _ = signal(number, handler) }
    }
  }

  /// Leaves the file in place and restores the signals.
  static func forget() {
    free(exchange(nil))
    for number in stopping where hasHandler(handler, number) { _ = signal(number, SIG_DFL) }
  }

  /// Delays the signals that stop the process.
  static func block() -> sigset_t {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for signal in stopping { sigaddset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    return before
  }

  /// Delivers signals again.
  static func unblock(_ before: sigset_t) {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func exchange(
    _ name: UnsafeMutablePointer<CChar>?
  ) -> UnsafeMutablePointer<CChar>? {
    let before = scrolltrace_exchange(path, UInt64(UInt(bitPattern: name)))
    return UnsafeMutablePointer(bitPattern: UInt(truncatingIfNeeded: before))
  }

  private static func makeWord() -> UnsafeMutablePointer<UInt64> {
    let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    word.initialize(to: 0)
    return word
  }

  private typealias Handler = @convention(c) (Int32) -> Void

  // Only async-signal-safe calls.
  private static let handler: Handler = { number in
    if let name = TemporaryFile.exchange(nil) { unlink(name) }
    _ = signal(number, SIG_DFL)
    raise(number)
  }

  private static func hasHandler(_ handler: Handler?, _ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let current = action.__sigaction_handler.sa_handler
    #else
      let current = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(current, to: UnsafeRawPointer?.self)
      == unsafeBitCast(handler, to: UnsafeRawPointer?.self)
  }
}
