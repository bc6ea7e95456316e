internal import ScrollTraceRecorder

/// A span while recording is switched off.
struct OffBenchmark: Benchmark {
  let name = "recorder.off"

  func run() throws -> BenchResult {
    let spans = 500_000
    return try Rounds.compare(name, spans: spans) {
      try ScratchFile.record { recorder in
        recorder.isEnabled = false
        return Rounds.time {
          for _ in 0..<spans { recorder.withSpan("step", .work) {} }
        }
      }
    }
  }
}
