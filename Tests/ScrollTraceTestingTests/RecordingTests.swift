import ReferenceListEngine
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceTesting

@Suite struct RecordingTests {
  @Test func `a closure over a list is recorded, analyzed and evaluated`() throws {
    var list = FeedList()
    list.images = .main
    let feed = try TraceRuns.recording(named: "feed", options: list.options) {
      list.scroll(seconds: 2, $0)
    }
    let answer = CheckOutcome(feed, .scroll)
    #expect(!answer.passed)
    #expect("\(answer)".contains("image/decode"), "\(answer)")
    #expect(answer.text.contains("Main thread per frame"))
    #expect(answer.text.contains("feed.fxt"))
    #expect(answer.failureMessage.hasPrefix("\(answer)\n"))
    // What is attached opens as what was evaluated.
    let bytes = try #require(feed.runs.first?.bytes)
    let trace = try TraceFile.read(MemoryByteSource(bytes))
    #expect(trace.range == feed.analyses.first?.trace.range)
  }

  @Test func `the thread that commits is the main thread of a recording`() throws {
    let feed = try TraceRuns.recording { recorder in
      recorder.beginFrame().end()
    }
    let trace = try #require(feed.analyses.first?.trace)
    #expect(trace.tracks.filter(\.isMain).count == 1)
  }

  @Test func `each of several runs has its own recording and name`() throws {
    var numbers = 0
    let runs = try TraceRuns.recording(runs: 3, named: "feed") { _ in numbers += 1 }
    #expect(numbers == 3)
    #expect(runs.analyses.map(\.trace.source.path) == ["feed.fxt", "feed-2.fxt", "feed-3.fxt"])
  }

  @Test func `recordings can be kept as files, which the next run replaces`() throws {
    let folder = TemporaryFolder()
    for _ in 1...2 {
      let list = FeedList()
      let feed = try TraceRuns.recording(
        named: "feed", keepingIn: folder.path, options: list.options
      ) { list.scroll(seconds: 1, $0) }
      #expect(feed.runs.first?.bytes == nil)
      let again = try TraceRuns(of: folder.path + "/feed.fxt")
      #expect("\(again.check(against: .scroll))" == "\(feed.check(against: .scroll))")
    }
    #expect(throws: RecorderError.self) {
      try TraceRuns.recording(keepingIn: folder.path + "/none") { _ in }
    }
  }

  @Test func `an error of the closure is the test's error, and the file stays complete`() throws {
    struct Broken: Error {}
    let folder = TemporaryFolder()
    #expect(throws: Broken.self) {
      try TraceRuns.recording(keepingIn: folder.path) { _ in throw Broken() }
    }
    let trace = try TraceFile.open(folder.path + "/recording.fxt")
    #expect(trace.losses.isEmpty)
    #expect(!trace.notices.contains(.notClosed))
  }

  @MainActor
  @Test func `a closure can suspend, and keeps its actor`() async throws {
    let feed = try await TraceRuns.recording { recorder in
      MainActor.assertIsolated()
      await Task.yield()
      recorder.beginFrame().end()
    }
    #expect(feed.analyses.first?.surfaces.count == 1)
  }
}
