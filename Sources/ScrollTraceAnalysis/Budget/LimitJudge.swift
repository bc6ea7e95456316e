/// Holds the median of runs against a number.
struct LimitEvaluator {
  private let limit: Budget.Limit
  private let subject: BudgetSubject
  private let group: String

  init(_ limit: Budget.Limit, _ subject: BudgetSubject, group: String) {
    self.limit = limit
    self.subject = subject
    self.group = group
  }

  /// The answer for `runs`, which know `facts`.
  func judge(_ facts: [MetricContext?], of runs: [Analysis]) -> LimitResult {
    guard let values = values(of: limit.metric, facts, runs) else {
      return result(nil, .notEvaluated, reasonWithoutData(facts, runs))
    }
    let inMotion = limit.metric.inMotion.flatMap { self.values(of: $0, facts, runs)?.median }
      .flatMap {
        $0 == values.median ? nil : $0
      }
    func answer(_ status: Verdict.Status, _ reason: String) -> LimitResult {
      result(values, status, reason, inMotion: inMotion)
    }
    let (median, unit) = (values.median, limit.metric.unit.rawValue)
    let passed = limit.metric.higherIsBetter ? median >= limit.bound : median <= limit.bound
    let value = GateNumber.text(median, besides: limit.bound, unit: unit)
    let ofRuns = Self.words(values, inMotion, unit: unit)
    let missing = facts.count - values.count
    var tail = missing > 0 ? "; \(missing) of \(facts.count) runs do not know it" : ""
    if limit.metric.unit == .time, limit.bound > 0, limit.bound < GateNumber.leastMilliseconds {
      tail += "; a number without a unit is in nanoseconds"
    }
    let bound = GateNumber.text(limit.bound, unit: unit)
    let name = limit.metric.name
    guard !passed else {
      return answer(.pass, "\(name) \(value)\(ofRuns) keeps \(bound)\(tail)")
    }
    let side = limit.metric.higherIsBetter ? "below" : "over"
    let reason = "\(name) \(value)\(ofRuns) is \(side) the limit of \(bound)\(tail)"
    guard values.count >= RunStatistics.fewestRuns else {
      return answer(.fail, reason)
    }
    let interval = values.intervalOfMedian()
    guard interval.contains(limit.bound) else {
      return answer(.fail, reason)
    }
    let range =
      "\(GateNumber.text(interval.lowerBound)) to \(GateNumber.text(interval.upperBound, unit: unit))"
    return answer(.inconclusive, reason + ", but within the uncertainty of \(range)")
  }

  /// Behind the value: that it is a median, of what range, and what of it was in motion.
  private static func words(_ values: RunValues, _ inMotion: Double?, unit: String) -> String {
    var words = values.count > 1 ? ", the median of \(values.count) runs" : ""
    if let range = values.range, range.lowerBound < range.upperBound {
      words +=
        " from \(GateNumber.text(range.lowerBound)) to"
        + " \(GateNumber.text(range.upperBound, unit: unit))"
    }
    if let inMotion { words += ", \(GateNumber.text(inMotion, unit: unit)) in motion" }
    return words.isEmpty ? "" : words + ","
  }

  /// The values of a metric; `nil` where no run knows it.
  private func values(
    of metric: BudgetMetric, _ facts: [MetricContext?], _ runs: [Analysis]
  ) -> RunValues? {
    guard let told = SourceMetric(metric, subject) else {
      return RunValues(facts.compactMap { $0.flatMap(metric.value) })
    }
    return RunValues(runs.compactMap(told.value))
  }

  /// Why no run knows the metric.
  private func reasonWithoutData(_ facts: [MetricContext?], _ runs: [Analysis]) -> String {
    let name = limit.metric.name
    if let told = SourceMetric(limit.metric, subject) {
      return "\(name): no trace tells it; \(told.known(in: runs))"
    }
    if subject == .primary, facts.allSatisfy({ $0?.isEvaluated != true }) {
      return "\(name): no data, no frame could be judged"
    }
    guard facts.contains(where: { $0 != nil }) else {
      return "\(name): no run has the \(subject.text); \(subject.known(in: runs))"
    }
    return "\(name) is not known: the traces do not tell it"
  }

  private func result(
    _ values: RunValues?, _ status: Verdict.Status, _ reason: String, inMotion: Double? = nil
  ) -> LimitResult {
    LimitResult(
      metric: limit.metric.name, unit: limit.metric.unit.rawValue,
      subject: Self.text(group, subject), value: values?.median, runs: values?.count ?? 0,
      limit: limit.metric.higherIsBetter ? .atLeast(limit.bound) : .atMost(limit.bound),
      level: limit.level, status: status, reason: reason, range: values?.range,
      valueInMotion: inMotion)
  }

  /// The subject in words, behind the group that it is of.
  static func text(_ group: String, _ subject: BudgetSubject) -> String {
    [group, subject.text].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
