import ScrollTraceAnalysis
import ScrollTraceGate

/// Verdicts that a budget could give.
enum Verdicts {
  /// One of every status, limit and level.
  static let mixed = Verdict(
    .failed, reasons: ["hitchTimeRatioMsPerS is 31.88 ms/s, and 5.00 ms/s are allowed"],
    results: [
      LimitResult(
        metric: "hitchTimeRatioMsPerS", unit: "ms/s", value: 31.88, runs: 5, limit: .maximum(5),
        level: .error, status: .failed,
        reason: "hitchTimeRatioMsPerS 31.88 ms/s is over the limit of 5 ms/s"),
      LimitResult(
        metric: "deadlineMisses", unit: "", subject: "feed", value: 3, runs: 5, limit: .maximum(2),
        level: .warn, status: .failed, reason: "deadlineMisses 3 is over the limit of 2"),
      LimitResult(
        metric: "commitP95Ms", unit: "ms", value: 9.5, runs: 5,
        limit: .baseline(9, relative: 0.1, absolute: 1), confidenceInterval: -0.25...1.25,
        detectableIncrease: 1.08, level: .error,
        status: .passed, reason: "commitP95Ms: no regression; +12% or more would have been seen"),
      LimitResult(
        metric: "picturesInMotion", unit: "", value: 99, runs: 5, limit: .minimum(95),
        level: .error, status: .passed, reason: "kept"),
      LimitResult(
        metric: "headroomMs", unit: "ms", value: nil, runs: 0, limit: .minimum(1),
        level: .error, status: .notEvaluated, reason: "headroomMs is not known"),
      LimitResult(
        metric: "hitches", unit: "", value: 2, runs: 2,
        limit: .baseline(1, relative: 0.5, absolute: 1), level: .error, status: .tooFewRuns,
        reason: "hitches 1 to 2: it takes 4 runs a side"),
    ])

  /// A failed one about `name`.
  static func hostile(_ name: String) -> Verdict {
    Verdict(
      .failed, reasons: [name],
      results: [
        LimitResult(
          metric: name, unit: name, subject: name, value: 7, runs: 1, limit: .maximum(5),
          level: .error, status: .failed, reason: name)
      ])
  }
}
