import ScrollTraceLayout
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Processes fork (W6).
struct ForkTests {
  /// Does in the parent what children do: what Swift's runtime looks up for the first time is looked up
  /// under a lock, and a child waits forever for one that another thread held at the fork.
  private static func useOnce() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    recorder.withSpan("child") {}
    recorder.mark("child")
    try? recorder.finish()
    try? recorder.finish()
  }

  @Test func `the child of a fork records nothing and harms nothing (W6)`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    try Self.useOnce()
    let status = try recorder.withSpan("parent") {
      try ForkedChild.run {
        recorder.withSpan("child") {}
        recorder.mark("child")
        try? recorder.finish()
      }
    }
    #expect(status == 0)
    recorder.withSpan("after") {}
    try recorder.finish()
    let walker = try StrictWalker(path.read())
    #expect(walker.events.map(\.name) == ["parent", "after"])
    #expect(walker.session[20] == 1)
    #expect(recorder.losses.total == 0)
  }

  @Test
  func `a child that exits while the parent records neither truncates nor seals the file`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    try Self.useOnce()
    let count = ExtraCases.isThorough ? 200_000 : 40_000
    let isDone = Locked(false)
    TestThread.run(2) { index in
      if index == 0 {
        for step in 0..<count { recorder.withSpan("step", item: ItemID(step)) {} }
        isDone.withLock { $0 = true }
      } else {
        repeat {
          let status = try? ForkedChild.run {
            recorder.withSpan("child") {}
            try? recorder.finish()
          }
          #expect(status == 0)
        } while !isDone.withLock({ $0 })
      }
    }
    #expect(try StrictWalker(path.read(), mayEndInPad: true).session[20] == 0)
    try recorder.finish()
    let walker = try StrictWalker(path.read())
    #expect(walker.events.map { $0.arguments["item"] } == (0..<count).map { .unsigned(UInt64($0)) })
    #expect(recorder.losses.total == 0)
  }
}
