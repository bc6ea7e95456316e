#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A series of means in order, each with the precision that its own sample gives it, and the indices at which
/// its level changes.
///
/// A series is split where both parts explain it best by least squares with weights 1/variance, if chance
/// rarely makes such a split anywhere, and each part is split again. The noise is that of the samples; if
/// the values scatter more than their samples explain, it is that of the series, with as few degrees of
/// freedom as it has values.
package struct LevelSeries: Sendable {
  /// A change of the level.
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

  /// The best split of a part of the series.
  private struct Split {
    let index: Int
    let p: Double
    let variance: Double
    let freedom: Int
    /// The weighted sum of squares that each split leaves, by its position.
    let residues: [(index: Int, residue: Double)]
  }

  /// The minimum number of values on each side of a change, if samples tell the noise and if not.
  private static let minimumSide = (sampled: 1, unsampled: 3)
  /// The standard error of a side's mean, as a part of the level, up to which its distribution is about normal.
  private static let maximumError = 0.15
  /// The number of values from which the noise of the series can be separated from its changes.
  private static let minimumUnsampled = 11
  /// The factor by which noise may exceed that of the samples by chance, in standard deviations.
  private static let excess = 3.0

  /// The values.
  package let values: [Double]
  private let weights: [Double]
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
    self.weights = weights
    self.sampling = sampling.flatMap { $0.variance > 0 && $0.freedom > 0 ? $0 : nil }
  }

  private var minimumSide: Int {
    sampling == nil ? Self.minimumSide.unsampled : Self.minimumSide.sampled
  }

  /// The probability of a split as clear as the best one by chance, or 1 if the values are too few.
  package var p: Double { split(values.indices)?.p ?? 1 }

  /// Returns the changes whose p is at most `significance`, ascending.
  package func changes(significance: Double) -> [Change] {
    var found: [Split] = []
    var parts: [Range<Int>] = [values.indices]
    while let part = parts.popLast() {
      guard let split = split(part), split.p <= significance else { continue }
      found.append(split)
      parts += [part.lowerBound..<split.index, split.index..<part.upperBound]
    }
    found.sort { $0.index < $1.index }
    let edges = [0] + found.map(\.index) + [values.count]
    return found.enumerated().map { number, split in
      let (before, after) = (edges[number]..<split.index, split.index..<edges[number + 2])
      return Change(
        index: split.index, range: range(of: split), p: split.p, before: mean(before),
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

  /// The difference that a split in the middle would have to show to be found in nine of ten cases, or `nil`
  /// if none would be.
  package func detectable(significance: Double) -> Double? {
    let middle = values.count / 2
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
    let error = noise.variance * (1 / weight(0..<middle) + 1 / weight(middle..<values.count))
    return (high + 1.2816) * error.squareRoot()
  }

  private func canSplit(_ part: Range<Int>) -> Bool {
    part.count >= 2 * minimumSide && (sampling != nil || values.count >= Self.minimumUnsampled)
  }

  private func weight(_ part: Range<Int>) -> Double { weights[part].reduce(0, +) }

  /// The weighted mean of the values in `part`.
  package func mean(_ part: Range<Int>) -> Double {
    let sum = part.reduce(0.0) { $0 + weights[$1] * values[$1] }
    return sum / weight(part)
  }

  private func residue(_ part: Range<Int>) -> Double {
    guard !part.isEmpty else { return 0 }
    let mean = mean(part)
    return part.reduce(0.0) { $0 + weights[$1] * (values[$1] - mean) * (values[$1] - mean) }
  }

  /// The weighted sum of squares that the best split leaves.
  package var splitResidue: Double {
    values.indices.map { residue(0..<$0) + residue($0..<values.count) }.min() ?? 0
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

  /// Returns whether the means of both sides are not those of a few traces.
  private func isPrecise(_ before: Range<Int>, _ after: Range<Int>) -> Bool {
    guard let sampling else { return true }
    let level = (mean(before) + mean(after)) / 2
    let error = (sampling.variance / min(weight(before), weight(after))).squareRoot()
    // Of a single value, the distribution has the longest tails.
    let isSingle = before.count == 1 || after.count == 1
    return error <= Self.maximumError * level / (isSingle ? 2 : 1)
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
      isPrecise(part.lowerBound..<$0.index, $0.index..<part.upperBound)
    }
    guard let best = sides.min(by: { $0.residue < $1.residue }),
      let noise = noise(best.residue, freedom: part.count - 2)
    else { return nil }
    let gain = residue(part) - best.residue
    guard gain > 0 else { return nil }
    // A noise of zero makes any gain certain; the smallest gain of rounding is none.
    let t = noise.variance > 0 ? (gain / noise.variance).squareRoot() : .infinity
    guard t.isFinite || gain > 1e-9 * residue(part) else { return nil }
    let p = StudentT.twoSided(t, freedom: noise.freedom) * Double(sides.count)
    return Split(
      index: best.index, p: min(1, p), variance: noise.variance, freedom: noise.freedom,
      residues: residues)
  }

  /// The indices of a change that the values leave possible with 95% confidence: each counts by its
  /// likelihood.
  private func range(of split: Split) -> ClosedRange<Int> {
    let smallest = split.residues.map(\.residue).min() ?? 0
    let freedom = Double(split.freedom)
    let likelihoods = split.residues.map { candidate in
      let excess = candidate.residue - smallest
      let base = split.variance > 0 ? excess / split.variance / freedom : excess > 0 ? .infinity : 0
      return (index: candidate.index, value: Self.power(1 + base, -(freedom + 1) / 2))
    }.sorted { ($1.value, $0.index) < ($0.value, $1.index) }
    let whole = likelihoods.reduce(0) { $0 + $1.value }
    var (sum, range) = (0.0, split.index...split.index)
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
