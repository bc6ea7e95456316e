import CTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The list that scrolls in a terminal, run in one.
@Suite(.serialized) struct LiveDemoTests {
  struct NoTerminal: Error {}

  /// A terminal without a window, and the command that runs in it.
  private final class Session {
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

  private static let leave = "\u{1B}[?1049l"

  @Test func `the list scrolls, obeys its keys, and leaves the terminal as it was`() throws {
    let session = try Session(["demo"])
    #expect(session.read(until: "main thread"))
    session.type("1")
    #expect(session.read(until: "one-ahead"))
    session.type("h")
    #expect(session.read(until: "12.50 ms"))
    session.type("?")
    #expect(session.read(until: "change the refresh rate"))
    session.type("q")
    #expect(session.read(until: nil))
    session.process.waitUntilExit()
    #expect(session.process.terminationStatus == 0)
    let ends = session.output.components(separatedBy: Self.leave)
    #expect(ends.count == 2)
    #expect(ends.last?.contains("The engine's own account:") == true)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends it like a key, and the recording is whole`(signal: Int32) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("live.fxt").path
    let session = try Session(["demo", "--record", path, "--policy", "best"])
    #expect(session.read(until: "missed"))
    // Some frames are to be in it.
    session.read(until: "\0", screens: 40)
    kill(session.process.processIdentifier, signal)
    #expect(session.read(until: nil))
    session.process.waitUntilExit()
    #expect(session.output.contains(Self.leave))
    let analysis = try CommandProcess(["analyze", path])
    #expect(analysis.status == 0)
    #expect(analysis.output.contains("display:"))
    #expect(!analysis.output.contains("was not closed"))
  }
}

private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(file, buffer.baseAddress, buffer.count)
}
