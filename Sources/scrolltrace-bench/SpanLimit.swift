internal import CRecorderPrimitives

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The physical limit U of a span: two readings of the clock and one store of 32 bytes into a warm
/// ring.
struct SpanLimit: ~Copyable {
  /// What U is, in words.
  static let name = "two tick reads and a 32-byte store"
  /// The clock the recorder reads by default.
  #if canImport(Darwin)
    static let clock = CLOCK_UPTIME_RAW
  #else
    static let clock = CLOCK_MONOTONIC_RAW
  #endif

  private let ring: UnsafeMutablePointer<UInt64>
  private let words = 1 << 17

  init() {
    ring = .allocate(capacity: words)
    ring.initialize(repeating: 1, count: words)
  }

  deinit { ring.deallocate() }

  /// The nanoseconds that `count` such spans take in all.
  func measure(_ count: Int) -> Double {
    let start = scrolltrace_clock(Self.clock)
    var position = 0
    for index in 0..<count {
      let begin = scrolltrace_clock(Self.clock)
      let end = scrolltrace_clock(Self.clock)
      let record = ring + position
      record[1] = begin
      record[2] = end
      record[3] = UInt64(truncatingIfNeeded: index)
      scrolltrace_store_release(record, 1)
      position = (position + 4) & (words - 1)
    }
    return Double(scrolltrace_clock(Self.clock) - start)
  }
}

/// Rounds of a benchmark and of its limit, one after the other.
enum Rounds {
  /// How many rounds count; one more goes before them.
  static let count = 7
  /// How many rounds count where each takes long.
  static let readerCount = 5

  /// Measures `body`, which gives nanoseconds for `spans` spans, and U in turns.
  static func compare(
    _ name: String, spans: Int, _ body: () throws -> Double
  ) rethrows -> BenchResult {
    let limit = SpanLimit()
    var values: [Double] = []
    var ratios: [Double] = []
    for round in 0...count {
      let base = limit.measure(spans) / Double(spans)
      let value = try body() / Double(spans)
      if round == 0 { continue }
      values.append(value)
      ratios.append(value / base)
    }
    return BenchResult(
      name: name, value: median(values), reference: SpanLimit.name, ratio: median(ratios),
      rounds: count)
  }

  /// The nanoseconds that `body` takes.
  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = scrolltrace_clock(SpanLimit.clock)
    try body()
    return Double(scrolltrace_clock(SpanLimit.clock) - start)
  }

  /// The middle one of some values.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
