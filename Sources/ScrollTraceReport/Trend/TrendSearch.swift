import ScrollTraceGate
import ScrollTraceSummary

/// The search for changes in strata.
struct TrendSearch {
  /// The share of changes that may be false (Benjamini and Hochberg).
  private static let falseDiscoveries = 0.05
  /// The share of fleets without a change in which one may be found.
  private static let falseAlarms = 0.02
  /// The significance of a change of another stratum at a build that is known already.
  private static let significanceAtBuild = 0.01
  /// The significance of a change of the value without what a few long hitches have above the others.
  private static let significanceOfUsual = 0.05
  /// The maximum number of causes of a stratum that are followed, by hitch time, and of screens.
  private static let maximumCauses = 40

  private let strata: [TrendStratum]
  /// The positions of the strata that are tested.
  private let tested: [Int]
  private let measure: Trend.Measure
  private let crude: TrendSeries
  /// The largest p of a change, or `nil` if nothing changed.
  private let significance: Double?
  private let hypotheses: [Hypothesis]
  private let values: [TrendSeries]
  /// The noise of each cause that is followed.
  private let noises: [SummaryCause: TrendNoise]
  /// The screens, or other parts of the measured time, that are followed; none if there is only one.
  let parts: [String]

  /// A series that may change.
  private struct Hypothesis {
    /// The stratum, or `nil` for all of them at a constant mix.
    let stratum: Int?
    let subject: TrendSubject
    let series: TrendSeries
  }

  /// A change of one stratum or of all.
  private struct Candidate {
    let stratum: Int?
    let subject: TrendSubject
    let buildIndex: Int
    let range: ClosedRange<Int>
    let p: Double
    let difference: Double
    let clarity: Double
  }

  init(
    _ strata: [TrendStratum], tested: [Int], crude: TrendSeries, measure: Trend.Measure
  ) {
    self.strata = strata
    self.tested = tested
    self.crude = crude
    self.measure = measure
    let values = strata.map { TrendSeries(of: [$0], .value) }
    self.values = values
    var noises: [SummaryCause: TrendNoise] = [:]
    var hypotheses = tested.map {
      Hypothesis(stratum: $0, subject: .value, series: values[$0])
    }
    func addAll(_ subject: TrendSubject) {
      guard tested.count > 1 else { return }
      let series = TrendSeries(of: tested.map { strata[$0] }, subject)
      hypotheses.append(Hypothesis(stratum: nil, subject: subject, series: series))
    }
    addAll(.value)
    // Lines have no causes by screen, so their series cannot be at a constant mix of screens.
    if measure == .hitchTimeRatio, !strata.contains(where: \.isDivided) {
      var causes: [SummaryCause] = []
      for index in tested {
        for cause in Self.causes(of: strata[index], floor: measure.floor) {
          let noise = noises[cause] ?? TrendNoise(of: cause, in: strata)
          if noises.updateValue(noise, forKey: cause) == nil { causes.append(cause) }
          let subject = TrendSubject.cause(cause, noise)
          let series = TrendSeries(of: [strata[index]], subject)
          hypotheses.append(Hypothesis(stratum: index, subject: subject, series: series))
        }
      }
      for cause in causes.prefix(Self.maximumCauses) {
        addAll(.cause(cause, noises[cause] ?? .unknown))
      }
    }
    parts = Self.parts(of: tested.map { strata[$0] })
    for part in parts {
      hypotheses.append(
        Hypothesis(
          stratum: nil, subject: .part(part),
          series: TrendSeries(of: tested.map { strata[$0] }, .part(part))))
    }
    self.noises = noises
    self.hypotheses = hypotheses
    let probabilities = hypotheses.map(\.series.series.p)
    let clearest = (probabilities.min() ?? 1) * Double(probabilities.count)
    significance =
      clearest <= Self.falseAlarms
      ? FalseDiscoveries.threshold(of: probabilities, rate: Self.falseDiscoveries) : nil
  }

  /// The parts of the strata's measured time, most of it first, or none if there are not two.
  private static func parts(of strata: [TrendStratum]) -> [String] {
    var motions: [String: Double] = [:]
    for part in strata.flatMap(\.parts) { motions[part.names[0], default: 0] += part.motion }
    let names = motions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    return names.count > 1 ? Array(names.prefix(maximumCauses)) : []
  }

