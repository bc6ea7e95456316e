import Foundation
import ScrollTraceTestSupport

/// A process of its own that records, `scrolltrace-hammer`.
struct HammerProcess {
  let identifier: pid_t

  /// Where the command was built: beside the tests, or where `SCROLLTRACE_HAMMER` says.
  static func command() throws -> String {
    if let path = ProcessInfo.processInfo.environment["SCROLLTRACE_HAMMER"] { return path }
    return try PackageFiles.buildFolder(of: "scrolltrace-hammer") + "/scrolltrace-hammer"
  }

  /// Starts the command through a shell, which runs `preparation` first.
  init(_ arguments: String, after preparation: String = ":") throws {
    try self.init(line: "\(preparation); exec \(try Self.command()) \(arguments)")
  }

  /// Starts the command on a small disk, of which a file is copied in the end.
  init(
    _ arguments: String, in disk: SmallDisk, copying file: String, to target: TemporaryPath
  ) throws {
    let line = "\(try Self.command()) \(arguments)"
    try self.init(line: disk.line(running: line, copying: file, to: target))
  }

  /// Runs the command to its end and gives what it prints; an error where it finds an error.
  static func report(
    _ arguments: String, through run: (String) -> Int32 = { Int32(system($0)) }
  ) throws -> String {
    let output = TemporaryPath()
    let status = run("\(try command()) \(arguments) > \(output.path)")
    guard status == 0 else { throw POSIXError(.EINVAL) }
    return try String(contentsOfFile: output.path, encoding: .utf8)
  }

  private init(line: String) throws {
    let words: [UnsafeMutablePointer<CChar>?] = [
      strdup("/bin/sh"), strdup("-c"), strdup(line), nil,
    ]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, "/bin/sh", nil, nil, words, environ)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    identifier = child
  }

  /// Kills the process at once; gives whether it was still running.
  func kill() -> Bool {
    Foundation.kill(identifier, SIGKILL)
    return wait() & 0x7F == SIGKILL
  }

  /// Waits for the end and gives the status as `waitpid` does.
  func wait() -> Int32 {
    var status: Int32 = -1
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return status
  }
}
