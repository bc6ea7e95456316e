internal import CRecorderShims
internal import ScrollTraceRecorder
internal import ScrollTracePlatform

/// A frame with complete timing at its start and four phases in its commit: six records, six clock
/// readings.
struct FrameBenchmark: Benchmark {
  let name: String
  /// Whether frames record their thread's counts: two readings more.
  var threadTime = false
  /// Whether the thread sleeps before each frame, as it does for a display. The
  /// time is then that on the clock of the wall.
  var waits = false

  func run() throws -> BenchResult {
    let frames = waits ? 200 : 10_000
    return try Rounds.compare(name, spans: frames) {
      try ScratchFile.record(prepared: 8 << 20, threadTime: threadTime) { recorder in
        record(10, recorder)
        if waits { return recordWaiting(frames, recorder) }
        return Rounds.time { record(frames, recorder) }
      }
    }
  }

  /// Returns the nanoseconds of some frames, without the sleep before each.
  private func recordWaiting(_ frames: Int, _ recorder: TraceRecorder) -> Double {
    var times: [Double] = []
    for _ in 0..<frames {
      usleep(50)
      let start = scrolltrace_clock(CLOCK_MONOTONIC)
      record(1, recorder)
      times.append(Double(scrolltrace_clock(CLOCK_MONOTONIC) - start))
    }
    return Rounds.median(times) * Double(frames)
  }

  @inline(never)
  private func record(_ frames: Int, _ recorder: TraceRecorder) {
    for index in 0..<Int64(frames) {
      let frame = recorder.beginFrame(
        FrameTiming(
          start: .nanoseconds(index), deadline: .nanoseconds(index + 8),
          target: .nanoseconds(index + 16), refreshInterval: .nanoseconds(8)))
      var phase = frame.beginPhase("update", atFrameStart: true)
      phase = frame.switchPhase(phase, to: "layout")
      phase = frame.switchPhase(phase, to: "draw")
      phase = frame.switchPhase(phase, to: "commit")
      frame.end(endingPhase: phase)
    }
  }
}
