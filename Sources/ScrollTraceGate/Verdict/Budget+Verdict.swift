public import ScrollTraceAnalysis
import ScrollTraceModel

extension Budget {
  /// Whether the budget decides about blank time itself (M-27).
  private var limitsBlankTime: Bool {
    rules.flatMap(\.limits).contains { $0.metric == .blankRatio }
  }

  /// Returns the verdict on `runs` of one scenario: limits are checked against their median.
  public func verdict(on runs: [Analysis]) -> Verdict {
    verdict(on: runs, group: "", baseline: nil)
  }

  /// Returns the verdict on `runs` of one scenario, also compared with a baseline.
  ///
  /// - Parameters:
  ///   - group: The name of the runs if several groups are checked.
  ///   - baseline: The baseline's group, or `nil` if there is none.
  package func verdict(
    on runs: [Analysis], group: String = "", baseline: Baseline.Group?
  ) -> Verdict {
    let scenarios = ScenarioConsistency(runs)
    let otherScenario =
      scenarios.note(comparing: baseline?.scenario) ?? scenarios.noteOnRest(comparing: baseline)
      ?? scenarios.noteOnLostTime(comparing: baseline)
    let otherLength = scenarios.noteOnLength(comparing: baseline?.scenario)
    let baseline = otherScenario == nil ? baseline?.runs : nil
    var checks = RuleChecks()
    for rule in rules {
      // Most rules apply to all runs, of which there may be many: no copy then.
      let runs = runs.allSatisfy(rule.applies) ? runs : runs.filter(rule.applies)
      guard !runs.isEmpty else { continue }
      let primary = PrimarySurface.name(in: runs, baseline: baseline)
      check(runs, rule, primary: primary, group: group, baseline, into: &checks)
      guard rule.subject == .primary else { continue }
      for name in PrimarySurface.others(in: runs, than: primary) where !hasRule(for: name) {
        let showing = runs.filter { run in
          run.surfacesOnScreenInMotion.contains { $0.name == name }
        }
        let subject = MetricSubject.surface(name)
        var other = RuleChecks()
        check(
          showing, rule.ofOneSurface(subject, baseline: baseline), primary: nil, group: group,
          baseline, into: &other)
        checks.results += other.results.map(\.ofOneSurface)
        checks.comparisons += other.comparisons.map(\.ofOneSurface)
        checks.notes += other.notes.map {
          $0.kind == .overLimit
            ? $0 : VerdictNote($0.kind, .warning, "\(subject.text): \($0.text)")
        }
      }
    }
    var results = checks.results + checks.comparisons
    var notes =
      VerdictNote.distinct(checks.notes) + results.compactMap(\.noteOnDoubt)
      + [
        otherScenario, scenarios.noteOnOthers, otherLength, Fingerprint.noteOnRates(of: runs),
        Fingerprint.noteOnDevices(of: runs),
        baseline.flatMap { PrimarySurface.noteOnMissing(in: runs, baseline: $0, rules: rules) },
      ].compactMap { $0?.ofGroup(group) }
    // Rules without a trace are found over all groups together.
    if group.isEmpty {
      let idle = idleRules(among: runs, hasBaseline: baseline != nil)
      results += idle.results
      notes += idle.notes
    }
    return Verdict(summing: results, group: group, notes: notes) {
      // Where nothing is worse, what grew is chance.
      guard let baseline, results.contains(where: { $0.isWorse(than: baseline, group: group) })
      else { return nil }
      return WorkGrowth(from: baseline, to: runs)?.text
    }
  }

  /// Returns whether a rule of its own limits the surface called `name`.
  private func hasRule(for name: String) -> Bool {
    rules.contains { rule in
      guard case .surface(let pattern) = rule.subject else { return false }
      return NamePattern(pattern).matches(name)
    }
  }

  private struct RuleChecks {
    var results: [LimitResult] = []
    var comparisons: [LimitResult] = []
    var notes: [VerdictNote] = []
  }

