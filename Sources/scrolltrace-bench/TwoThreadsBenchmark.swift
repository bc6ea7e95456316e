internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTraceRecorder

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
    let slowest = Locked(0.0)
    nonisolated(unsafe) let started = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    started.initialize(to: 0)
    defer { started.deallocate() }
    let measure: @Sendable () -> Void = {
      scrolltrace_add(started, 1)
      while scrolltrace_load(started) < 2 {}
      let time = body()
      slowest.withLock { $0 = max($0, time) }
    }
    guard let other = WorkerThread(measure) else { return .nan }
    measure()
    other.join()
    return slowest.withLock { $0 }
  }
}
