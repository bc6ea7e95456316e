import Testing

@testable import ScrollTraceModel

/// Times that cannot be of the recorder's clock are named (M-2).
@Suite struct ClockCheckTests {
  private let refresh: Int64 = 16_666_667

  /// Sixty frames, whose starts are `offset` from the times at which they are committed, those of `late`
  /// after a hang of five seconds.
  private func problem(offset: Int64, late: Range<Int> = 0..<0) -> String? {
    var builder = TraceBuilder(format: "fxt")
    let surface = builder.surface("display")
    for index in 0..<60 {
      let due = 20_000_000_000 + Int64(index) * refresh
      let hang: Int64 = index >= late.lowerBound && !late.isEmpty ? 5_000_000_000 : 0
      var frame = Frame(id: UInt64(index))
      frame.refreshInterval = TimeSpan(nanoseconds: refresh)
      // What was due in the hang is caught up with; later frames start when they are committed.
      frame.start = Timestamp(clamping: due + offset + (late.contains(index) ? 0 : hang))
      frame.deadline = Timestamp(clamping: due + offset + hang + refresh)
      frame.commitStart = Timestamp(clamping: due + hang)
      frame.commitEnd = Timestamp(clamping: due + hang + refresh / 2)
      builder.updateFrame(frame, of: surface)
    }
    return builder.finish().surfaces[0].problem
  }

  @Test func `times seconds from the commits are of another clock`() {
    #expect(problem(offset: 0) == nil)
    #expect(problem(offset: -900_000_000) == nil)
    for offset in [-3_000_000_000, -60_000_000_000, 3_000_000_000] as [Int64] {
      #expect(problem(offset: offset)?.contains("another clock") == true, "\(offset)")
    }
  }

  @Test func `frames that were due in a hang are of the right clock`() {
    #expect(problem(offset: 0, late: 20..<40) == nil)
  }
}