  private func check(
    _ runs: [Analysis], _ rule: Rule, primary: String?, group: String,
    _ baseline: [RunValuesByMetric]?, into checks: inout RuleChecks
  ) {
    let evaluation = RunEvaluation(
      rule, runs.map { MetricContext(of: rule.subject, in: $0, primary: primary) }, of: runs,
      in: self)
    checks.notes += evaluation.notes(hasBaseline: baseline != nil)
    for limit in rule.limits where limit.level != .off {
      var facts = evaluation.facts(for: limit.metric)
      var limit = limit
      if limit.isInRefreshes {
        let interval = facts.compactMap { $0?.ratedSurface?.refreshInterval?.nanoseconds }.max()
        // Without a refresh interval, the limit is as unknown as a value.
        if interval == nil { facts = facts.map { _ in nil } }
        limit = Limit(limit.metric, limit.bound * Double(interval ?? 0), level: limit.level)
      }
      let evaluator = LimitEvaluator(
        limit, rule.subject, group: group, hasStarvedRuns: evaluation.hasStarvedRuns)
      let result = evaluator.result(for: runs, facts)
      checks.results.append(result)
      // The median of runs of which most are smooth hides the others.
      if result.status == .passed, limit.level == .error,
        let note = evaluator.noteOnExceeding(runs, facts)
      {
        checks.notes.append(note)
      }
    }
    if rule.subject == .primary, !limitsBlankTime,
      let warning = blankTimeWarning(on: runs, evaluation, group: group)
    {
      checks.results.append(warning)
    }
    guard let baseline, !evaluation.isPartlyUnknown else { return }
    let replaced = replacedMetrics(rule, baseline, evaluation)
    if replaced == [.mainCPUPerFrame],
      let note = noteOnMissingCPUTimes(rule, baseline, evaluation, runs)
    {
      checks.notes.append(note)
    }
    if replaced.count > 1 {
      checks.notes.append(
        VerdictNote(
          .baseline, .note,
          "\(replaced.map(\.label).listed(separator: " and ")) are neither in these runs nor in the"
            + " baseline's, so they are not compared"
        ).ofGroup(group))
    }
    if let note = noteOnLongHitches(rule, baseline, evaluation, runs, group: group) {
      checks.notes.append(note)
    }
    for regression in rule.regressions
    where regression.level != .off && !replaced.contains(regression.metric) {
      let test = RegressionTest(
        regression, rule.subject, group: group,
        base: baseline, new: evaluation.facts(for: regression.metric), runs: runs)
      checks.comparisons.append(test.result(detecting: detect, isStrict: isStrict))
    }
  }

  /// Returns those of main CPU time and the wall time of commits that are not compared: one of them, if the rule
  /// has both, and the wall time if every run knows the CPU time. If no run of either side knows any of the two,
  /// both, unless the user chose the tolerances.
  private func replacedMetrics(
    _ rule: Rule, _ baseline: [RunValuesByMetric], _ evaluation: RunEvaluation
  ) -> [Metric] {
    let (cpu, commits) = (Metric.mainCPUPerFrame, Metric.commitP95)
    let metrics = rule.regressions.map(\.metric)
    guard metrics.contains(commits), metrics.contains(cpu) else { return [] }
    func isKnown(_ metric: Metric) -> [Bool] {
      baseline.map { $0.value(of: metric, rule.subject) != nil }
        + evaluation.facts(for: metric).map { $0.flatMap(metric.number) != nil }
    }
    let isCPUKnown = isKnown(cpu)
    if !isCPUKnown.contains(false) { return [commits] }
    if isKnown(commits).contains(true) { return [cpu] }
    if isCPUKnown.contains(true) { return [commits] }
    return rule.regressions == Self.usualRegressions ? [cpu, commits] : [cpu]
  }