  /// The causes whose ratio reaches `floor` in some build.
  private static func causes(of stratum: TrendStratum, floor: Double) -> [SummaryCause] {
    var times: [SummaryCause: Double] = [:]
    var reaching: Set<SummaryCause> = []
    for cell in stratum.present {
      for (cause, sums) in cell.row.causes {
        times[cause, default: 0] += Double(sums.hitchTime)
        if cell.ratio(of: cause) >= floor { reaching.insert(cause) }
      }
    }
    return times.filter { reaching.contains($0.key) }
      .sorted { left, right in
        let names = [left, right].map { TrendCells.order(of: $0.key) }
        return left.value == right.value ? names[0] < names[1] : left.value > right.value
      }.prefix(maximumCauses).map(\.key)
  }

  /// Whether not even an eightfold change would be found in any stratum.
  var hasTooFew: Bool {
    !tested.contains { index in
      guard let change = detectable([index]) else { return false }
      let series = values[index].series
      return change <= 7 * series.mean(series.values.indices)
        || series.values.allSatisfy { $0 == 0 }
    }
  }

  /// Whether not even an eightfold change would be found in the last build, in any stratum that has it or in all of
  /// these. Where the noise is only that of the builds, no single one is tested. A level below the smallest change
  /// that counts is taken to be that.
  var lastHasTooFew: Bool {
    guard buildCount > 1 else { return false }
    let own = strataInLast
    guard !own.isEmpty else { return true }
    let all = own.map { values[$0].series } + [series(of: own, .value).series]
    let areEnough = all.compactMap { series -> Bool? in
      guard let change = series.detectableAtEnd(significance: limit) else { return nil }
      let level = series.mean(series.values.indices)
      let maximum = (measure.maximum ?? .infinity) - level
      return change <= min(7 * max(level, measure.floor), maximum)
    }
    return !areEnough.isEmpty && !areEnough.contains(true)
  }

  /// The change of all strata in the last build that would be found in nine of ten cases, or `nil` if unknown.
  var detectableInLast: Double? {
    series(of: strataInLast, .value).series.detectableAtEnd(significance: limit)
  }

  private var buildCount: Int { strata.first?.cells.count ?? 0 }
  private var strataInLast: [Int] { tested.filter { strata[$0].cells.last.flatMap(\.self) != nil } }

  /// The largest p of a series that is clear among all of them.
  private var limit: Double { Self.falseAlarms / Double(max(1, hypotheses.count)) }

  /// The change of some strata together that would be found in nine of ten cases, or `nil` if none would be.
  func detectable(_ indices: [Int]) -> Double? {
    let series = series(of: indices, .value).series
    let change = series.detectable(significance: limit)
    let level = series.mean(series.values.indices)
    return change.flatMap { change in
      measure.maximum.map { level + change > $0 } == true ? nil : change
    }
  }

  /// The changes, by build.
  ///
  /// A change needs one series that is clear among all of them: where many series change at one build, a few
  /// others pass by chance, at other builds.
  var changes: [TrendChange] {
    let all = candidates
    var rest = all
    var groups: [(first: Candidate, members: [Int], clear: Set<SummaryCause>)] = []
    while let first = rest.first {
      let group = rest.filter {
        $0.range.overlaps(first.range) && ($0.difference > 0) == (first.difference > 0)
      }
      let isClear = group.contains { $0.p <= limit }
      rest.removeAll { candidate in
        (candidate.difference > 0) == (first.difference > 0)
          && (candidate.range.overlaps(first.range)
            || isClear && isExplained(candidate, by: first, limit: limit, among: all))
      }
      guard isClear else { continue }
      let clear = group.compactMap { candidate in
        if case .cause(let cause, _) = candidate.subject, candidate.p <= limit {
          cause
        } else {
          nil
        }
      }
      groups.append((first, Set(group.compactMap(\.stratum)).sorted(), Set(clear)))
    }
    let buildIndices = groups.map(\.first.buildIndex).sorted()
    let end = buildCount
    return groups.compactMap { first, members, clear in
      let before = buildIndices.last { $0 < first.buildIndex } ?? 0
      let after = buildIndices.first { $0 > first.buildIndex } ?? end
      guard !clear.isEmpty || isOfUsualHitches(first, members, in: before..<after) else {
        return nil
      }
      let affected = self.affected(members, at: first, in: before..<after)
      let elsewhere = groups.filter {
        ($0.first.difference > 0) != (first.difference > 0)
          && $0.first.range.overlaps(first.range)
      }.flatMap(\.members)
      return TrendChange(
        location(of: first, affected.strata, in: before..<after), isWorse: first.difference > 0,
        subject: first.subject, clear: clear, of: affected.strata,
        excludesOthers: affected.excludesOthers,
        on: (screens(of: affected.strata, at: first, in: before..<after), parts),
        in: before..<after, among: strata,
        tested: tested.filter { affected.strata.contains($0) || !elsewhere.contains($0) },
        crude: crude, noises, measure)
    }.filter { $0.found != nil || $0.difference.magnitude >= measure.floor || $0.isOfAll }
      .sorted { $0.buildIndex < $1.buildIndex }
  }

