internal import ScrollTraceRecorder

/// A frame with all that can be known of it: three records, four readings of the clock.
struct FrameBenchmark: Benchmark {
  let name = "recorder.frame"

  func run() throws -> BenchResult {
    let frames = 10_000
    return try Rounds.compare(name, spans: frames) {
      try ScratchFile.record(prepared: 4 << 20) { recorder in
        recorder.beginFrame().end()
        return Rounds.time {
          for index in 0..<Int64(frames) {
            let tick = FrameTick(
              begin: index, deadline: index + 8, target: index + 16, interval: 8)
            let frame = recorder.beginFrame(tick)
            frame.end()
            frame.presented(at: index + 16)
          }
        }
      }
    }
  }
}
