internal import ScrollTraceRecorder

/// Spans into a file that grows while they are recorded.
struct GrowingBenchmark: Benchmark {
  let name = "recorder.span.growing"

  func run() throws -> BenchResult {
    let spans = 250_000
    return try Rounds.compare(name, spans: spans) {
      try ScratchFile.record { recorder in
        recorder.span("step", .work) {}
        return Rounds.time {
          for _ in 0..<spans { recorder.span("step", .work) {} }
        }
      }
    }
  }
}
