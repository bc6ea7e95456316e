import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What a trace that is followed keeps of the time of threads.
struct ThreadTimeForgettingTests {
  @Test func `samples before a time are forgotten, except the one that starts a segment`() {
    var builder = TraceBuilder(format: "test")
    let track = builder.track(7, of: builder.process(1))
    for start in [0, 10, 20, 30] as [Int64] {
      builder.addThreadState(
        .running, on: track, from: Timestamp(clamping: start), to: Timestamp(clamping: start + 10),
        core: 1)
      var sample = ThreadTimeSample()
      (sample.cpu, sample.waits) = (start, start > 10 ? 1 : nil)
      builder.addThreadTime(sample, on: track, at: Timestamp(clamping: start))
    }
    #expect(builder.itemCount == 8)
    builder.forget(before: Timestamp(clamping: 25))
    #expect(builder.itemCount == 4)
    let trace = builder.finish()
    #expect(trace.states(of: 7) == ["running 20-30 on 1", "running 30-40 on 1"])
    #expect(trace.cpuTimes(of: 7) == ["20: 20", "30: 30"])
    #expect(trace.tracks[0].threadTimes[1].waits == 1)
  }

  @Test func `samples come back as they were added, whatever is known of each`() {
    var random = SeededGenerator(seed: 1)
    var builder = TraceBuilder(format: "test")
    let track = builder.track(7, of: builder.process(1))
    let samples = (0..<300).map { index in
      var sample = ThreadTimeSample()
      sample.cpu = Int64(index)
      if Bool.random(using: &random) { sample.waits = Int64(index) * 2 }
      if index > 150 { sample.faults = Int64(index) * 3 }
      return sample
    }
    for (index, sample) in samples.enumerated() {
      builder.addThreadTime(sample, on: track, at: Timestamp(clamping: Int64(index) * 10))
      if index == 100 { builder.forget(before: Timestamp(clamping: 395)) }
    }
    let times = builder.finish().tracks[0].threadTimes
    #expect((0..<times.count).map { times[$0] } == Array(samples[39...]))
  }

  @Test func `overlapping slices count once and are reported`() {
    var builder = TraceBuilder(format: "test")
    let track = builder.track(7, of: builder.process(1))
    for (start, end) in [(20, 30), (0, 15), (10, 25), (12, 14)] as [(Int64, Int64)] {
      builder.addThreadState(
        .ready, on: track, from: Timestamp(clamping: start), to: Timestamp(clamping: end))
    }
    builder.addThreadState(
      .ready, on: track, from: Timestamp(clamping: 9), to: Timestamp(clamping: 5))
    let trace = builder.finish()
    #expect(trace.states(of: 7) == ["ready 0-15", "ready 15-25", "ready 25-30"])
    #expect(trace.notices.contains(.overlappingThreadStates(track: "thread 7", count: 3)))
    #expect(trace.losses.map(\.reason) == [.endBeforeBegin])
  }
}
