/// Holds the median of runs against a number.
struct LimitJudge {
  private let limit: Budget.Limit
  private let subject: BudgetSubject
  private let group: String

  init(_ limit: Budget.Limit, _ subject: BudgetSubject, group: String) {
    self.limit = limit
    self.subject = subject
    self.group = group
  }

  /// The answer for runs that know `facts`.
  func judge(_ facts: [MetricFacts?]) -> Judgement {
    let known = facts.compactMap { $0.flatMap(limit.metric.value) }
    guard let values = RunValues(known) else {
      return judgement(nil, 0, .notJudged, Self.reasonWithoutData(limit.metric, subject, facts))
    }
    let (median, unit) = (values.median, limit.metric.unit.rawValue)
    let isKept = limit.metric.higherIsBetter ? median >= limit.bound : median <= limit.bound
    let value = GateNumber.text(median, besides: limit.bound, unit: unit)
    let ofRuns = values.count > 1 ? ", the median of \(values.count) runs," : ""
    let missing = facts.count - values.count
    let tail = missing > 0 ? "; \(missing) of \(facts.count) runs do not know it" : ""
    let bound = GateNumber.text(limit.bound, unit: unit)
    let name = limit.metric.name
    guard !isKept else {
      return judgement(
        median, values.count, .pass, "\(name) \(value)\(ofRuns) keeps \(bound)\(tail)")
    }
    let side = limit.metric.higherIsBetter ? "below" : "over"
    let reason = "\(name) \(value)\(ofRuns) is \(side) the limit of \(bound)\(tail)"
    guard values.count >= RunStatistics.fewestRuns else {
      return judgement(median, values.count, .fail, reason)
    }
    let interval = values.intervalOfMedian()
    guard interval.contains(limit.bound) else {
      return judgement(median, values.count, .fail, reason)
    }
    let range =
      "\(GateNumber.text(interval.lowerBound)) to \(GateNumber.text(interval.upperBound, unit: unit))"
    return judgement(
      median, values.count, .inconclusive, reason + ", but within the uncertainty of \(range)")
  }

  /// Why no run knows a metric.
  static func reasonWithoutData(
    _ metric: BudgetMetric, _ subject: BudgetSubject, _ facts: [MetricFacts?]
  ) -> String {
    guard facts.contains(where: { $0 != nil }) else {
      return subject == .leading
        ? "\(metric.name): no data, no frame could be judged"
        : "\(metric.name): no run has the \(subject.text)"
    }
    return "\(metric.name) is not known: the traces do not tell it"
  }

  private func judgement(
    _ value: Double?, _ runs: Int, _ status: Verdict.Status, _ reason: String
  ) -> Judgement {
    Judgement(
      metric: limit.metric.name, unit: limit.metric.unit.rawValue,
      subject: Self.text(group, subject), value: value, runs: runs,
      limit: limit.metric.higherIsBetter ? .atLeast(limit.bound) : .atMost(limit.bound),
      level: limit.level, status: status, reason: reason)
  }

  /// The subject in words, behind the group that it is of.
  static func text(_ group: String, _ subject: BudgetSubject) -> String {
    [group, subject.text].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
