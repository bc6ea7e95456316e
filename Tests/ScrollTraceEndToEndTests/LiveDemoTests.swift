import Foundation
import ScrollTraceTestSupport
import Testing
import ScrollTracePlatform

/// The list that scrolls in a terminal, run in one.
@Suite(.serialized, .needsTime) struct LiveDemoTests {
  private static let leave = "\u{1B}[?1049l"

  @Test func `the list scrolls, obeys its keys, and restores the terminal`() throws {
    let session = try TerminalSession(["demo"])
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
    #expect(ends.last?.contains("Counted by the reference list:") == true)
  }

  @Test func `a signal ends it like a key, and the recording is complete`() async {
    await forEachCase(of: ExtraCases.some(1, of: [SIGINT, SIGTERM, SIGHUP]), oneCase)
    @Sendable func oneCase(signal: Int32) throws {
      let file = TemporaryFile("live.fxt")
      let session = try TerminalSession(["demo", "--record", file.path, "--policy", "best"])
      #expect(session.read(until: "missed"))
      // Some frames are to be in it.
      session.read(until: "\0", screens: 40)
      kill(session.process.processIdentifier, signal)
      #expect(session.read(until: nil))
      session.process.waitUntilExit()
      #expect(session.output.contains(Self.leave))
      let analysis = try CommandProcess(["analyze", file.path, "--full"])
      #expect(analysis.status == 0)
      #expect(analysis.output.contains("display:"))
      #expect(!analysis.output.contains("was not closed"))
    }
  }
}
