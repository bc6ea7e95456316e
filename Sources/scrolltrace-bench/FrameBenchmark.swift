internal import ScrollTraceRecorder

/// A frame with all that is known at its begin and four phases in its commit: six records, six
/// readings of the clock.
struct FrameBenchmark: Benchmark {
  let name = "recorder.frame"

  func run() throws -> BenchResult {
    let frames = 10_000
    return try Rounds.compare(name, spans: frames) {
      try ScratchFile.record(prepared: 4 << 20) { recorder in
        record(10, recorder)
        return Rounds.time { record(frames, recorder) }
      }
    }
  }

  @inline(never)
  private func record(_ frames: Int, _ recorder: TraceRecorder) {
    for index in 0..<Int64(frames) {
      let frame = recorder.beginFrame(
        FrameTick(begin: index, deadline: index + 8, target: index + 16, interval: 8))
      var phase = frame.firstPhase(.update)
      phase = frame.nextPhase(after: phase, .layout)
      phase = frame.nextPhase(after: phase, .draw)
      phase = frame.nextPhase(after: phase, .commit)
      frame.end(after: phase)
    }
  }
}
