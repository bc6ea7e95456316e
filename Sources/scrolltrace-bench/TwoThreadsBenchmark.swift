internal import ScrollTraceRecorder
internal import Synchronization

/// Spans of two threads at once; the slower thread counts.
struct TwoThreadsBenchmark: Benchmark {
  let name = "recorder.twothreads"

  func run() throws -> BenchResult {
    let spans = 50_000
    return try Rounds.compare(name, spans: spans) {
      try ScratchFile.record(prepared: 4 << 20) { recorder in
        let slowest = Mutex(0.0)
        Threads.run(2) {
          recorder.span("step", .work) {}
          let time = Rounds.time {
            for _ in 0..<spans { recorder.span("step", .work) {} }
          }
          slowest.withLock { $0 = max($0, time) }
        }
        return slowest.withLock { $0 }
      }
    }
  }
}
