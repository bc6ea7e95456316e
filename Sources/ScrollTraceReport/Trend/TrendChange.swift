import ScrollTraceGate
import ScrollTraceSummary

/// A change of the level of some strata, with what it consists of.
struct TrendChange: Sendable {
  /// A part of the difference.
  struct Part: Sendable {
    let name: String
    /// The difference in ms/s.
    let value: Double
    /// Half of its 95% CI, or `nil` if unknown or if most of the difference is shared with other causes.
    var uncertainty: Double?
    /// The strata of the change that it is on, by their positions, if it is certainly not on all; else none.
    var strata: [Int] = []
  }

  /// What did not change.
  struct Rest: Sendable {
    let count: Int
    /// The cause or the screen that was found and is compared, or `nil` for the value as a whole.
    let subject: String?
    /// The difference of all together at a constant mix, with half of its 95% CI, or `nil` if they do not have it.
    let together: (value: Double, uncertainty: Double)?
    /// By how much of their level they may have changed with it (95%), or `nil` if unknown.
    let most: Double?
  }

  /// The first build after the change, and the builds among which that is with 95% confidence.
  let buildIndex: Int
  let range: ClosedRange<Int>
  let p: Double
  /// Whether what was found became more.
  let isWorse: Bool
  /// The cause that was found, if the value as a whole does not show the change; else `nil`.
  let found: Part?
  /// The builds up to the next change on each side.
  let segment: Range<Int>
  /// The difference at a constant mix of screens, with half of its 95% CI, if that has less than half of the
  /// difference, or does not show the change of a cause that the mix may explain: more time was spent on some
  /// screens, and none changed; else `nil`.
  let atConstantScreens: (value: Double, uncertainty: Double)?
  /// The strata that changed, by their positions, the largest difference first.
  let strata: [Int]
  /// Whether it is of all strata.
  let isOfAll: Bool
  /// The screens, or other parts of the measured time, that changed, if the others certainly changed by less than
  /// half as much; else none.
  let screens: [String]
  /// The levels before and after the change at a constant mix of these strata, on these screens only.
  let before: Double
  let after: Double
  /// Half of the 95% CI of the difference.
  let uncertainty: Double
  /// The difference over all screens, with half of its 95% CI.
  let whole: (value: Double, uncertainty: Double)
  /// The difference at a constant mix of all strata, with half of its 95% CI, and that of all traces together.
  let constantMix: (value: Double, uncertainty: Double)?
  let crude: Double?
  /// The strata that did not change.
  let others: Rest
  /// The same of screens.
  let otherScreens: Rest
  /// Whether the strata that did not change certainly differ by less than half as much, as a part of their level.
  let excludesOthers: Bool
  /// The causes that the difference consists of, and what they leave of it.
  let causes: [Part]
  let otherCauses: Double
  /// The same by screen and by interaction, where the lines have them.
  let scopes: [(name: String, parts: [Part], other: Double)]
  /// The session with the longest hitch of those strata after the change, on the screens that changed if there are
  /// any, or `nil` if unknown.
  let session: String?

  var difference: Double { after - before }
}

extension TrendChange {
  /// The share of a difference from which parts explain it.
  private static let explained = 0.9
  /// The share of a difference up to which its rest at a constant mix of screens does not count.
  private static let negligible = 0.2
  /// The largest p of the difference of a cause at any of the builds around it, if the whole does not show it.
  private static let foundSignificance = 0.05
  /// The largest p of a cause on one of several strata.
  private static let significance = 0.01
  /// The largest number of parts that are named.
  private static let maximumParts = 4

