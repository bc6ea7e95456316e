import CTestSupport
import Foundation
import ScrollTracePlatform

/// A terminal without a window, and the command that runs in it.
final class TerminalSession {
  struct NoTerminal: Error {}

  let process = Process()
  private let terminal: Int32
  private(set) var output = ""

  init(_ arguments: [String]) throws {
    var other: Int32 = -1
    terminal = scrolltrace_open_terminal(&other, 80, 24)
    guard terminal >= 0 else { throw NoTerminal() }
    let handle = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    process.executableURL = URL(fileURLWithPath: try CommandProcess.command())
    process.arguments = arguments
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    var variables = ProcessInfo.processInfo.environment
    variables["TERM"] = "xterm-256color"
    variables["LANG"] = "C.UTF-8"
    variables["SWIFT_BACKTRACE"] = "enable=no"
    variables["NO_COLOR"] = nil
    process.environment = variables
    try process.run()
  }

  deinit { close(terminal) }

  func type(_ keys: String) {
    _ = keys.utf8.withContiguousStorageIfAvailable { write(terminal, $0.baseAddress, $0.count) }
  }

  /// Reads until `text` is there, or the process has ended and nothing comes any more.
  @discardableResult
  func read(until text: String?, screens: Int = 400) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    // Far more than any machine needs; a hang must end.
    for _ in 0..<screens {
      if let text, output.contains(text) { return true }
      var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&request, 1, 100) > 0 && request.revents & Int16(POLLIN) != 0
      if isReady {
        let count = bytes.withUnsafeMutableBytes { readBytes(terminal, $0) }
        if count > 0 { output += String(decoding: bytes[..<count], as: UTF8.self) }
      } else if !process.isRunning {
        return text.map { output.contains($0) } ?? true
      }
    }
    if screens == 400 { kill(process.processIdentifier, SIGKILL) }
    return false
  }
}

private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(file, buffer.baseAddress, buffer.count)
}
