import ScrollTraceAnalysis
import ScrollTraceModel

/// Checks the median of runs against a limit.
struct LimitEvaluator {
  private let limit: Budget.Limit
  private let subject: MetricSubject
  private let group: String
  /// Whether a run lacks the metric because its main thread lacked a core.
  private let hasStarvedRuns: Bool
  /// What to do if runs are not evaluated because of the load of the machine.
  static let adviceWithoutCore = "record on a quieter machine, or use --thresholds cpu"
  static let reasonWithoutFrames = "no data, no frame could be evaluated"
  private var metric: Metric { limit.metric }
  private var unit: String { limit.metric.unit.rawValue }

  init(
    _ limit: Budget.Limit, _ subject: MetricSubject, group: String, hasStarvedRuns: Bool = false
  ) {
    self.limit = limit
    self.hasStarvedRuns = hasStarvedRuns && !limit.metric.isIndependentOfLoad
    self.subject = subject
    self.group = group
  }

  func result(for runs: [Analysis], _ contexts: [MetricContext?]) -> LimitResult {
    let known = values(of: metric, contexts)
    let missing = RunsWithoutData(zip(runs, known).filter { $1 == nil }.map(\.0), of: runs.count)
    let all = RunValues(known.compactMap { $0 })
    let inMotion = metric.inMotion.flatMap {
      RunValues(values(of: $0, contexts).compactMap { $0 })?.median
    }.flatMap { $0 == all?.median ? nil : $0 }
    func result(_ status: Verdict.Status, _ reason: String) -> LimitResult {
      LimitResult(
        metric: metric.name, unit: unit, subject: Self.text(group, subject), value: all?.median,
        runs: all?.count ?? 0,
        limit: metric.higherIsBetter ? .minimum(limit.bound) : .maximum(limit.bound),
        level: limit.level, status: status, reason: reason, range: all?.range,
        valueInMotion: all == nil ? nil : inMotion, runsWithoutData: missing?.names ?? [])
    }
    guard let found = all else { return result(.notEvaluated, reasonWithoutData(contexts, runs)) }
    func isMet(_ value: Double) -> Bool {
      metric.higherIsBetter ? value >= limit.bound : value <= limit.bound
    }
    let value =
      "\(metric.label): \(GateNumber.text(found.median, besides: limit.bound, unit: unit))"
      + details(found, inMotion)
    let bound = "the limit of \(GateNumber.text(limit.bound, unit: unit))"
    let tail =
      metric.unit == .ns && limit.bound > 0 && limit.bound < 1_000
      ? "; a number without a unit is in nanoseconds" : ""
    if isMet(found.median) {
      return missing.map { result(.notEvaluated, "\(metric.label): \($0.advice)") }
        ?? result(.passed, "\(value) meets \(bound)\(tail)")
    }
    let verb = metric.higherIsBetter ? "is below" : "exceeds"
    let best = zip(contexts, known).compactMap { context, value in
      value.map { _ in context.flatMap(metric.numberWithoutLoad) ?? Metric.unboundedBest(metric) }
    }
    if let minimum = RunValues(best)?.median, isMet(minimum) {
      let own =
        minimum.magnitude < Metric.unbounded / 4
        ? "; by its own work it is \(GateNumber.text(minimum, besides: limit.bound, unit: unit))"
        : ""
      return result(
        .notEvaluated,
        "\(value) \(verb) \(bound), but the main thread lacked a core\(own); \(Self.adviceWithoutCore)"
      )
    }
    return result(
      .failed, "\(value) \(verb) \(bound)\(tail)" + (missing.map { "; \($0.text)" } ?? ""))
  }

  /// Returns a note on the runs that exceed a limit that their median meets, or `nil` if there is none.
  func noteOnExceeding(_ runs: [Analysis], _ contexts: [MetricContext?]) -> VerdictNote? {
    let names = zip(runs, values(of: metric, contexts)).filter { _, value in
      value.map { metric.higherIsBetter ? $0 < limit.bound : $0 > limit.bound } ?? false
    }.map { Budget.fileName(of: $0.0) }
    guard !names.isEmpty else { return nil }
    let verb =
      metric.higherIsBetter
      ? names.count == 1 ? "is below" : "are below" : names.count == 1 ? "exceeds" : "exceed"
    return VerdictNote(
      .overLimit, .warning,
      "\(metric.label): \(names.count) of \(runs.count) runs \(verb)"
        + " \(GateNumber.text(limit.bound, unit: unit)), which the median meets:"
        + " \(names.listed())"
    ).ofGroup(Self.text(group, subject))
  }

