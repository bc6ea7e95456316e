internal import ScrollTraceRecorder
internal import Synchronization

/// Spans of two threads at once, compared with U measured on two threads at once; the slower thread
/// counts.
struct TwoThreadsBenchmark: Benchmark {
  let name = "recorder.twothreads"

  func run() throws -> BenchResult {
    let spans = 100_000
    return try Rounds.compare(name, spans: spans, base: { slower { SpanLimit().measure(spans) } }) {
      try ScratchFile.record(prepared: 12 << 20) { recorder in
        slower {
          recorder.withSpan("step", .work) {}
          return Rounds.time {
            for _ in 0..<spans { recorder.withSpan("step", .work) {} }
          }
        }
      }
    }
  }

  /// Returns the time of `body` on the slower one of two threads that start together.
  private func slower(_ body: @escaping @Sendable () -> Double) -> Double {
    let slowest = Mutex(0.0)
    let waiting = Atomic(2)
    Threads.run(2) {
      waiting.subtract(1, ordering: .relaxed)
      while waiting.load(ordering: .relaxed) > 0 {}
      let time = body()
      slowest.withLock { $0 = max($0, time) }
    }
    return slowest.withLock { $0 }
  }
}
