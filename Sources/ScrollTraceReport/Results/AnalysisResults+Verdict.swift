public import ScrollTraceGate

extension AnalysisResults {
  /// Whether runs meet their limits (M-21).
  public struct Verdict: Codable, Sendable {
    /// The status of all limits together.
    public let status: ScrollTraceGate.Verdict.Status
    /// The reasons for the status and the warnings, the most important first. The words may change.
    public let reasons: [String]
    /// The largest increase over the baseline, as a part of it, that any metric needs to be detected in four
    /// of five cases, or `nil` without a baseline.
    public let detectableShare: Double?
    /// The results of the limits, in the order of the budget; empty without one.
    public let results: [Result]
    /// The verdicts on groups of runs; empty without several. Runs are in the order of their groups.
    public let groups: [ScrollTraceGate.Verdict.Group]
    /// Remarks in addition to the results.
    public let notes: [VerdictNote]

    init(of report: Report) {
      let verdict = report.verdict
      status = verdict.status
      reasons = verdict.sentences
      detectableShare = verdict.detectableShare
      results = verdict.results.map(Result.init)
      groups = verdict.groups
      notes = report.gateNotes
    }
  }

  /// The result of one limit (M-21). All numbers are in its unit.
  public struct Result: Codable, Sendable {
    /// The name of the metric, which is the path of its key in this report: `commitNs.p95`.
    public let metric: String
    /// The unit: `ns`, `ms/s`, `count`, `share`, `factor` or `1/s`.
    public let unit: String
    /// The group, surface, interaction or state; empty for the primary surface of all runs.
    public let subject: String
    /// The median of the runs, or `nil` if no run has the metric.
    public let value: Double?
    /// The minimum and maximum of the runs, or `nil` for fewer than two.
    public let range: Interval?
    /// The part within the measured time if `value` covers the whole recording and differs, else `nil`.
    public let valueInMotion: Double?
    /// The number of runs that have the metric.
    public let runs: Int
    /// The bound.
    public let limit: Limit
    /// The 95% confidence interval of the difference from the baseline, or `nil` for limits.
    public let confidenceInterval: Interval?
    /// The consequence of exceeding the limit.
    public let level: LimitResult.Level
    /// The result.
    public let status: ScrollTraceGate.Verdict.Status
    /// The reason, without a period. The words may change.
    public let reason: String

    /// The bound that a value is checked against.
    public struct Limit: Codable, Sendable {
      /// The kind: `atMost`, `atLeast` or `baseline`.
      public let kind: String
      /// The bound, or the median of the baseline, or `nil` if the baseline has none.
      public let value: Double?
      /// The tolerance as a part of the baseline, or `nil` for limits.
      public let relative: Double?
      /// The tolerance as a difference, or `nil` for limits.
      public let absolute: Double?
    }

    /// Two numbers and all between them.
    public struct Interval: Codable, Sendable {
      /// The lower number.
      public let low: Double
      /// The higher number.
      public let high: Double

      init(_ range: ClosedRange<Double>) { (low, high) = (range.lowerBound, range.upperBound) }
    }

    init(_ result: LimitResult) {
      metric = result.metric
      unit = result.unit
      subject = result.subject
      value = result.value
      range = result.range.map(Interval.init)
      valueInMotion = result.valueInMotion
      runs = result.runs
      limit =
        switch result.limit {
        case .maximum(let bound): Limit(kind: "atMost", value: bound, relative: nil, absolute: nil)
        case .minimum(let bound): Limit(kind: "atLeast", value: bound, relative: nil, absolute: nil)
        case .baseline(let base, let relative, let absolute):
          Limit(kind: "baseline", value: base, relative: relative, absolute: absolute)
        }
      confidenceInterval = result.confidenceInterval.map(Interval.init)
      level = result.level
      status = result.status
      reason = result.reason
    }
  }
}
