import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// What the recorder says that it costs itself (M-22).
struct CostTests {
  private func record(_ clock: RecorderClock) throws -> [UInt8] {
    return try RoundTripTests.record(options: .with { $0.clock = clock }) { recorder in
      recorder.withSpan("outer") { recorder.withSpan("inner", item: 1) {} }
      recorder.mark("done")
      for _ in 0..<2 { recorder.beginFrame().end() }
    }
  }

  @Test func `the cost of a span is measured on every system clock`() async {
    await forEachCase(of: [RecorderClock.uptime, .monotonic, .continuous], oneCase)
    @Sendable func oneCase(clock: RecorderClock) throws {
      let bytes = try record(clock)
      let walker = try StrictWalker(bytes)
      let cost = try #require(try Trace.read(bytes).source.recorderCost)
      #expect(cost.picosecondsPerRecord > 0)
      #expect(cost.picosecondsPerRecord < 1_000_000_000)
      #expect(cost.recordCount == UInt64(walker.events.count))
      #expect(cost.recordCount == 7)
      #expect(cost.mainRecordCount <= cost.recordCount)
      // Nothing of the spans that were timed is in the file.
      #expect(walker.openSpans.isEmpty)
      #expect(Set(walker.events.map(\.name)) == ["outer", "inner", "done", "display"])
    }
  }

  @Test func `in virtual time and with a host-provided clock nothing is measured (F-7)`() throws {
    for clock in [RecorderClock.manual(start: 5), .custom { 7 }] {
      #expect(try Trace.read(record(clock)).source.recorderCost == nil)
    }
  }

  @Test func `measuring does not disturb the calling thread's other recorder`() throws {
    let walker = try StrictWalker { first in
      first.withSpan("before") {}
      let second = try TraceRecorder(to: .memory)
      first.withSpan("after") {}
      second.withSpan("other") {}
      try second.finish()
    }
    #expect(walker.events.map(\.name) == ["before", "after"])
  }
}