  /// Returns a note on the runs without CPU times, or `nil` if the others or the baseline lack them too.
  private func noteOnMissingCPUTimes(
    _ rule: Rule, _ baseline: [RunValuesByMetric], _ evaluation: RunEvaluation, _ runs: [Analysis]
  ) -> VerdictNote? {
    let cpu = Metric.mainCPUPerFrame
    let facts = evaluation.facts(for: cpu)
    let lacking = zip(runs, facts).filter { $1.flatMap(cpu.number) == nil }.map(\.0)
    guard !lacking.isEmpty, lacking.count < runs.count,
      baseline.allSatisfy({ $0.value(of: cpu, rule.subject) != nil })
    else { return nil }
    let names = lacking.map(Self.fileName).listed(maximum: Self.maximumNames)
    return VerdictNote(
      .unevaluated, .warning, "no CPU times in \(names), so the wall time of commits is compared")
  }

  /// Returns a note on the runs with a hitch of a quarter of a second or more that is twice as long as any of the
  /// baseline, or `nil` if there is none: the medians hide them. One of several is no warning, as it can be chance.
  private func noteOnLongHitches(
    _ rule: Rule, _ baseline: [RunValuesByMetric], _ evaluation: RunEvaluation, _ runs: [Analysis],
    group: String
  ) -> VerdictNote? {
    let metric = Metric.longestHitch
    let known = baseline.compactMap { $0.value(of: metric, rule.subject) }
    guard rule.regressions.contains(where: { $0.level != .off }), known.count == baseline.count,
      let highest = known.max()
    else { return nil }
    let bound = max(2 * highest, Self.longHitch)
    let long = zip(runs, evaluation.facts(for: metric)).compactMap { run, context in
      context.flatMap(metric.numberWithoutLoad).flatMap { $0 >= bound ? (run, $0) : nil }
    }
    guard runs.count > 1, let shortest = long.map(\.1).min() else { return nil }
    let isOne = long.count == 1
    let unit = metric.unit.rawValue
    return VerdictNote(
      .overLimit, isOne ? .note : .warning,
      "\(metric.label): \(long.count) of \(runs.count) runs \(isOne ? "has" : "have")"
        + " \(GateNumber.text(shortest, unit: unit))\(isOne ? "" : " or more"), the baseline at most"
        + " \(GateNumber.text(highest, unit: unit)): "
        + long.map { Self.fileName(of: $0.0) }.listed(maximum: Self.maximumNames)
    ).ofGroup(LimitEvaluator.text(group, rule.subject))
  }

  /// Returns the result of the usual limit of blank time if it is exceeded.
  private func blankTimeWarning(
    on runs: [Analysis], _ evaluation: RunEvaluation, group: String
  ) -> LimitResult? {
    let limit = Limit(.blankRatio, RatedHitches.usualBlankRatio, level: .warn)
    let result = LimitEvaluator(limit, .primary, group: group)
      .result(for: runs, evaluation.facts(for: limit.metric))
    return result.status == .failed ? result : nil
  }

  /// Returns notes on `runs` as a baseline.
  ///
  /// An error names runs that a comparison by this budget could not evaluate, and those in which nothing moved,
  /// and a warning others of which too much is unknown, and runs of different scenarios.
  package func notesOnBaseline(of runs: [Analysis], group: String) -> [VerdictNote] {
    var comparing = self
    for index in rules.indices { comparing.rules[index].limits = [] }
    // Another budget may compare what this one does not.
    let others = Budget.usualRegressions.map {
      Regression(
        $0.metric, relative: $0.tolerance.relative, absolute: $0.tolerance.absolute, level: .warn)
    }
    comparing.rules.append(Rule(regressions: others))
    let verdict = comparing.verdict(
      on: runs, group: group, baseline: Baseline.Group(name: group, runs: []))
    // A metric that no run knows is none of the baseline's.
    let incomplete = verdict.results.filter {
      $0.runs > 0 && !$0.runsWithoutData.isEmpty
    }.map { VerdictNote(.unevaluated, .warning, $0.reason) }
    let notes = verdict.notes.filter { $0.kind == .unevaluated || $0.kind == .scenarios }
    // Errors name the runs.
    let isRefused = notes.contains { $0.level == .error }
    return notes + (isRefused ? [] : VerdictNote.distinct(incomplete))
  }
}

