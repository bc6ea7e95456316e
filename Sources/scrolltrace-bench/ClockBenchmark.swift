internal import CRecorderShims
internal import ScrollTraceRecorder
internal import ScrollTracePlatform

/// Compares the recorder's clock with the system's for some seconds: `scrolltrace-bench clock`.
enum ClockBenchmark {
  #if canImport(Darwin)
    private static let reference = (name: "CLOCK_UPTIME_RAW", id: CLOCK_UPTIME_RAW)
    private static let sleepless = (awake: CLOCK_UPTIME_RAW, all: CLOCK_MONOTONIC_RAW)
  #else
    private static let reference = (name: "CLOCK_MONOTONIC_RAW", id: CLOCK_MONOTONIC_RAW)
    private static let sleepless = (awake: CLOCK_MONOTONIC, all: CLOCK_BOOTTIME)
  #endif

  /// The results of the comparison.
  private struct Findings {
    var samples = 0
    var heldUp = 0
    var stepsBack = 0
    var slept: UInt64 = 0
    var suspends = 0
    /// The number of samples for each difference in steps of 10 ns. The last entry is for all
    /// larger differences.
    var differences = [Int](repeating: 0, count: 100_001)
    var greatest: UInt64 = 0

    /// Returns the difference in ns that `part` of all samples do not exceed.
    func percentile(_ part: Double) -> Int {
      let wanted = Int((Double(samples) * part).rounded(.up))
      var sum = 0
      for (index, count) in differences.enumerated() {
        sum += count
        if sum >= wanted { return (index + 1) * 10 }
      }
      return differences.count * 10
    }
  }

  static func run(_ arguments: [String]) -> Int32 {
    var seconds: UInt64 = 10
    if !arguments.isEmpty {
      guard arguments.count == 2, arguments[0] == "--seconds",
        let count = UInt64(arguments[1]), (1...864_000) ~= count
      else { return BenchCommand.usage("clock takes --seconds with a number from 1 to 864000") }
      seconds = count
    }
    return BenchCommand.reporting {
      let recorder = try TraceRecorder(to: .memory)
      recorder.mark("begin", .work)
      let findings = compare(recorder, for: seconds * 1_000_000_000)
      try recorder.finish()
      report(findings, seconds: seconds)
      return findings.stepsBack == 0 ? 0 : 1
    }
  }

  /// Reads both clocks alternately, most of the time as fast as possible.
  ///
  /// A sample is valid only if the two readings of the system's clock around it are close together,
  /// because otherwise the thread was interrupted between them.
  private static func compare(_ recorder: TraceRecorder, for length: UInt64) -> Findings {
    var findings = Findings()
    let start = scrolltrace_clock(reference.id)
    var last: Int64 = 0
    var offset = sleepOffset()
    while true {
      let before = scrolltrace_clock(reference.id)
      let now = recorder.now().nanoseconds
      let after = scrolltrace_clock(reference.id)
      if now < last { findings.stepsBack += 1 }
      last = now
      guard before &- start < length else { return findings }
      if after &- before > 1_000 {
        findings.heldUp += 1
        continue
      }
      let middle = Int64(clamping: before + (after - before) / 2)
      let difference = (now - middle).magnitude
      findings.samples += 1
      findings.greatest = max(findings.greatest, difference)
      findings.differences[min(Int(difference / 10), findings.differences.count - 1)] += 1
      guard findings.samples % 100_000 == 0 else { continue }
      let newOffset = sleepOffset()
      if newOffset > offset + 1_000_000 {
        findings.suspends += 1
        findings.slept += newOffset - offset
      }
      offset = newOffset
      // Simulates a mostly idle host: the clock is not read for a while.
      usleep(20_000)
    }
  }

  /// Returns the lead of the clock that counts sleep.
  private static func sleepOffset() -> UInt64 {
    let awake = scrolltrace_clock(sleepless.awake)
    return scrolltrace_clock(sleepless.all) &- awake
  }

  private static func report(_ findings: Findings, seconds: UInt64) {
    print(
      """
      \(seconds) s against \(reference.name), \(findings.samples) samples, \
      \(findings.heldUp) more without a tight bracket
      difference  p50 \(findings.percentile(0.5)) ns  p99 \(findings.percentile(0.99)) ns  \
      p99.99 \(findings.percentile(0.9999)) ns  max \(findings.greatest) ns
      steps back  \(findings.stepsBack)
      suspends    \(findings.suspends), \(findings.slept / 1_000_000) ms in all
      """)
  }
}
