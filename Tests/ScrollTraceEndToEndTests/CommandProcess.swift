import ScrollTraceTestSupport
import Foundation

/// One run of the `scrolltrace` command in a process of its own.
struct CommandProcess {
  /// The exit status, as a shell sees it: 128 and the signal where a signal ended the process.
  let status: Int32
  let output: String
  let errors: String

  /// Runs the command in `folder` through a shell, with `arguments` as they are.
  ///
  /// It gets a minute of processor time, and 4 GB of memory where the system can limit it.
  init(
    _ arguments: [String], in folder: String = "/", redirection: String = "< /dev/null"
  ) throws {
    let process = Process()
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let limit = "ulimit -t 60; ulimit -v 4000000 2> /dev/null"
    process.arguments =
      ["-c", "\(limit); exec \"$0\" \"$@\" \(redirection)", try Self.command()] + arguments
    var variables = ProcessInfo.processInfo.environment
    variables["SWIFT_BACKTRACE"] = "enable=no"
    variables["LANG"] = "C.UTF-8"
    process.environment = variables
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // What these tests run writes far less than a pipe holds to standard error.
    self.output = Self.text(of: output)
    self.errors = Self.text(of: errors)
    process.waitUntilExit()
    let ended = process.terminationReason == .exit
    status = ended ? process.terminationStatus : 128 + process.terminationStatus
  }

  private static func text(of pipe: Pipe) -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// Where the command was built.
  static func command() throws -> String {
    try PackageFiles.buildFolder(of: "scrolltrace") + "/scrolltrace"
  }
}
