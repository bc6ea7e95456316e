import ScrollTraceTestSupport
import Testing

/// The examples of guides, compiled as a user does: outside of the package, where only what is `public`
/// can be seen.
@Suite struct GuideAccessTests {
  @Test(.needs("swiftc", if: AppleAdapterTests.canCheck), .needsTime)
  func `the example of the library uses public declarations alone`() throws {
    let blocks = try blocks(of: "ScrollTraceKit/ScrollTraceKit.docc/UsingTheLibrary.md")
    try expectCompiles(try #require(blocks.first))
  }

  @Test(.needs("swiftc", if: AppleAdapterTests.canCheck), .needsTime)
  func `the examples of results use public declarations alone`() throws {
    let blocks = try blocks(of: "ScrollTraceKit/ScrollTraceKit.docc/ReadingResults.md")
    try #require(blocks.count == 3)
    try expectCompiles(blocks.joined())
  }

  @Test(.needs("swiftc", if: AppleAdapterTests.canCheck), .needsTime)
  func `the examples of loops and timers use public declarations alone`() throws {
    let blocks = try blocks(
      of: "ScrollTraceRecorder/ScrollTraceRecorder.docc/RecordingAGameLoop.md")
    try #require(blocks.count == 3)
    let host = """
      import Dispatch
      import ScrollTraceRecorder
      final class Game {
        var isRunning = true
        func simulate() {}
        func draw() {}
        func layout() {}
        func swapBuffers() {}
      }
      func wait(until time: RecorderTime) {}

      """
    let loops = blocks.prefix(2).enumerated().map { index, block in
      "func loop\(index)(_ recorder: TraceRecorder, _ game: Game, _ window: Game) {\n\(block)}\n"
    }
    let timer = """
      func loop(_ recorder: TraceRecorder, _ list: Game, _ source: any DispatchSourceTimer) {
      var timer = TimerFrameSource(refreshes: 60, phase: .zero)
      \(blocks[2])fire()
      }

      """
    try expectCompiles(host + loops.joined() + timer)
  }

  private func blocks(of guide: String) throws -> [String] {
    try PackageFiles.blocks(of: "swift", in: "Sources/" + guide)
  }

  private func expectCompiles(_ source: String) throws {
    let file = try TemporaryFile("guide.swift", source)
    let check = try ShellRun(
      "swiftc -swift-version 6 -parse-as-library -typecheck \(BuiltModules.options()) '\(file.path)'"
    )
    #expect(check.status == 0, "\(check.output)")
  }
}