  /// Returns whether a change of the value is there without what a few long hitches have above the others, or lines
  /// do not tell that.
  private func isOfUsualHitches(
    _ first: Candidate, _ members: [Int], in segment: Range<Int>
  ) -> Bool {
    guard measure == .hitchTimeRatio, first.subject == .value else { return true }
    let usual = series(of: members.isEmpty ? tested : members, .usualValue)
    guard usual.series.values.contains(where: { $0 != 0 }),
      let own = usual.difference(at: first.buildIndex, in: segment)
    else { return true }
    return own.p <= Self.significanceOfUsual && (own.value > 0) == (first.difference > 0)
  }

  /// Returns whether a change may only be another place of one that is clearer: where a series differs by chance, its
  /// change seems to be builds away.
  private func isExplained(
    _ candidate: Candidate, by first: Candidate, limit: Double, among all: [Candidate]
  ) -> Bool {
    // A series that has both has two changes.
    let hasBoth = all.contains {
      $0.stratum == candidate.stratum && $0.subject == candidate.subject
        && $0.buildIndex != candidate.buildIndex && $0.range.overlaps(first.range)
    }
    guard !hasBoth else { return false }
    let series = series(of: candidate.stratum.map { [$0] } ?? tested, candidate.subject)
    let builds = 0..<buildCount
    guard let there = series.difference(at: first.buildIndex, in: builds),
      (there.value > 0) == (first.difference > 0)
    else { return false }
    return series.series.probability(
      ofChangeAt: series.index(of: first.buildIndex),
      insteadOf: series.index(of: candidate.buildIndex)) > limit
  }

  /// The changes of series, the clearest first; of a stratum, one at a build.
  private var candidates: [Candidate] {
    guard let significance else { return [] }
    var found: [Candidate] = []
    for hypothesis in hypotheses {
      let changes = hypothesis.series.series.changes(significance: significance)
      for (index, change) in changes.enumerated()
      where change.difference.magnitude >= measure.floor {
        let buildIndices = hypothesis.series.buildIndices
        let candidate = Candidate(
          stratum: hypothesis.stratum, subject: hypothesis.subject,
          buildIndex: buildIndices[change.index],
          range: hypothesis.series.builds(in: change.range),
          p: change.p,
          difference: change.difference,
          clarity: change.error > 0 ? change.difference.magnitude / change.error : .infinity)
        let start = index > 0 ? buildIndices[changes[index - 1].index] : 0
        let end =
          index + 1 < changes.count
          ? buildIndices[changes[index + 1].index] : buildCount
        if movesTheWhole(candidate, in: start..<end) {
          found.append(candidate)
        }
      }
    }
    return found.enumerated().sorted {
      ($1.element.clarity, $0.offset) < ($0.element.clarity, $1.offset)
    }.map(\.element)
  }

  /// Returns whether the value may change by at least half of what one of its causes does, and no other cause
  /// changes by half as much the other way: a cause that only takes another's place is no change.
  private func movesTheWhole(_ candidate: Candidate, in segment: Range<Int>) -> Bool {
    guard case .cause(let cause, _) = candidate.subject else { return true }
    let indices = candidate.stratum.map { [$0] } ?? tested
    let sign = candidate.difference > 0 ? 1.0 : -1
    let half = candidate.difference.magnitude / 2
    guard
      let whole = series(of: indices, .value).difference(at: candidate.buildIndex, in: segment),
      whole.mayBeHalf(of: candidate.difference)
    else { return false }
    return !noises.contains { other, noise in
      guard other != cause else { return false }
      let series = TrendSeries(
        of: indices.map { strata[$0] }, .cause(other, noise), besides: cause)
      return series.difference(at: candidate.buildIndex, in: segment).map {
        sign * $0.value <= -half
      } ?? false
    }
  }

