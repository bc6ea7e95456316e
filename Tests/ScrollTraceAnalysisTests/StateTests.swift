import ScrollTraceModel
import Testing

@testable import ScrollTraceAnalysis

@Suite struct StateTests {
  /// The timeline of one state that takes these values.
  private func timeline(_ changes: [(time: Int64, value: String?)]) throws -> StateTimeline {
    var builder = TraceBuilder(format: "drawn")
    for (time, value) in changes {
      builder.addState(
        StateChange(time: Timestamp(clamping: time), key: "screen", value: value))
    }
    return try #require(StateTimeline.all(of: builder.finish()).first)
  }

  @Test func `M-18: a value that is cleared inside a frame belongs to it`() throws {
    let timeline = try timeline([(0, "feed"), (15, nil)])
    #expect(timeline.value(start: Timestamp(clamping: 10), end: Timestamp(clamping: 20)) == "feed")
  }

  @Test func `M-18: a value cleared before the frame stays cleared when cleared again`() throws {
    let timeline = try timeline([(0, "feed"), (5, nil), (15, nil)])
    #expect(timeline.value(start: Timestamp(clamping: 10), end: Timestamp(clamping: 20)) == nil)
  }
}
