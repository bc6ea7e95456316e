import ScrollTraceModel

extension Budget {
  /// What the budget says of `runs` of one thing, and of how they stand against a baseline.
  ///
  /// - Parameters:
  ///   - group: What the runs are called where there are several groups of them.
  ///   - baseline: The runs they are held against; `nil` where there is no baseline.
  public func verdict(
    on runs: [Analysis], group: String = "", baseline: [RunValuesByMetric]? = nil
  ) -> Verdict {
    var judgements: [Judgement] = []
    var questions: [Inquiry] = []
    for rule in rules {
      let runs = runs.filter { rule.holds(forPath: $0.trace.source.path) }
      guard !runs.isEmpty else { continue }
      let facts = runs.map { MetricFacts(of: rule.subject, in: $0) }
      for limit in rule.limits where limit.level != .off {
        judgements.append(LimitJudge(limit, rule.subject, group: group).judge(facts))
      }
      guard let baseline else { continue }
      for regression in rule.regressions where regression.level != .off {
        questions.append(
          Inquiry(
            regression, rule.subject, group: group,
            base: baseline.compactMap { $0.value(of: regression.metric, rule.subject) },
            new: facts.map { $0.flatMap(regression.metric.value) }))
      }
    }
    judgements += Inquiry.judgements(questions)
    return Verdict(summing: judgements)
  }
}

extension Verdict {
  /// The verdict that answers to limits come to.
  ///
  /// Only what is of the level `error` decides; a failure comes before what could not be judged, and
  /// doubt before a pass.
  public init(summing judgements: [Judgement]) {
    let order: [Status] = [.fail, .notJudged, .inconclusive, .notEnoughRuns]
    let deciding = judgements.filter { $0.level == .error }
    let found = order.first { status in deciding.contains { $0.status == status } }
    let status = judgements.isEmpty ? .notJudged : found ?? .pass
    func reasons(_ judgements: [Judgement], _ prefix: String) -> [String] {
      order.flatMap { status in judgements.filter { $0.status == status } }.map {
        prefix + ($0.subject.isEmpty ? "" : $0.subject + ": ") + $0.reason
      }
    }
    // What fails need not be warned of.
    let warnings = judgements.filter { warning in
      warning.level == .warn
        && !deciding.contains {
          ($0.metric, $0.subject, $0.status) == (warning.metric, warning.subject, warning.status)
        }
    }
    var all = reasons(deciding, "") + reasons(warnings, "warning: ")
    if all.isEmpty {
      let count = judgements.count
      all = [
        judgements.isEmpty
          ? "no limit of the budget holds for these traces"
          : count == 1 ? "the limit is kept" : "all \(count) limits are kept"
      ]
    }
    self.init(status, reasons: all, judgements: judgements)
  }
}