extension LimitResult {
  /// The result for a surface beside the primary one: a popup of a few frames is no reason not to evaluate
  /// the list. A reason that all metrics share is not only the popup's.
  fileprivate var ofOneSurface: LimitResult {
    status == .notEvaluated && sharedReason == nil ? atLevel(.warn) : self
  }
}

extension Verdict {
  /// Creates the verdict that the results of limits add up to.
  ///
  /// Only results of the level `error` decide. A failure precedes a limit that was not evaluated.
  ///
  /// - Parameters:
  ///   - group: The name of the runs if several groups are checked.
  ///   - notes: Remarks; an error prevents a pass.
  ///   - growth: Returns the work that grew most since the baseline, or `nil`.
  package init(
    summing results: [LimitResult], group: String = "", notes: [VerdictNote] = [],
    growth: () -> String? = { nil }
  ) {
    let order: [Status] = [.failed, .notEvaluated, .tooFewRuns]
    var notes = notes
    if results.isEmpty, !notes.contains(where: { $0.level == .error }) {
      notes.append(
        VerdictNote(.rules, .error, "no limit of the budget applies to these traces; add one"))
    }
    let deciding = results.filter { $0.level == .error }
    let errors = notes.filter { $0.level == .error }
    var found = order.first { status in deciding.contains { $0.status == status } }
    if !errors.isEmpty, found != .failed { found = .notEvaluated }
    let warnings = results.withoutImpliedWarnings.filter { $0.level == .warn }
    var all = Self.reasons(deciding, of: [.failed]) + errors.map(\.text)
    let undecided = deciding.filter { found != .failed || !$0.isByChance }
    all += Self.reasons(undecided, of: Array(order.dropFirst()))
    var doubts = Self.reasons(warnings, of: order)
    if found != .failed, found != .notEvaluated {
      // Certain statements come first.
      let kept = [Self.metLimits(results), Self.keptBaseline(results, group: group)]
        .compactMap(\.self)
      all.insert(contentsOf: kept.map { Group.prefix(group) + $0 }, at: 0)
      doubts += notes.filter { $0.kind == .overLimit && $0.level == .warning }.map(\.text)
    }
    let grown = (found == .failed ? growth() : nil).map { [Group.prefix(group) + $0] } ?? []
    self.init(
      found ?? .passed, reasons: grown + all, warnings: doubts, results: results, notes: notes,
      growth: grown)
  }

  /// Returns the reasons of the results with one of `statuses`, in that order, shared ones once.
  private static func reasons(_ results: [LimitResult], of statuses: [Status]) -> [String] {
    let sorted = statuses.flatMap { status in results.filter { $0.status == status } }
    return JointResult.all(sorted).map(\.statement).distinct
  }

  /// Returns how many of the absolute limits are met, or `nil` if there is none, or one is not.
  private static func metLimits(_ results: [LimitResult]) -> String? {
    let limits = results.filter { !$0.isRegression }
    let isEveryOneMet = limits.allSatisfy { $0.status == .passed }
    let counting = isEveryOneMet ? limits : limits.filter { $0.level == .error }
    guard !counting.isEmpty, counting.allSatisfy({ $0.status == .passed }) else { return nil }
    let count = counting.count
    return "\(count) of \(count) \(count == 1 ? "limit" : "limits") met"
  }

