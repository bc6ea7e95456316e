internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTraceRecorder
internal import ScrollTracePlatform

/// Spans, or phase changes, through the public API, into pages that are already resident.
struct SpanBenchmark: Benchmark {
  enum Kind { case plain, item, phase }

  let name: String
  let kind: Kind
  /// The number of retained bytes of events, or `nil` for all.
  var ring: Int?

  func run() throws -> BenchResult {
    let spans = 100_000
    return try Rounds.compare(name, spans: spans) {
      try ScratchFile.record(prepared: 8 << 20, ring: ring) { recorder in
        recorder.withSpan("step", .work, item: 0) {}
        recorder.withSpan("step", .work) {}
        // Fills the ring once, so that chunks are reused from now on.
        if ring != nil { record(spans, recorder) }
        return Rounds.time { record(spans, recorder) }
      }
    }
  }

  @inline(never)
  private func record(_ spans: Int, _ recorder: TraceRecorder) {
    switch kind {
    case .plain:
      for _ in 0..<spans { recorder.withSpan("step", .work) {} }
    case .item:
      for index in 0..<spans {
        recorder.withSpan("step", .work, item: ItemID(UInt64(truncatingIfNeeded: index))) {}
      }
    case .phase:
      let frame = recorder.beginFrame()
      var phase = frame.beginPhase("layout")
      for _ in 0..<spans / 2 {
        phase = frame.switchPhase(phase, to: "commit")
        phase = frame.switchPhase(phase, to: "layout")
      }
      recorder.endSpan(phase)
      frame.end()
    }
  }
}

/// A span while recording is switched off.
struct OffBenchmark: Benchmark {
  let name = "recorder.off"

  func run() throws -> BenchResult {
    let spans = 500_000
    return try Rounds.compare(name, spans: spans) {
      try ScratchFile.record { recorder in
        recorder.isEnabled = false
        return Rounds.time { for _ in 0..<spans { recorder.withSpan("step", .work) {} } }
      }
    }
  }
}

/// Ten million spans into a file that grows while they are recorded.
struct GrowingBenchmark: Benchmark {
  enum Kind {
    /// The time of the recording thread.
    case thread
    /// The time of all threads, until the file is finished.
    case process
  }

  let name: String
  let kind: Kind

  func run() throws -> BenchResult {
    let spans = 10_000_000
    return try Rounds.compare(name, spans: spans, rounds: Rounds.longCount) {
      let start = scrolltrace_clock(CLOCK_PROCESS_CPUTIME_ID)
      let time = try ScratchFile.record { recorder in
        recorder.withSpan("step", .work) {}
        return Rounds.time { for _ in 0..<spans { recorder.withSpan("step", .work) {} } }
      }
      let all = Double(scrolltrace_clock(CLOCK_PROCESS_CPUTIME_ID) - start)
      return kind == .thread ? time : all
    }
  }
}

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
          return Rounds.time { for _ in 0..<spans { recorder.withSpan("step", .work) {} } }
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
