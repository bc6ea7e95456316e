package import ScrollTraceModel

/// What a change did to a finding.
public enum FindingStatus: String, Codable, Sendable, CaseIterable {
  /// Only the base has it.
  case gone
  /// Its hitch time, else its duration, else its count is at least a tenth smaller.
  case smaller
  /// It is neither smaller nor larger.
  case unchanged
  /// It is at least a tenth larger.
  case larger
  /// Only the new side has it.
  case appeared
}

/// A finding on both sides of a comparison, by the runs that represent the sides.
package struct FindingComparison: Equatable, Sendable {
  package let base: Finding?
  package let new: Finding?

  /// The finding of the base, or of the new side if only that has it.
  package var shown: Finding? { base ?? new }

  package var status: FindingStatus {
    guard let base else { return .appeared }
    guard let new else { return .gone }
    let (before, after) = (size(of: base), size(of: new))
    if after < before * 0.9 { return .smaller }
    return after > before * 1.1 ? .larger : .unchanged
  }

  /// Whether the cause is gone, or its count or time fell by half.
  var isVisiblyChanged: Bool {
    guard let base else { return false }
    guard let new else { return true }
    let (before, after) = (base.measures, new.measures)
    let fell = { (before: TimeSpan?, after: TimeSpan?) in
      before.map { $0.nanoseconds / 2 >= (after ?? .zero).nanoseconds } ?? false
    }
    return after.count <= before.count / 2 || fell(before.total, after.total)
  }

  /// Returns a Boolean value indicating whether both sides say the same, word for word, of two surfaces, and
  /// changed alike.
  fileprivate func saysSame(as other: FindingComparison) -> Bool {
    guard let shown, let otherShown = other.shown else { return false }
    return status == other.status && measure == other.measure && shown.saysSame(as: otherShown)
  }

  /// What both sides are compared by.
  package enum Measure: Equatable, Sendable {
    case hitchTime
    case total
    case count
  }

  /// The first measure that a side has: hitch time, else a duration that both have, else the count.
  package var measure: Measure {
    let known = [base, new].compactMap { $0?.measures }
    if known.contains(where: { $0.hitchTime > .zero }) { return .hitchTime }
    let totals = known.compactMap(\.total)
    return known.count == 2 && totals.count == 2 && totals != [.zero, .zero] ? .total : .count
  }

  private func size(of finding: Finding) -> Double {
    switch measure {
    case .hitchTime: Double(finding.measures.hitchTime.nanoseconds)
    case .total: Double((finding.measures.total ?? .zero).nanoseconds)
    case .count: Double(finding.measures.count)
    }
  }

  /// The findings of both sides: those of the base in their order, then those that only the new side
  /// has.
  static func all(
    base: [Finding], new: [Finding], _ renamed: RenamedCategories
  ) -> [FindingComparison] {
    var others = new
    let found = base.map { finding in
      let index = others.firstIndex {
        $0.isAboutSame(as: finding, causedBy: finding.cause.map { renamed.new($0) })
      }
      return FindingComparison(base: finding, new: index.map { others.remove(at: $0) })
    }
    return found + others.map { FindingComparison(base: nil, new: $0) }
  }
}

/// The reduction that the base's recording predicts, and the measured one (M-17).
package struct PredictionOutcome: Equatable, Sendable {
  /// The finding that is gone or at most half as large.
  package let finding: Finding
  /// The hitch time removed without its cause.
  package let upTo: TimeSpan
  /// The hitch time by which the new side has less than the base; negative if it has more.
  package let removed: TimeSpan
}

extension Comparison {
  /// The findings, each with later ones that say the same, word for word, of hitches of other surfaces.
  package var distinctFindings: [(finding: FindingComparison, same: [FindingComparison])] {
    findings.distinct { $0.saysSame(as: $1) }
  }

  /// The outcome of a change, or `nil` if the sides are not of one scroll or of one length, or not exactly one
  /// finding with removable hitch time is gone or at most half as large, or others grew by more than a fifth of
  /// the prediction: the effects of two changes cannot be separated.
  package var predictionOutcome: PredictionOutcome? {
    guard isOfOneScroll, !needsPerSecond, let before = base.shownSurface?.hitchTime,
      let after = new.shownSurface?.hitchTime
    else { return nil }
    let fixed = findings.filter {
      $0.isVisiblyChanged && $0.base?.removable ?? .zero > .zero && $0.base?.cause != nil
    }
    let growth = findings.reduce(TimeSpan.zero) { sum, finding in
      let (before, after) = (finding.base?.measures.hitchTime, finding.new?.measures.hitchTime)
      return sum + max(.zero, (after ?? .zero) - (before ?? .zero))
    }
    guard fixed.count == 1, let finding = fixed[0].base, let upTo = finding.removable,
      growth.nanoseconds <= upTo.nanoseconds / 5
    else { return nil }
    return PredictionOutcome(finding: finding, upTo: upTo, removed: before - after)
  }
}
