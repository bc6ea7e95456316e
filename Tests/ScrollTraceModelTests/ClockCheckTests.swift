import Testing

@testable import ScrollTraceModel

/// Times that cannot be of the recorder's clock are named (M-2).
@Suite struct ClockCheckTests {
  private let refresh: Int64 = 16_666_667

  /// What is said of `count` frames whose starts are `offset` from the times at which they are committed.
  ///
  /// - Parameter late: The frame that was due before a hang of five seconds, or `nil`.
  private func problem(offset: Int64, count: Int = 60, late: Int? = nil) -> String? {
    var builder = TraceBuilder(format: "fxt")
    let surface = builder.surface("display")
    for index in 0..<count {
      let due = 20_000_000_000 + Int64(index) * refresh
      let hang: Int64 = late.map { index >= $0 } ?? false ? 5_000_000_000 : 0
      var frame = Frame(id: UInt64(index))
      frame.refreshInterval = TimeSpan(nanoseconds: refresh)
      let start = due + offset + (index == late ? 0 : hang)
      frame.start = Timestamp(clamping: start)
      frame.deadline = Timestamp(clamping: start + refresh)
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

  @Test func `times years apart leave nothing with which a gap could be evaluated`() {
    var builder = TraceBuilder(format: "fxt")
    let surface = builder.surface("display")
    for index in 0..<20 {
      var frame = Frame(id: UInt64(index))
      frame.refreshInterval = TimeSpan(nanoseconds: refresh)
      frame.start = Timestamp(clamping: 1_000_000_000 + Int64(index) * refresh)
      frame.commitEnd = Timestamp(clamping: 1_005_000_000 + Int64(index) * refresh)
      builder.updateFrame(frame, of: surface)
    }
    builder.extend(to: Timestamp(clamping: 1 << 58))
    let found = builder.finish().surfaces[0]
    #expect(found.problem?.contains("years apart") == true)
    #expect(found.frames.allSatisfy { $0.refreshInterval == nil && $0.start == nil })
  }

  /// What is said of `count` frames of a host's lines, of which `late` were presented `offset` after they were due.
  private func problem(
    presentedAfter offset: Int64, late: Int, of count: Int, hasTargets: Bool
  ) -> String? {
    var builder = TraceBuilder(format: "ndjson")
    let surface = builder.surface("display")
    for index in 0..<count {
      let start = 20_000_000_000 + Int64(index) * refresh
      let due = start + 2 * refresh
      var frame = Frame(id: UInt64(index))
      frame.refreshInterval = TimeSpan(nanoseconds: refresh)
      frame.start = Timestamp(clamping: start)
      frame.commitEnd = Timestamp(clamping: start + refresh / 2)
      if hasTargets { frame.target = Timestamp(clamping: due) }
      frame.presented = Timestamp(clamping: due + (index < late ? offset : 0))
      builder.updateFrame(frame, of: surface)
    }
    return builder.finish().surfaces[0].problem
  }

  @Test func `presentations seconds after most frames were due are of another clock`() {
    for hasTargets in [true, false] {
      func problem(_ offset: Int64, late: Int, of count: Int) -> String? {
        self.problem(presentedAfter: offset, late: late, of: count, hasTargets: hasTargets)
      }
      let found = problem(5_000_000_000_000, late: 60, of: 60)
      #expect(found?.contains("60 of 60 frames is 5000 s after they were due") == true)
      #expect(found?.contains("another clock") == true)
      // A slow display, a hang of seconds that half of the frames had to wait for, and a few frames.
      #expect(problem(900_000_000, late: 60, of: 60) == nil)
      #expect(problem(5_000_000_000, late: 30, of: 60) == nil)
      #expect(problem(5_000_000_000, late: 9, of: 9) == nil)
    }
  }

  @Test func `frames that are due and shown on another clock than made are judged, and named`() {
    func finished(offset: Int64) -> Trace {
      var builder = TraceBuilder(format: "ndjson")
      let surface = builder.surface("display")
      for index in 0..<20 {
        let start = 20_000_000_000 + Int64(index) * refresh
        var frame = Frame(id: UInt64(index))
        frame.refreshInterval = TimeSpan(nanoseconds: refresh)
        frame.start = Timestamp(clamping: start)
        frame.commitEnd = Timestamp(clamping: start + refresh / 2)
        frame.target = Timestamp(clamping: start + 2 * refresh + offset)
        frame.presented = frame.target
        builder.updateFrame(frame, of: surface)
      }
      return builder.finish()
    }
    func texts(offset: Int64) -> String { "\(finished(offset: offset).notices)" }
    #expect(finished(offset: 5_000_000_000_000).surfaces[0].problem == nil)
    let text = "the target of 20 of 20 frames is 5000 s from their commits"
    #expect(texts(offset: 5_000_000_000_000).contains(text))
    #expect(!texts(offset: 900_000_000).contains("the target of"))
  }

  @Test func `a frame that was due before a hang is of the right clock`() {
    #expect(problem(offset: 0, count: 9, late: 4) == nil)
    #expect(problem(offset: -3_000_000_000, count: 9, late: 4) != nil)
  }
}
