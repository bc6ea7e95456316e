internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Rounds of a benchmark and of its limit, one after the other.
///
/// They are short, so that on a busy machine most of them run undisturbed, and medians count.
enum Rounds {
  /// How many rounds count; one more goes before them.
  static let count = 41
  /// How many rounds count where each takes long.
  static let readerCount = 5
  /// How many rounds count where each is meant to be long.
  static let longCount = 5

  /// Measures `body`, which gives nanoseconds for `spans` spans, and U in turns.
  ///
  /// - Parameter base: What U takes for `spans` spans; `nil` for one thread's.
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

  /// The nanoseconds of processor time that `body` takes on the calling thread, the system's work
  /// for it included: other processes of a busy machine do not count.
  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID)
    try body()
    return Double(scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID) - start)
  }

  /// The middle one of some values.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
