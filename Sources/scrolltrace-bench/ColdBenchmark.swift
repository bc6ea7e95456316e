internal import CRecorderShims
internal import ScrollTraceRecorder
internal import ScrollTracePlatform

/// One span after other work has passed eight megabytes through the caches, more like an app that
/// draws a frame than a loop. The limit is measured under the same conditions.
struct ColdBenchmark: Benchmark {
  let name = "recorder.span.cold"
  private let rounds = 1_500

  func run() throws -> BenchResult {
    let words = 1 << 20
    let other = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    other.initialize(repeating: 1, count: words)
    defer { other.deallocate() }
    let ring = UnsafeMutablePointer<UInt64>.allocate(capacity: 1 << 17)
    ring.initialize(repeating: 1, count: 1 << 17)
    defer { ring.deallocate() }
    let frequency = Self.ticksPerNanosecond()
    return try ScratchFile.record(prepared: 8 << 20) { recorder in
      var spans: [Double] = []
      var limits: [Double] = []
      for round in 0..<rounds {
        recorder.withSpan("step", .work) {}
        Self.chill(other, words)
        let begin = scrolltrace_ticks()
        recorder.withSpan("step", .work) {}
        let end = scrolltrace_ticks()
        Self.chill(other, words)
        let first = scrolltrace_ticks()
        let record = ring + (round * 4 & 0x1FFFF)
        record[1] = scrolltrace_ticks()
        record[2] = scrolltrace_ticks()
        scrolltrace_store_release(record, 1)
        let last = scrolltrace_ticks()
        spans.append(Double(end &- begin) / frequency)
        limits.append(Double(last &- first) / frequency)
      }
      let span = Rounds.median(spans)
      return BenchResult(
        name: name, value: span, reference: SpanLimit.name + ", as cold",
        ratio: span / Rounds.median(limits), rounds: rounds)
    }
  }

  /// Passes other memory through the caches.
  @inline(never)
  private static func chill(_ other: UnsafeMutablePointer<UInt64>, _ words: Int) {
    for index in stride(from: 0, to: words, by: 8) { other[index] &+= 1 }
  }

  private static func ticksPerNanosecond() -> Double {
    let clock = CLOCK_MONOTONIC
    let (tick, time) = (scrolltrace_ticks(), scrolltrace_clock(clock))
    while scrolltrace_clock(clock) - time < 20_000_000 {}
    return Double(scrolltrace_ticks() &- tick) / Double(scrolltrace_clock(clock) - time)
  }
}
