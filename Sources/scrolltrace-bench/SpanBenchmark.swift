internal import ScrollTraceRecorder

/// Spans, or phase changes, through the public API, into pages that are already resident.
struct SpanBenchmark: Benchmark {
  enum Kind {
    case plain, item, phase
  }

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