  private func series(of indices: [Int], _ subject: TrendSubject) -> TrendSeries {
    TrendSeries(of: indices.map { strata[$0] }, subject)
  }

  /// The build of a change of `affected` within `segment`, from the series that shows it most clearly.
  private func location(
    of first: Candidate, _ affected: [Int], in segment: Range<Int>
  ) -> (buildIndex: Int, range: ClosedRange<Int>, p: Double) {
    if affected.count > 1, let significance {
      let group = series(of: affected, first.subject)
      let same = group.series.changes(significance: significance).filter { change in
        let buildIndex = group.buildIndices[change.index]
        return first.range.contains(buildIndex) && segment.dropFirst().contains(buildIndex)
          && (change.difference > 0) == (first.difference > 0)
      }
      if let change = same.min(by: { $0.p < $1.p }), change.p <= first.p {
        return (group.buildIndices[change.index], group.builds(in: change.range), change.p)
      }
    }
    return (first.buildIndex, first.range, first.p)
  }

  /// The strata that changed at a build, and whether the others certainly changed by less than half as much.
  private func affected(
    _ members: [Int], at first: Candidate, in segment: Range<Int>
  ) -> (strata: [Int], excludesOthers: Bool) {
    guard !members.isEmpty else { return (tested, true) }
    let found = concerned(among: tested, members, at: first, in: segment) {
      series(of: $0, first.subject)
    }
    return (found.indices, found.excludesOthers)
  }

  /// The screens on which some strata changed at a build, or none if the others do not certainly change by less
  /// than half as much.
  private func screens(
    of affected: [Int], at first: Candidate, in segment: Range<Int>
  ) -> [String] {
    var members: [Int] = []
    if case .part(let name) = first.subject { members = parts.indices.filter { parts[$0] == name } }
    let found = concerned(among: Array(parts.indices), members, at: first, in: segment) { indices in
      let names = Set(indices.map { parts[$0] })
      return TrendSeries(
        of: affected.flatMap { strata[$0].parts.filter { names.contains($0.names[0]) } }, .value)
    }
    return found.excludesOthers && found.indices.count < parts.count
      ? found.indices.map { parts[$0] } : []
  }

  /// What of `all` changed at a build: that in which it was found, and that which differs there too. All did if what
  /// is left differs together by half as much, or if it could tell but does not exclude that, and the series of all
  /// shows the change most clearly.
  ///
  /// - Returns: The indices, and whether the others certainly changed by less than half as much.
  private func concerned(
    among all: [Int], _ members: [Int], at first: Candidate, in segment: Range<Int>,
    _ series: ([Int]) -> TrendSeries
  ) -> (indices: [Int], excludesOthers: Bool) {
    /// The difference in the direction of the change as a part of the level, with half of its
    /// 95% CI, its p, and whether it is above the floor; or `nil` if a side has no value.
    func shift(
      _ indices: [Int]
    ) -> (part: Double, uncertainty: Double, p: Double, counts: Bool)? {
      let series = series(indices)
      // Where nothing is, nothing changed.
      guard !series.series.values.isEmpty else { return (0, 0, 1, false) }
      let level = series.series.mean(series.series.values.indices)
      guard let other = series.difference(at: first.buildIndex, in: segment), level > 0 else {
        return nil
      }
      let value = first.difference > 0 ? other.value : -other.value
      return (value / level, other.uncertainty / level, other.p, value >= measure.floor)
    }
    let rest = all.filter { !members.contains($0) }
    let limit = Self.significanceAtBuild / Double(max(1, rest.count))
    let found = members + rest.filter { shift([$0]).map { $0.counts && $0.p <= limit } ?? false }
    let others = all.filter { !found.contains($0) }
    guard !found.isEmpty, !others.isEmpty, let own = shift(found), let common = shift(others) else {
      return (found.sorted(), others.isEmpty)
    }
    // What certainly changed too, if only by less, is not excluded.
    let haveIt = common.uncertainty > 0 && common.part > common.uncertainty
    let excludesOthers = !haveIt && common.part + common.uncertainty < own.part / 2
    let isPossible =
      first.stratum == nil && !excludesOthers && common.uncertainty < own.part
    let isShown = common.p <= Self.significanceAtBuild && common.part >= own.part / 2
    return isPossible || isShown ? (all, true) : (found.sorted(), excludesOthers)
  }
}