  /// Returns the increases over the baseline that these runs would have shown in each metric that did not improve,
  /// or `nil` if nothing was compared or an increase was seen.
  private static func keptBaseline(_ results: [LimitResult], group: String) -> String? {
    // The sentence begins with the group.
    func name(_ result: LimitResult) -> String {
      String(result.name.dropFirst(group.isEmpty ? 0 : group.count + 2))
    }
    let all = results.filter(\.isRegression)
    let deciding = all.filter { $0.level == .error }
    let compared = deciding.isEmpty ? all : deciding
    guard !compared.isEmpty, compared.allSatisfy({ $0.status == .passed }) else { return nil }
    let better = compared.filter(\.isBetter).map { result in
      guard case .baseline(let base?, _, _) = result.limit, let value = result.value else {
        return name(result)
      }
      return name(result) + " " + GateNumber.change(from: base, to: value, unit: result.unit)
    }
    let seen = compared.filter { !$0.isBetter }.compactMap { result in
      result.detectableIncrease.flatMap { increase -> String? in
        guard case .baseline(let base?, _, _) = result.limit,
          let metric = Metric.named(result.metric), !result.isBetweenLengths(metric, base)
        else { return nil }
        return "\(GateNumber.increase(increase, over: base, metric)) of \(name(result))"
      }
    }
    let doubts = compared.contains { $0.noteOnDoubt != nil }
    let unchanged = doubts ? "no certain regression" : "no regression"
    let found = better.isEmpty ? unchanged : "better: \(better.joined(separator: ", "))"
    return seen.isEmpty
      ? found : "\(found); \(seen.joined(separator: ", ")) or more would have been seen"
  }
}

extension LimitResult {
  /// Whether a percentile is that of short commits in some runs and of long ones in others, by chance, so that no
  /// increase of it says anything.
  fileprivate func isBetweenLengths(_ metric: Metric, _ base: Double) -> Bool {
    guard !metric.neighbors.isEmpty else { return false }
    let values = [base, value, range?.lowerBound, range?.upperBound].compactMap(\.self)
    return (values.max() ?? base) > 2 * (values.min() ?? base)
  }
}

extension Budget {
  private static let maximumNames = 4
  /// The length in nanoseconds from which on people see that the picture stands still.
  private static let longHitch = 250_000_000.0

  /// Returns the results of rules whose pattern matches none of `runs`, and notes on those without
  /// limits.
  ///
  /// A budget that several jobs share has rules for the traces of other jobs, so that such a result is
  /// a warning. If no limit that could fail has a trace, nothing was checked, and the results have the
  /// limits' own levels.
  ///
  /// - Parameter hasBaseline: Whether the runs are also compared with a baseline.
  package func idleRules(
    among runs: [Analysis], hasBaseline: Bool
  ) -> (results: [LimitResult], notes: [VerdictNote]) {
    let isAsked = rules.contains { rule in
      runs.contains(where: rule.applies)
        && (rule.limits.contains { $0.level == .error }
          || hasBaseline && rule.regressions.contains { $0.level == .error })
    }
    let names = runs.map(Self.fileName)
    let there =
      "there \(names.count == 1 ? "is" : "are") \(names.listed(maximum: Self.maximumNames))"
    var results: [LimitResult] = []
    var notes: [VerdictNote] = []
    for rule in rules where !runs.contains(where: rule.applies) {
      guard let pattern = rule.traces else { continue }
      let limits = rule.limits.filter { $0.level != .off }
      if limits.isEmpty {
        notes.append(
          VerdictNote(.rules, .warning, "no trace matches the rule for '\(pattern)'; \(there)"))
      }
      results += limits.map { limit in
        LimitResult(
          metric: limit.metric.name, unit: limit.metric.unit.rawValue,
          subject: LimitEvaluator.text("traces \(pattern)", rule.subject), value: nil, runs: 0,
          limit: limit.metric.higherIsBetter ? .minimum(limit.bound) : .maximum(limit.bound),
          level: isAsked ? .warn : limit.level, status: .notEvaluated,
          reason: "\(limit.metric.label): no trace matches '\(pattern)'; \(there)")
      }
    }
    return (results, notes)
  }
}
