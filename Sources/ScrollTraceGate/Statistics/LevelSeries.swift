import ScrollTracePlatform

/// A series of means in order, each with the precision that its own sample gives it, and the indices at which
/// its level changes.
///
/// A series is split where both parts explain it best by least squares with weights 1/variance, if chance
/// rarely makes such a split anywhere, and each part is split again. Where a stretch has another level than what is
/// around it, as between a change and its reversal, one split explains little; if chance makes none such, it is split at
/// both ends of the stretch. One to three values far from all others, as of a bad build, make noise in which a later
/// change is not found, so the series is also searched without them.
///
/// The noise is that of the samples; if
/// the values scatter more than their samples explain, it is that of the series, with as few degrees of
/// freedom as it has values.
package struct LevelSeries: Sendable {
  package struct Change: Equatable, Sendable {
    /// The position of the first value after the change.
    package let index: Int
    /// The positions among which the change is with 95% confidence.
    package let range: ClosedRange<Int>
    /// The probability of a split at least as clear anywhere in the series by chance.
    package let p: Double
    /// The levels up to the next change on each side.
    package let before: Double
    package let after: Double
    /// The standard error of the difference.
    package let error: Double

    /// The level after the change minus the level before it.
    package var difference: Double { after - before }
  }

  /// The weighted sum of squares that a split leaves, by its position.
  private typealias Residue = (index: Int, residue: Double)

  /// The best split of a part of the series: one, or those at both ends of a stretch.
  private struct Split {
    let edges: [Edge]
    let p: Double
    let variance: Double
    let freedom: Int
  }

  private struct Edge {
    let index: Int
    /// What the split would leave elsewhere.
    let residues: [Residue]
  }

  /// The minimum number of values on each side of a change, if samples tell the noise and if not.
  private static let minimumSide = (sampled: 1, unsampled: 3)
  /// The standard error of a side's mean, as a part of the level, up to which its distribution is about normal.
  private static let maximumError = 0.15
  /// The number of values from which the noise of the series can be separated from its changes.
  private static let minimumUnsampled = 11
  /// The factor by which noise may exceed that of the samples by chance, in standard deviations.
  private static let excess = 3.0
  /// The factor by which a stretch has to be clearer than a split, which is the simpler explanation: a single value by
  /// chance is one too.
  private static let stretchPenalty = 40.0
  /// The number of values from which only stretches of so many are looked for.
  private static let longestStretch = 200

  /// The sums of the values before a position, from the mean of all: those of a part are their difference.
  private struct Sums {
    var weight = 0.0
    var value = 0.0
    var square = 0.0

    /// The mean, from that of all.
    var mean: Double { value / weight }
    /// The weighted sum of squares around the mean.
    var residue: Double { weight > 0 ? max(0, square - value * value / weight) : 0 }

    static func - (left: Sums, right: Sums) -> Sums {
      Sums(
        weight: left.weight - right.weight, value: left.value - right.value,
        square: left.square - right.square)
    }
  }

  /// The maximum number of neighboring values without which a series is searched again.
  private static let shortStretch = 3
  /// The minimum number of values of a series that is searched again.
  private static let minimumBesides = 8
  /// How many times the noise a line has to explain more than levels do: chance has it of a step in one of a hundred.
  private static let clearlyBetter = 4.0
  /// How many times the noise a value's square is if it stands far out: chance has none in a thousand series.
  private static let far = 30.0

  package let values: [Double]
  /// The mean of all values.
  private let center: Double
  /// The sums by position, one more than there are values.
  private let sums: [Sums]
  /// The sum of squares up to which a gain may be one of rounding.
  private let negligible: Double
  /// The variance of a value of weight 1 and its degrees of freedom, or `nil` if samples do not tell it.
  private let sampling: (variance: Double, freedom: Int)?

  /// Creates a series.
  ///
  /// - Parameters:
  ///   - values: The means.
  ///   - weights: The inverse of their variances, up to a common factor; all above zero.
  ///   - sampling: The variance of a value of weight 1 and its degrees of freedom, or `nil` if unknown.
  package init(
    _ values: [Double], weights: [Double], sampling: (variance: Double, freedom: Int)? = nil
  ) {
    self.values = values
    let sum = zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 }
    center = values.isEmpty ? 0 : sum / weights.reduce(0, +)
    var (total, sums) = (Sums(), [Sums()])
    sums.reserveCapacity(values.count + 1)
    for (value, weight) in zip(values, weights) {
      let value = value - center
      total.weight += weight
      total.value += weight * value
      total.square += weight * value * value
      sums.append(total)
    }
    self.sums = sums
    negligible = 1e-15 * (total.square + total.weight * center * center)
    self.sampling = sampling.flatMap { $0.variance > 0 && $0.freedom > 0 ? $0 : nil }
  }

  private var minimumSide: Int {
    sampling == nil ? Self.minimumSide.unsampled : Self.minimumSide.sampled
  }

  /// The probability of a split as clear as the best one by chance, or 1 if the values are too few.
  package var p: Double { splits(values.indices).map(\.p).min() ?? 1 }

  /// Returns the changes whose p is at most `significance`, ascending.
  package func changes(significance: Double) -> [Change] {
    var found: [(edge: Edge, split: Split, p: Double)] = []
    var parts: [Range<Int>] = [values.indices]
    while let part = parts.popLast() {
      // The more parts there are, the more of them can seem to be split by chance.
      let partCount = Double(found.count + 1)
      guard let split = splits(part).first(where: { $0.p * partCount <= significance }) else {
        continue
      }
      found += split.edges.map { (edge: $0, split: split, p: min(1, split.p * partCount)) }
      let edges = [part.lowerBound] + split.edges.map(\.index) + [part.upperBound]
      parts += zip(edges, edges.dropFirst()).map { $0..<$1 }
    }
    found.sort { $0.edge.index < $1.edge.index }
    let edges = [0] + found.map(\.edge.index) + [values.count]
    return found.enumerated().map { number, change in
      let (edge, split, p) = change
      let (before, after) = (edges[number]..<edge.index, edge.index..<edges[number + 2])
      return Change(
        index: edge.index, range: range(of: edge, split), p: p, before: mean(before),
        after: mean(after),
        error: (split.variance * (1 / weight(before) + 1 / weight(after))).squareRoot())
    }
  }

  /// A difference of two means.
  package struct Difference: Sendable {
    package let value: Double
    /// The standard error, or zero if it is unknown.
    package let error: Double
    /// The degrees of freedom of the standard error.
    package let freedom: Int

    package init(value: Double, error: Double, freedom: Int) {
      (self.value, self.error, self.freedom) = (value, error, freedom)
    }

    /// Half of the 95% CI.
    package var uncertainty: Double { 1.96 * error }

    /// The probability of a difference at least as large by chance.
    package var p: Double {
      error > 0 ? StudentT.twoSided(value / error, freedom: max(1, freedom)) : value == 0 ? 1 : 0
    }
  }

  /// Returns the difference of the means from `index` on and before it within `range`, or `nil` if a side is
  /// empty.
  package func difference(at index: Int, in range: Range<Int>) -> Difference? {
    guard range.lowerBound < index, index < range.upperBound else { return nil }
    let (before, after) = (range.lowerBound..<index, index..<range.upperBound)
    let residue = self.residue(before) + self.residue(after)
    let noise = noise(residue, freedom: range.count - 2) ?? (0, 1)
    return Difference(
      value: mean(after) - mean(before),
      error: (noise.variance * (1 / weight(before) + 1 / weight(after))).squareRoot(),
      freedom: noise.freedom)
  }

  /// Returns by how much the values rise from each to the next, if a straight line certainly explains them better
  /// than levels that change at `indices` do; else `nil`.
  package func slope(insteadOfChangesAt indices: [Int]) -> Difference? {
    guard values.count >= Self.minimumBesides else { return nil }
    let weights = values.indices.map { weight($0..<($0 + 1)) }
    let places = LevelSeries(values.indices.map(Double.init), weights: weights)
    let (own, all) = (places.sums(values.indices), sums(values.indices))
    // Both are measured from their means, so that products add up to the slope.
    let products = values.indices.reduce(0.0) {
      $0 + weights[$1] * (values[$1] - center) * (Double($1) - places.center)
    }
    guard own.square > 0 else { return nil }
    let slope = products / own.square
    let residue = max(0, all.residue - slope * products)
    let edges = [0] + indices.sorted() + [values.count]
    let levels = zip(edges, edges.dropFirst()).reduce(0) { $0 + self.residue($1.0..<$1.1) }
    guard let noise = noise(residue, freedom: values.count - 2),
      levels - residue > Self.clearlyBetter * noise.variance
    else { return nil }
    return Difference(
      value: slope, error: (noise.variance / own.square).squareRoot(), freedom: noise.freedom)
  }

  /// The difference that a split in the middle would have to show to be found in nine of ten cases, or `nil`
  /// if none would be.
  package func detectable(significance: Double) -> Double? {
    detectable(at: values.count / 2, significance: significance)
  }

  /// The same of the last value, or `nil` too if samples do not tell the noise: the mean of one value has to be
  /// precise besides, as a part of the level, to which half of the difference counts.
  package func detectableAtEnd(significance: Double) -> Double? {
    let last = values.count - 1
    guard let sampling, let difference = detectable(at: last, significance: significance) else {
      return nil
    }
    let error = (sampling.variance / weight(last..<values.count)).squareRoot()
    return max(difference, 2 * (2 * error / Self.maximumError - mean(0..<last)))
  }

  private func detectable(at index: Int, significance: Double) -> Double? {
    guard canSplit(values.indices),
      let noise = noise(residue(values.indices), freedom: values.count - 2)
    else { return nil }
    let splits = Double(max(1, values.count - 2 * minimumSide + 1))
    var (low, high) = (0.0, 1_000.0)
    for _ in 0..<60 {
      let half = (low + high) / 2
      let isFound = StudentT.twoSided(half, freedom: noise.freedom) * splits <= significance
      if isFound { high = half } else { low = half }
    }
    let error = noise.variance * (1 / weight(0..<index) + 1 / weight(index..<values.count))
    return (high + 1.2816) * error.squareRoot()
  }

  /// The probability, by chance, that the series shows a split at `best` so much more clearly than one at `index`,
  /// where the change is.
  package func probability(ofChangeAt index: Int, insteadOf best: Int) -> Double {
    func left(_ index: Int) -> Double {
      residue(0..<index) + residue(index..<values.count)
    }
    let (own, other) = (left(best), left(index))
    guard let noise = noise(own, freedom: values.count - 2), noise.variance > 0 else { return 0 }
    let t = (max(0, other - own) / noise.variance).squareRoot()
    return StudentT.twoSided(t, freedom: noise.freedom)
  }

  private func canSplit(_ part: Range<Int>) -> Bool {
    part.count >= 2 * minimumSide && (sampling != nil || values.count >= Self.minimumUnsampled)
  }

  private func sums(_ part: Range<Int>) -> Sums { sums[part.upperBound] - sums[part.lowerBound] }
  private func weight(_ part: Range<Int>) -> Double { sums(part).weight }
  private func residue(_ part: Range<Int>) -> Double { sums(part).residue }

  /// The weighted mean of the values in `part`.
  package func mean(_ part: Range<Int>) -> Double { center + sums(part).mean }

  /// The weighted sum of squares around the best split, and the number of values that it adds up. One to three
  /// values far from all others, such as one bad build, count in neither.
  package var scatter: (residue: Double, count: Int) {
    let all = values.indices
    let whole = all.map { residue(0..<$0) + residue($0..<values.count) }.min() ?? 0
    guard values.count >= Self.minimumBesides else { return (whole, values.count) }
    let found = outstanding(in: all).map { left in
      let residue = all.compactMap { index in
        sides(of: index, in: all, besides: left).map { $0.before.residue + $0.after.residue }
      }.reduce((sums(all) - sums(left)).residue, min)
      let noise = residue / Double(max(1, values.count - left.count - 3))
      let isFar = (whole - residue) / Double(left.count) > Self.far * noise
      return isFar ? (residue, values.count - left.count) : (whole, values.count)
    }
    return found.min { $0.0 < $1.0 } ?? (whole, values.count)
  }

  /// The variance of a value of weight 1 if `residue` is left with so many degrees of freedom.
  private func noise(_ residue: Double, freedom: Int) -> (variance: Double, freedom: Int)? {
    guard freedom > 0 else { return sampling }
    let own = residue / Double(freedom)
    guard let sampling else { return (own, freedom) }
    let maximum = 1 + Self.excess * (2 / Double(freedom)).squareRoot()
    guard own <= sampling.variance * maximum else { return (own, freedom) }
    return (max(own, sampling.variance), sampling.freedom)
  }

  /// Returns whether the means of two sides are not those of a few traces.
  ///
  /// - Parameter isSingle: Whether a side is a single value, of which the distribution has the longest tails.
  private func isPrecise(_ side: Sums, _ other: Sums, isSingle: Bool) -> Bool {
    guard let sampling else { return true }
    let error = (sampling.variance / min(side.weight, other.weight)).squareRoot()
    let level = center + (side.mean + other.mean) / 2
    return error <= Self.maximumError * level / (isSingle ? 2 : 1)
  }

  /// The best splits of a part, the simpler one first: what is left of a stretch that one split explains is found
  /// in what it leaves.
  private func splits(_ part: Range<Int>) -> [Split] {
    [split(part), stretch(part), splitBesidesStretch(part)].compactMap(\.self)
  }

  /// The split at both ends of a stretch, with one level before and after it.
  private func stretch(_ part: Range<Int>) -> Split? {
    guard canSplit(part), part.count >= 3 * minimumSide else { return nil }
    let whole = sums(part)
    func residue(_ start: Int, _ end: Int) -> Double {
      let stretch = sums(start..<end)
      return stretch.residue + (whole - stretch).residue
    }
    let starts = (part.lowerBound + minimumSide)...(part.upperBound - 2 * minimumSide)
    var (best, count): ((start: Int, end: Int, residue: Double)?, Int) = (nil, 0)
    for start in starts {
      let longest = min(part.upperBound - minimumSide, start + Self.longestStretch)
      for end in (start + minimumSide)...longest {
        let stretch = sums(start..<end)
        let others = whole - stretch
        guard isPrecise(stretch, others, isSingle: end - start == 1) else { continue }
        count += 1
        let residue = stretch.residue + others.residue
        if residue < best?.residue ?? .infinity { best = (start, end, residue) }
      }
    }
    guard let best, let noise = noise(best.residue, freedom: part.count - 2),
      noise.variance > 0
    else { return nil }
    let gain = whole.residue - best.residue
    guard gain > negligible else { return nil }
    let t = (gain / noise.variance).squareRoot()
    let p =
      StudentT.twoSided(t, freedom: noise.freedom) * Double(count) * Self.stretchPenalty
    let edges = [
      Edge(
        index: best.start,
        residues: ((part.lowerBound + minimumSide)...(best.end - minimumSide)).map {
          ($0, residue($0, best.end))
        }),
      Edge(
        index: best.end,
        residues: ((best.start + minimumSide)...(part.upperBound - minimumSide)).map {
          ($0, residue(best.start, $0))
        }),
    ]
    return Split(edges: edges, p: min(1, p), variance: noise.variance, freedom: noise.freedom)
  }

  private func split(_ part: Range<Int>) -> Split? {
    guard canSplit(part) else { return nil }
    let candidates = (part.lowerBound + minimumSide)...(part.upperBound - minimumSide)
    let residues = candidates.map { index in
      (
        index: index,
        residue: residue(part.lowerBound..<index) + residue(index..<part.upperBound)
      )
    }
    let sides = residues.filter {
      let (before, after) = (part.lowerBound..<$0.index, $0.index..<part.upperBound)
      return isPrecise(
        sums(before), sums(after), isSingle: before.count == 1 || after.count == 1)
    }
    guard let best = sides.min(by: { $0.residue < $1.residue }),
      let noise = noise(best.residue, freedom: part.count - 2)
    else { return nil }
    let gain = residue(part) - best.residue
    guard gain > negligible else { return nil }
    // A noise of zero makes any gain certain.
    let t = noise.variance > 0 ? (gain / noise.variance).squareRoot() : .infinity
    let p = StudentT.twoSided(t, freedom: noise.freedom) * Double(sides.count)
    return Split(
      edges: [Edge(index: best.index, residues: residues)], p: min(1, p), variance: noise.variance,
      freedom: noise.freedom)
  }

  /// The sums on both sides of an index, without a stretch on one of them; `nil` if a side has one value or none.
  private func sides(
    of index: Int, in part: Range<Int>, besides left: Range<Int>
  ) -> (before: Sums, after: Sums)? {
    guard index <= left.lowerBound || index >= left.upperBound else { return nil }
    let (before, after) = (part.lowerBound..<index, index..<part.upperBound)
    let isBefore = left.lowerBound < index
    guard before.count - (isBefore ? left.count : 0) > 1,
      after.count - (isBefore ? 0 : left.count) > 1
    else { return nil }
    return isBefore
      ? (sums(before) - sums(left), sums(after)) : (sums(before), sums(after) - sums(left))
  }

  /// The short stretches that stand out most, one of each length.
  private func outstanding(in part: Range<Int>) -> [Range<Int>] {
    let whole = sums(part)
    return (1...Self.shortStretch).compactMap { length in
      (part.lowerBound...(part.upperBound - length)).map { $0..<($0 + length) }.min {
        (whole - sums($0)).residue < (whole - sums($1)).residue
      }
    }
  }

  /// The split of what a short stretch leaves: the noise that such a stretch makes, as one bad build does, hides a
  /// later change.
  private func splitBesidesStretch(_ part: Range<Int>) -> Split? {
    guard let sampling, canSplit(part), part.count >= Self.minimumBesides else { return nil }
    var (best, count): ((index: Int, left: Range<Int>, residue: Double)?, Int) = (nil, 0)
    for left in outstanding(in: part) {
      for index in part {
        guard let (before, after) = sides(of: index, in: part, besides: left),
          isPrecise(before, after, isSingle: false)
        else { continue }
        count += part.count
        let residue = before.residue + after.residue
        if residue < best?.residue ?? .infinity { best = (index, left, residue) }
      }
    }
    guard let best, let noise = noise(best.residue, freedom: part.count - 3),
      noise.freedom == sampling.freedom
    else { return nil }
    let gain = (sums(part) - sums(best.left)).residue - best.residue
    guard gain > negligible else { return nil }
    let p =
      StudentT.twoSided((gain / noise.variance).squareRoot(), freedom: noise.freedom)
      * Double(count) * Self.stretchPenalty
    let residues = part.compactMap { index in
      sides(of: index, in: part, besides: best.left).map {
        (index: index, residue: $0.before.residue + $0.after.residue)
      }
    }
    return Split(
      edges: [Edge(index: best.index, residues: residues)], p: min(1, p), variance: noise.variance,
      freedom: noise.freedom)
  }

  /// The indices of a change that the values leave possible with 95% confidence: each counts by its
  /// likelihood.
  private func range(of edge: Edge, _ split: Split) -> ClosedRange<Int> {
    let smallest = edge.residues.map(\.residue).min() ?? 0
    let freedom = Double(split.freedom)
    let likelihoods = edge.residues.map { candidate in
      let excess = candidate.residue - smallest
      let base = split.variance > 0 ? excess / split.variance / freedom : excess > 0 ? .infinity : 0
      return (index: candidate.index, value: Self.power(1 + base, -(freedom + 1) / 2))
    }.sorted { ($1.value, $0.index) < ($0.value, $1.index) }
    let whole = likelihoods.reduce(0) { $0 + $1.value }
    var (sum, range) = (0.0, edge.index...edge.index)
    for candidate in likelihoods {
      guard sum < 0.95 * whole else { break }
      sum += candidate.value
      range = min(range.lowerBound, candidate.index)...max(range.upperBound, candidate.index)
    }
    return range
  }

  private static func power(_ base: Double, _ exponent: Double) -> Double {
    base.isFinite ? exp(exponent * log(base)) : 0
  }
}