  /// Creates the change of some strata at a build, or returns `nil` if no stratum has traces on both sides.
  ///
  /// - Parameters:
  ///   - found: The change in the series that shows it most clearly.
  ///   - isWorse: Whether what was found became more.
  ///   - subject: What was found to change.
  ///   - clear: The causes that certainly changed.
  ///   - excludesOthers: Whether the other strata certainly changed by less than half as much.
  ///   - parts: The screens on which the change is, none if it is not on some only, and all that there are.
  ///   - segment: The builds up to the next change on each side.
  ///   - noises: The noise of the causes that are followed.
  init?(
    _ found: (buildIndex: Int, range: ClosedRange<Int>, p: Double), isWorse: Bool,
    subject: TrendSubject, clear: Set<SummaryCause>, of affected: [Int],
    excludesOthers: Bool, on parts: (changed: [String], all: [String]), in segment: Range<Int>,
    among all: [TrendStratum], tested: [Int], crude: TrendSeries,
    _ noises: [SummaryCause: TrendNoise], _ measure: Trend.Measure
  ) {
    buildIndex = found.buildIndex
    range = found.range
    p = found.p
    (self.isWorse, self.segment) = (isWorse, segment)
    self.excludesOthers = excludesOthers
    isOfAll = affected.count == tested.count
    let sides = (
      before: segment.lowerBound..<found.buildIndex, after: found.buildIndex..<segment.upperBound
    )
    let both = affected.map { (index: $0, pair: TrendSides(all[$0], sides)) }
      .filter { $0.pair.hasBoth }
    let groups = both.map { all[$0.index] }
    let screens = groups.flatMap { $0.parts.filter { parts.changed.contains($0.names[0]) } }
    let changed = screens.isEmpty ? groups.flatMap(\.leaves) : screens
    func difference(
      _ strata: [TrendStratum], _ subject: TrendSubject = .value
    ) -> LevelSeries.Difference? {
      TrendSeries(of: strata, subject).difference(at: found.buildIndex, in: segment)
    }
    let levels = changed.map { TrendSides($0, sides) }.filter(\.hasBoth)
    guard !levels.isEmpty, let own = difference(changed), let whole = difference(groups) else {
      return nil
    }
    let pairs = both.map(\.pair)
    let isDivided = groups.contains(where: \.isDivided)
    strata = both.sorted {
      ($1.pair.difference.magnitude, $0.index) < ($0.pair.difference.magnitude, $1.index)
    }.map(\.index)
    self.screens = screens.isEmpty ? [] : parts.changed
    before = TrendSides.mean(of: levels) { $0.before.value(measure) }
    after = TrendSides.mean(of: levels) { $0.after.value(measure) }
    uncertainty = own.uncertainty
    var cause: SummaryCause?
    if case .cause(let name, _) = subject { cause = name }
    let isUncertain = (after - before).magnitude <= uncertainty || (after > before) != isWorse
    let ofCause = isUncertain ? cause.flatMap { _ in difference(groups, subject) } : nil
    if let ofCause,
      ofCause.p * Double(segment.count) > Self.foundSignificance
        || !whole.mayBeHalf(of: ofCause.value)
    {
      return nil
    }
    let leaves = groups.flatMap(\.parts)
    let mixed =
      parts.changed.isEmpty && !isDivided && leaves.count > groups.count ? difference(leaves) : nil
    atConstantScreens = mixed.flatMap { constant in
      let isMix: Bool
      if let cause, let ofCause {
        let part = isWorse ? constant.value : -constant.value
        // What became less is more on the way back.
        let way = isWorse ? sides : (before: sides.after, after: sides.before)
        let most = TrendSides.mean(of: groups.map { TrendSides($0, way) }) {
          $0.mostByScreens(of: cause)
        }
        // The screens of a session vary together, so the interval at a constant mix is at least that of the whole.
        isMix =
          part <= max(constant.uncertainty, whole.uncertainty)
          && ofCause.value.magnitude - ofCause.uncertainty <= most
      } else {
        let part = own.value > 0 ? constant.value : -constant.value
        let limit = max(constant.uncertainty, Self.negligible * own.value.magnitude)
        isMix =
          own.value.magnitude > own.uncertainty && part < min(own.value.magnitude / 2, limit)
      }
      return isMix ? (constant.value, constant.uncertainty) : nil
    }
    let shown = cause.flatMap { name in
      ofCause.map {
        Part(name: Self.name(of: name), value: $0.value, uncertainty: $0.uncertainty)
      }
    }
    self.found = shown
    self.whole = (
      TrendSides.mean(of: pairs) { $0.after.value(measure) - $0.before.value(measure) },
      whole.uncertainty
    )
    constantMix =
      TrendSeries(of: tested.map { all[$0] }.filter { TrendSides($0, sides).hasBoth }, .value)
      .difference(at: found.buildIndex, in: segment).map { ($0.value, $0.uncertainty) }
    self.crude = crude.difference(at: found.buildIndex, in: segment)?.value
    func rest(_ others: [[TrendStratum]], _ subject: TrendSubject = .value) -> Rest {
      let known = others.filter { difference($0) != nil }
      let series = TrendSeries(of: known.flatMap(\.self), subject)
      let most = series.relativeDifference(at: found.buildIndex, in: segment).map {
        max(0, (isWorse ? $0.value : -$0.value) + $0.uncertainty)
      }
      let together = series.difference(at: found.buildIndex, in: segment)
      return Rest(
        count: known.count, subject: subject.name,
        together: together.map { ($0.value, $0.uncertainty) }, most: most)
    }
    others = rest(tested.filter { !affected.contains($0) }.map { [all[$0]] }, subject)
    let otherParts = parts.changed.isEmpty ? [] : parts.all.filter { !parts.changed.contains($0) }
    otherScreens = rest(
      otherParts.map { part in groups.flatMap { $0.parts.filter { $0.names == [part] } } })
    session =
      (screens.isEmpty ? pairs : levels).flatMap(\.after.cells)
      .filter { $0.scope.longestHitchSession != nil }
      .max {
        let lengths = [$0, $1].map { $0.scope[.longestHitch].known ?? 0 }
        return lengths[0] < lengths[1]
      }?.scope.longestHitchSession
    // Lines have no causes by screen, so those of a difference at a constant mix of screens are not known.
    let isOfCauses = !isDivided || (self.whole.value - (after - before)).magnitude <= uncertainty
    guard measure == .hitchTimeRatio, isOfCauses else {
      (causes, otherCauses, scopes) = ([], 0, [])
      return
    }
    let names = Set(pairs.flatMap { $0.cells.flatMap(\.row.causes.keys) })
    let consisting = names.map { cause in
      let own = TrendSeries(of: groups, .cause(cause, noises[cause] ?? .unknown))
        .difference(at: found.buildIndex, in: segment)
      return (
        name: Self.name(of: cause),
        value: shown?.name == Self.name(of: cause)
          ? shown?.value ?? 0
          : TrendSides.difference(of: pairs) { $0.ratio(of: cause) }, own: own
      )
    }
    let largest = Self.largest(
      consisting, of: self.whole.value, first: cause.map(Self.name),
      clear: Set(clear.map(Self.name)))
    let causesByName = Dictionary(
      names.map { (Self.name(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    causes = largest.parts.map { part in
      var part = part
      part.strata =
        causesByName[part.name].map { cause in
          Self.strata(both.map(\.index), with: part.value) {
            TrendSeries(of: [all[$0]], .cause(cause, noises[cause] ?? .unknown))
              .relativeDifference(at: found.buildIndex, in: segment)
          }
        } ?? []
      return part
    }
    otherCauses = largest.other
    scopes = Self.scopes(pairs, of: self.whole.value)
  }

  static func name(of cause: SummaryCause) -> String {
    let name =
      cause.category.map { "\(Messages.label(ofCategory: $0))/\(cause.name)" }
      ?? Messages.word(forKind: cause.name)
    return cause.function.map { "\($0) (\(name))" } ?? name
  }

  /// The strata on which a cause changed, or none if it is not certainly on some of them only.
  private static func strata(
    _ all: [Int], with value: Double, _ difference: (Int) -> LevelSeries.Difference?
  ) -> [Int] {
    let sign = value < 0 ? -1.0 : 1
    let own = all.compactMap { index in
      difference(index).map { (index: index, value: sign * $0.value, error: $0) }
    }
    let found = own.filter { $0.value > 0 && $0.error.p <= significance }
    let least = found.map(\.value).min() ?? 0
    let others = own.filter { other in !found.contains { $0.index == other.index } }
    let excludesOthers = others.allSatisfy { $0.value + $0.error.uncertainty < least / 2 }
    return found.isEmpty || others.isEmpty || !excludesOthers ? [] : found.map(\.index)
  }

  /// The parts that explain a difference: the large ones of which most is certain, then the smaller certain ones, until
  /// they add up to nearly all; then what certainly changed besides. If none is certain, it is the largest.
  ///
  /// - Parameters:
  ///   - parts: The parts, each with its difference without what it shares with the others.
  ///   - first: The name of the part that was found, if one was.
  ///   - clear: The names of the parts that certainly changed.
  static func largest(
    _ parts: [(name: String, value: Double, own: LevelSeries.Difference?)], of whole: Double,
    first: String? = nil, clear: Set<String> = []
  ) -> (parts: [Part], other: Double) {
    // Others seem to change against a cause, with which they share less, but not in their own times.
    let certain = parts.map { part -> Double in
      guard let own = part.own else { return part.value.magnitude }
      let isSame = (own.value > 0) == (part.value > 0)
      return (isSame ? min(own.value.magnitude, part.value.magnitude) : 0) - own.uncertainty
    }
    let ranks = zip(parts, certain).map { part, certain -> (rank: Int, size: Double) in
      let isLarge = part.value.magnitude >= whole.magnitude / 5
      if part.name == first, isLarge || whole == 0 { return (0, 0) }
      return certain > 0 && isLarge ? (1, certain) : (2, part.value.magnitude)
    }
    let ranked = parts.indices.sorted { left, right in
      (ranks[left].rank, -ranks[left].size, parts[left].name)
        < (ranks[right].rank, -ranks[right].size, parts[right].name)
    }
    var (chosen, rest): ([Part], Double) = ([], whole)
    for (place, index) in ranked.enumerated() where chosen.count < maximumParts {
      let part = parts[index]
      let isNeeded =
        place < maximumParts && rest.magnitude > (1 - explained) * whole.magnitude
        && certain[index] > 0
      guard isNeeded || chosen.isEmpty || clear.contains(part.name),
        part.value.magnitude >= 0.005
      else { continue }
      let uncertainty = part.own.flatMap { own in
        let shared = part.value - own.value
        return own.uncertainty > 0 && shared.magnitude <= own.uncertainty ? own.uncertainty : nil
      }
      chosen.append(Part(name: part.name, value: part.value, uncertainty: uncertainty))
      rest -= part.value
    }
    return (chosen, rest)
  }

  /// The difference by the value of each state and by interaction.
  private static func scopes(
    _ pairs: [TrendSides], of whole: Double
  ) -> [(name: String, parts: [Part], other: Double)] {
    let names = Set(pairs.flatMap { $0.cells.flatMap(\.row.scopes.keys) })
    var families: [String: [String]] = [:]
    for name in names where name != SummaryScope.all {
      let end = name.hasPrefix(SummaryScope.statePrefix) ? "=" : ":"
      let family = name.prefix { String($0) != end }
      families[String(family), default: []].append(name)
    }
    return families.sorted { $0.key < $1.key }.compactMap { family, members in
      guard members.count > 1 else { return nil }
      let parts = members.map { member in
        (
          name: String(member.dropFirst(family.count + 1)),
          value: TrendSides.difference(of: pairs) { side in
            side.ratio { $0.row.scopes[member]?[.hitchTime].known.map { Double($0) } ?? 0 }
          }, own: LevelSeries.Difference?.none
        )
      }
      let (chosen, other) = largest(parts, of: whole)
      guard !chosen.isEmpty else { return nil }
      return (String(family.split(separator: ":").last ?? ""), chosen, other)
    }
  }
}

extension TrendChange {
  /// Returns the levels of some strata before and after the change, at a constant mix of those that are on both
  /// sides, or `nil` if none is.
  func levels(
    of strata: [TrendStratum], _ measure: Trend.Measure
  ) -> (before: Double, after: Double)? {
    let sides = strata.flatMap(\.leaves).map {
      TrendSides($0, (segment.lowerBound..<buildIndex, buildIndex..<segment.upperBound))
    }.filter(\.hasBoth)
    guard !sides.isEmpty else { return nil }
    return (
      TrendSides.mean(of: sides) { $0.before.value(measure) },
      TrendSides.mean(of: sides) { $0.after.value(measure) }
    )
  }
}

/// The cells of a stratum on both sides of a change.
private struct TrendSides {
  /// The cells of one side.
  struct Side {
    let cells: [TrendCell]

    var motion: Double { cells.reduce(0) { $0 + $1.motion } }

    /// Returns the sum of a time per measured time, in ms/s.
    func ratio(_ time: (TrendCell) -> Double) -> Double {
      cells.reduce(0) { $0 + time($1) } / motion * 1_000
    }

    func ratio(of cause: SummaryCause) -> Double {
      ratio { Double($0.row.causes[cause]?.hitchTime ?? 0) }
    }

    /// The level of a measure: the ratio of the sums, or the mean by measured time.
    func value(_ measure: Trend.Measure) -> Double {
      guard measure != .hitchTimeRatio else { return ratio(\.hitchTime) }
      return cells.reduce(0) { $0 + $1.value * $1.motion } / motion
    }
  }

  /// The share of the time from which more time on a screen counts.
  private static let movedTime = 0.05

  let before: Side
  let after: Side
  private let motion: Double
  /// The same by screen.
  private let parts: [TrendStratum]
  private let sides: (before: Range<Int>, after: Range<Int>)

  init(_ stratum: TrendStratum, _ sides: (before: Range<Int>, after: Range<Int>)) {
    before = Side(cells: sides.before.compactMap { stratum.cells[$0] })
    after = Side(cells: sides.after.compactMap { stratum.cells[$0] })
    (motion, parts) = (stratum.motion, stratum.parts)
    self.sides = sides
  }

  var cells: [TrendCell] { before.cells + after.cells }
  var hasBoth: Bool { !before.cells.isEmpty && !after.cells.isEmpty }
  var difference: Double { after.ratio(\.hitchTime) - before.ratio(\.hitchTime) }

  /// Returns by how much a cause can become more because more of the time is on some screens: all its hitch time may
  /// be on these, but not more than they have.
  func mostByScreens(of cause: SummaryCause) -> Double {
    let level = before.ratio(of: cause)
    return parts.reduce(0) { sum, part in
      let part = TrendSides(part, sides)
      let share = part.before.motion / before.motion
      let more = part.after.motion / after.motion - share
      guard more >= Self.movedTime else { return sum }
      let most = (share > 0 ? part.before : part.after).ratio(\.hitchTime)
      return sum + more * (share > 0 ? min(most, level / share) : most)
    }
  }

  /// Returns the mean of a value of one side, weighted by the measured time of the strata.
  static func mean(of pairs: [TrendSides], _ value: (TrendSides) -> Double) -> Double {
    pairs.reduce(0) { $0 + $1.motion * value($1) } / pairs.reduce(0) { $0 + $1.motion }
  }

  static func difference(of pairs: [TrendSides], _ value: (Side) -> Double) -> Double {
    mean(of: pairs) { value($0.after) - value($0.before) }
  }
}

extension LevelSeries.Difference {
  /// Returns whether it may be at least half of a change, in its direction.
  func mayBeHalf(of change: Double) -> Bool {
    (change > 0 ? value : -value) + uncertainty >= change.magnitude / 2
  }
}
