internal import CRecorderShims
internal import ScrollTraceRecorder
internal import ScrollTracePlatform

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
    return try medians(name, reference: SpanLimit.name, rounds: rounds) {
      let base = base?() ?? limit.measure(spans)
      let value = try body()
      return (value / Double(spans), value / base)
    }
  }

  /// Returns the medians of a value and of its ratio to a reference, which `body` measures together.
  static func medians(
    _ name: String, unit: String = "ns", reference: String = "", rounds: Int = readerCount,
    _ body: () throws -> (value: Double, ratio: Double?)
  ) rethrows -> BenchResult {
    var (values, ratios): ([Double], [Double]) = ([], [])
    for round in 0...rounds {
      let (value, ratio) = try body()
      if round == 0 { continue }
      values.append(value)
      if let ratio { ratios.append(ratio) }
    }
    return BenchResult(
      name: name, value: median(values), unit: unit, reference: reference,
      ratio: ratios.isEmpty ? nil : median(ratios), rounds: rounds)
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

/// The physical limit U of a span: two readings of the CPU's tick counter and one store of 32 bytes
/// into a warm ring.
struct SpanLimit: ~Copyable {
  /// The description of U.
  static let name = "two raw tick reads and a 32-byte store"
  private let ring: UnsafeMutablePointer<UInt64>
  private let words = 1 << 17

  init() {
    ring = .allocate(capacity: words)
    ring.initialize(repeating: 1, count: words)
  }

  deinit { ring.deallocate() }

  /// Returns the total nanoseconds of `count` such spans.
  func measure(_ count: Int) -> Double {
    var position = 0
    return Rounds.time {
      for index in 0..<count {
        let begin = scrolltrace_ticks()
        let end = scrolltrace_ticks()
        let record = ring + position
        record[1] = begin
        record[2] = end
        record[3] = UInt64(truncatingIfNeeded: index)
        scrolltrace_store_release(record, 1)
        position = (position + 4) & (words - 1)
      }
    }
  }
}

/// A recording in a file that is deleted after the benchmark.
enum ScratchFile {
  /// Returns a path in the temporary directory that only this process uses.
  static func path(_ ending: String) -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return "\(folder)/scrolltrace-bench-\(getpid()).\(ending)"
  }

  /// Records into a new file with `prepared` preallocated bytes, or into a ring of `ring` bytes.
  ///
  /// - Parameter threadTime: Whether frames record their thread's counts.
  static func record<Value>(
    prepared: Int = 0, ring: Int? = nil, threadTime: Bool = false,
    _ body: (TraceRecorder) throws -> Value
  ) throws -> Value {
    let path = path("fxt")
    var options = RecorderOptions()
    options.preallocatedBytes = prepared
    options.ringBytes = ring
    options.replacesExistingFile = true
    options.sealsChunks = false
    options.recordsThreadTimes = threadTime
    let recorder = try TraceRecorder(writingTo: path, options: options)
    defer {
      // The recorder keeps its mapping; only the first page is still needed.
      truncate(path, 4096)
      unlink(path)
    }
    let value = try body(recorder)
    try recorder.finish()
    let losses = recorder.losses
    if losses.total > 0 { Console.warn("lost: \(losses)") }
    return value
  }
}