  /// The details after the value in parentheses: the part in motion, the number of runs, their
  /// range.
  private func details(_ values: RunValues, _ inMotion: Double?) -> String {
    var details: [String] = []
    if let inMotion { details.append("\(GateNumber.text(inMotion, unit: unit)) in motion") }
    if values.count > 1 { details.append("median of \(values.count) runs") }
    if let range = values.range, range.lowerBound < range.upperBound {
      details.append("range \(GateNumber.text(range, unit: unit))")
    }
    return details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
  }

  private func values(of metric: Metric, _ contexts: [MetricContext?]) -> [Double?] {
    contexts.map { $0.flatMap(metric.number) }
  }

  /// The reason why no run has the metric.
  private func reasonWithoutData(_ contexts: [MetricContext?], _ runs: [Analysis]) -> String {
    // A note gives the share of each run.
    if hasStarvedRuns {
      return "\(metric.label): not evaluated, since the main thread lacked a core;"
        + " \(Self.adviceWithoutCore)"
    }
    if subject == .primary, contexts.allSatisfy({ $0?.isEvaluated != true }) {
      return runs.contains(where: \.isEvaluated)
        ? "\(metric.label): too little is known"
        : "\(metric.label): \(Self.reasonWithoutFrames)"
    }
    guard contexts.contains(where: { $0 != nil }) else {
      return "\(metric.label): no run has this \(subject.kind); \(subject.known(in: runs))"
    }
    return "\(metric.label): \(metric.reasonWithoutValue(in: contexts))"
  }

  static func text(_ group: String, _ subject: MetricSubject) -> String {
    [group, subject.text].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension Metric {
  /// Stands for a value of which only the worst is known.
  static let unbounded = 1e300

  /// Returns the value that counts as the best one if only the worst is known.
  static func unboundedBest(_ metric: Metric) -> Double {
    metric.higherIsBetter ? unbounded : -unbounded
  }

  /// Returns the reason why no run has the metric, with the next step if it needs CPU times (M-25).
  func reasonWithoutValue(in contexts: [MetricContext?]) -> String {
    let ofThread: [Metric] = [
      .mainCPUPerFrame, .commitBlockedPerFrame, .commitBlockedLongest, .mainCPU, .mainReady,
      .mainReadyShare,
    ]
    let lacksTimes = contexts.allSatisfy { $0?.ratedSurface?.thread == nil }
    return "not in the traces"
      + (lacksTimes && ofThread.contains(self)
        ? "; record them with options.recordsThreadTimes, or with the threads' schedule" : "")
  }
}

/// The runs that have no value of a metric, by name.
struct RunsWithoutData {
  /// The file names of all of them.
  let names: [String]
  /// The reason of each that is known; notes name the runs of too few frames.
  private let reasons: [String?]
  private let count: Int

  /// Creates the list of `missing` runs, or `nil` if there is none.
  init?(_ missing: [Analysis], of count: Int) {
    guard !missing.isEmpty else { return nil }
    names = missing.map {
      let name = Budget.fileName(of: $0)
      return name.isEmpty ? "(no file)" : name
    }
    reasons = missing.map { run in
      guard let surface = run.evaluatedPrimarySurface else { return RatingReason.noFrames.text }
      switch surface.rated(by: run.options.thresholds).reason {
      case .unknownRefreshes, .blank, .fewFrames, nil: return nil
      case let reason?: return reason.text
      }
    }
    self.count = count
  }

  /// `1 of 4 runs has no value: a.fxt (no frame could be evaluated)`
  var text: String {
    var rest = Array(zip(names, reasons))
    var named: [String] = []
    while let (_, reason) = rest.first {
      let alike = rest.filter { $0.1 == reason }.map(\.0)
      rest.removeAll { $0.1 == reason }
      let each = alike.count > 1 ? "each: " : ""
      named.append(alike.listed() + (reason.map { " (\(each)\($0))" } ?? ""))
    }
    return "\(names.count) of \(count) \(count == 1 ? "run" : "runs")"
      + " \(names.count == 1 ? "has" : "have") no value: "
      + named.listed()
  }

  /// The text with the next step.
  var advice: String {
    text + "; record \(names.count == 1 ? "this run" : "these runs") again"
  }
}
