internal import ScrollTraceRecorder

/// A frame with complete timing at its start and four phases in its commit: six records, six clock
/// readings.
struct FrameBenchmark: Benchmark {
  let name: String
  /// A Boolean value indicating whether frames record their thread's counts: two readings more.
  var threadTime = false

  func run() throws -> BenchResult {
    let frames = 10_000
    return try Rounds.compare(name, spans: frames) {
      try ScratchFile.record(prepared: 8 << 20, threadTime: threadTime) { recorder in
        record(10, recorder)
        return Rounds.time { record(frames, recorder) }
      }
    }
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
