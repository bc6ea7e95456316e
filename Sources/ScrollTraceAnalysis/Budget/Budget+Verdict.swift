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
    var unevaluated: [VerdictNote] = []
    for rule in rules {
      let runs = runs.filter(rule.holds)
      guard !runs.isEmpty else { continue }
      let primary = PrimarySurface.name(in: runs)
      var facts = runs.map { MetricFacts(of: rule.subject, in: $0, primary: primary) }
      let evaluation = RunEvaluation(rule, facts, of: runs, unknownShare: maxUnknownShare)
      for note in evaluation.notes(hasBaseline: baseline != nil) where !unevaluated.contains(note) {
        unevaluated.append(note)
      }
      facts = evaluation.facts
      for limit in rule.limits where limit.level != .off {
        judgements.append(LimitJudge(limit, rule.subject, group: group).judge(facts, of: runs))
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
    var notes = unevaluated + [SessionCheck(runs).note(group: group)].compactMap { $0 }
    // Which rules fit nothing is known of all groups together.
    if group.isEmpty {
      let idle = idleRules(among: runs, hasBaseline: baseline != nil)
      judgements += idle.judgements
      notes += idle.notes
    }
    return Verdict(summing: judgements, group: group, notes: notes)
  }
}

extension Verdict {
  /// The verdict that answers to limits come to.
  ///
  /// Only what is of the level `error` decides; a failure comes before what could not be judged, and
  /// doubt before a pass.
  ///
  /// - Parameters:
  ///   - group: What the runs are called where there are several groups of them.
  ///   - notes: What stands beside the answers; errors keep it from being a pass.
  public init(summing judgements: [Judgement], group: String = "", notes: [VerdictNote] = []) {
    let order: [Status] = [.fail, .notJudged, .inconclusive, .notEnoughRuns]
    var notes = notes
    if judgements.isEmpty {
      notes.append(VerdictNote(.rules, .error, "no limit of the budget holds for these traces"))
    }
    let deciding = judgements.filter { $0.level == .error }
    let errors = notes.filter { $0.level == .error }
    var found = order.first { status in deciding.contains { $0.status == status } }
    if !errors.isEmpty, found != .fail { found = .notJudged }
    let warnings = judgements.filter { warning in
      // What fails need not be warned of.
      warning.level == .warn
        && !deciding.contains {
          ($0.metric, $0.subject, $0.status) == (warning.metric, warning.subject, warning.status)
        }
    }
    var all = Self.reasons(deciding, of: [.fail]) + errors.map(\.text)
    all += Self.reasons(deciding, of: Array(order.dropFirst()))
    all += Self.reasons(warnings, of: order).map { "warning: " + $0 }
    // What is known comes before what is in doubt; that a whole group is well is said by its name.
    if found != .fail, found != .notJudged, !all.isEmpty, let kept = Self.keptLimits(judgements) {
      all.insert((group.isEmpty || found == nil ? "" : group + ": ") + kept, at: 0)
    }
    if all.isEmpty { all = [Self.kept(judgements.count)] }
    self.init(found ?? .pass, reasons: all, judgements: judgements, notes: notes)
  }

  /// The reasons of what has one of `statuses`, in the order of these; what several share, once.
  private static func reasons(_ judgements: [Judgement], of statuses: [Status]) -> [String] {
    let all = statuses.flatMap { status in judgements.filter { $0.status == status } }.map {
      $0.sharedReason ?? ($0.subject.isEmpty ? "" : $0.subject + ": ") + $0.reason
    }
    return all.reduce(into: []) { known, reason in
      if known.last != reason { known.append(reason) }
    }
  }

  /// That the limits which are numbers are kept; `nil` where there is none, or one is not.
  private static func keptLimits(_ judgements: [Judgement]) -> String? {
    let limits = judgements.filter {
      if case .baseline = $0.limit { false } else { true }
    }
    let isEveryOneKept = limits.allSatisfy { $0.status == .pass }
    let counting = isEveryOneKept ? limits : limits.filter { $0.level == .error }
    guard !counting.isEmpty, counting.allSatisfy({ $0.status == .pass }) else { return nil }
    return kept(counting.count)
  }

  private static func kept(_ count: Int) -> String {
    count == 1 ? "the limit is kept" : "all \(count) limits are kept"
  }
}
