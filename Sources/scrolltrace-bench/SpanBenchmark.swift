internal import ScrollTraceRecorder

/// Begin and end of one span through the public calls, into pages that are there already.
struct SpanBenchmark: Benchmark {
  /// What kind of span.
  enum Kind {
    case plain, item, phase
  }

  let name: String
  let kind: Kind

  func run() throws -> BenchResult {
    let spans = 50_000
    return try Rounds.compare(name, spans: spans) {
      try ScratchFile.record(prepared: 4 << 20) { recorder in
        recorder.span("step", .work, item: 0) {}
        return Rounds.time { record(spans, recorder) }
      }
    }
  }

  @inline(never)
  private func record(_ spans: Int, _ recorder: TraceRecorder) {
    switch kind {
    case .plain:
      for _ in 0..<spans { recorder.span("step", .work) {} }
    case .item:
      for index in 0..<spans {
        recorder.span("step", .work, item: UInt64(truncatingIfNeeded: index)) {}
      }
    case .phase:
      let frame = recorder.beginFrame()
      for _ in 0..<spans { frame.phase(.layout) {} }
      frame.end()
    }
  }
}
