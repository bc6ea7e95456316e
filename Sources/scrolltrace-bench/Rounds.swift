internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Alternating rounds of a benchmark and of its limit.
///
/// They are short, so that on a busy machine most of them run undisturbed, and medians are robust.
enum Rounds {
  /// The number of counted rounds, after one warm-up.
  static let count = 41
  /// The number of counted rounds if each takes long.
  static let readerCount = 5
  /// The number of counted rounds if each is long on purpose.
  static let longCount = 5

  /// Alternates between `body`, which returns nanoseconds for `spans` spans, and U.
  ///
  /// - Parameter base: The time U takes for `spans` spans, or `nil` for that of one thread.
  static func compare(
    _ name: String, spans: Int, rounds: Int = count, base: (() -> Double)? = nil,
    _ body: () throws -> Double
  ) rethrows -> BenchResult {
    let limit = SpanLimit()
    var values: [Double] = []
    var ratios: [Double] = []
    for round in 0...rounds {
      let base = base?() ?? limit.measure(spans)
      let value = try body()
      if round == 0 { continue }
      values.append(value / Double(spans))
      ratios.append(value / base)
    }
    return BenchResult(
      name: name, value: median(values), reference: SpanLimit.name, ratio: median(ratios),
      rounds: rounds)
  }

  /// Returns the nanoseconds of CPU time of `body` on the calling thread, including the system's
  /// work for it, so that other processes of a busy machine do not count.
  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID)
    try body()
    return Double(scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID) - start)
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
