package import ScrollTraceModel

/// A finding on both sides of a comparison, by the runs that represent the sides.
package struct FindingComparison: Equatable, Sendable {
  /// What a change did to a finding.
  package enum Status: String, Sendable {
    /// Only the base has it.
    case gone
    /// Its hitch time, else its duration, else its count is at least a tenth smaller.
    case smaller
    case unchanged
    /// It is at least a tenth larger.
    case larger
    /// Only the new side has it.
    case appeared
  }

  /// The finding of the base, or `nil` if it has none.
  package let base: Finding?
  /// The finding of the new side, or `nil` if it has none.
  package let new: Finding?

  /// The status.
  package var status: Status {
    guard let base else { return .appeared }
    guard let new else { return .gone }
    let (before, after) = (size(of: base), size(of: new))
    if after < before * 0.9 { return .smaller }
    return after > before * 1.1 ? .larger : .unchanged
  }

  /// What both sides are compared by.
  package enum Measure: Equatable, Sendable {
    case hitchTime
    case total
    case count
  }

  /// The first measure that a side has: hitch time, else a duration that both have, else the count.
  package var measure: Measure {
    let known = [base, new].compactMap { $0?.evidence }
    if known.contains(where: { $0.hitchTime > .zero }) { return .hitchTime }
    let totals = known.compactMap(\.total)
    return known.count == 2 && totals.count == 2 && totals != [.zero, .zero] ? .total : .count
  }

  private func size(of finding: Finding) -> Double {
    switch measure {
    case .hitchTime: Double(finding.evidence.hitchTime.nanoseconds)
    case .total: Double((finding.evidence.total ?? .zero).nanoseconds)
    case .count: Double(finding.evidence.count)
    }
  }

  /// The findings of both sides: those of the base in their order, then those that only the new side
  /// has.
  static func all(base: [Finding], new: [Finding]) -> [FindingComparison] {
    var others = new
    var found: [FindingComparison] = []
    for finding in base {
      let index = others.firstIndex { $0.isAboutSame(as: finding) }
      found.append(FindingComparison(base: finding, new: index.map { others.remove(at: $0) }))
    }
    return found + others.map { FindingComparison(base: nil, new: $0) }
  }
}

/// What was predicted for a change and what the new side shows.
package struct PredictionOutcome: Equatable, Sendable {
  /// The finding whose fix was predicted.
  package let finding: Finding
  /// The hitch time that its fix was likely to remove.
  package let predicted: Finding.PredictedRemoval
  /// The hitch time by which the new side has less than the base; negative if it has more.
  package let removed: TimeSpan

  /// A Boolean value indicating whether the removed time lies in the likely range.
  package var isInRange: Bool { predicted.low <= removed && removed <= predicted.high }
}

extension Comparison {
  /// Returns the comparison with the findings of the base as a prediction ranked them.
  package func ranked(base findings: [Finding]) -> Comparison {
    var comparison = self
    comparison.findings = FindingComparison.all(base: findings, new: new.shown?.findings ?? [])
    return comparison
  }

  /// The outcome of the prediction, or `nil` if the sides are not of one scroll, or not exactly one finding
  /// with a prediction is gone or smaller: the effects of two changes cannot be separated.
  package var predictionOutcome: PredictionOutcome? {
    guard isOfOneScroll, let before = base.shownSurface?.hitchTime,
      let after = new.shownSurface?.hitchTime
    else { return nil }
    let fixed = findings.filter {
      ($0.status == .gone || $0.status == .smaller) && $0.base?.predictedRemoval != nil
    }
    guard fixed.count == 1, let finding = fixed[0].base, let predicted = finding.predictedRemoval
    else { return nil }
    return PredictionOutcome(finding: finding, predicted: predicted, removed: before - after)
  }
}

extension Finding {
  /// Returns a Boolean value indicating whether both findings are of one rule about the same subject and
  /// work.
  fileprivate func isAboutSame(as other: Finding) -> Bool {
    id == other.id && subject == other.subject && details.work == other.details.work
      && details.state == other.details.state
  }
}
