internal import ScrollTraceRecorder

/// Spans, or changes from phase to phase, through the public calls, into pages that are there already.
struct SpanBenchmark: Benchmark {
  /// What kind of span.
  enum Kind {
    case plain, item, phase
  }

  let name: String
  let kind: Kind
  /// How many bytes of events are kept; `nil` for all.
  var ring: Int?

  func run() throws -> BenchResult {
    let spans = 100_000
    return try Rounds.compare(name, spans: spans) {
      try ScratchFile.record(prepared: 8 << 20, ring: ring) { recorder in
        recorder.withSpan("step", .work, item: 0) {}
        recorder.withSpan("step", .work) {}
        // Once round, so that chunks are used again from now on.
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
      var phase = frame.beginPhase(.layout)
      for _ in 0..<spans / 2 {
        phase = frame.switchPhase(phase, to: .commit)
        phase = frame.switchPhase(phase, to: .layout)
      }
      recorder.endSpan(phase)
      frame.end()
    }
  }
}
