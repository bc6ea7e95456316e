internal import ScrollTracePlatform

/// The one-sided Mann-Whitney U test of two sides of runs (M-21).
///
/// Mann and Whitney 1947. Exact for at most 400 pairs, also with ties, over all orders of the values;
/// otherwise by the normal distribution with correction for ties and continuity, as in SciPy's
/// `mannwhitneyu`.
package struct MannWhitney: Equatable, Sendable {
  /// The maximum number of pairs for which the exact distribution is computed.
  private static let maximumExactPairs = 400

  /// The number of pairs in which the new value is higher; ties count as half.
  package let u: Double
  /// The probability that the new side is at least this much higher if both sides have the same
  /// distribution.
  package let p: Double

  /// Tests `new` against `base`, or returns `nil` if a side has no runs.
  package init?(base: [Double], new: [Double]) {
    guard let base = RunValues(base), let new = RunValues(new) else { return nil }
    let (ranks, tieTerm) = Self.rank(base, new)
    let sum = ranks.reduce(0) { $0 + ($1.isNew ? $1.doubled : 0) }
    u = Double(sum) / 2 - Double(new.count) * Double(new.count + 1) / 2
    p =
      base.count * new.count <= Self.maximumExactPairs
      ? Self.share(of: Self.choices(of: new.count, among: ranks.map(\.doubled)), from: sum)
      : Self.normal(u, Double(base.count), Double(new.count), tieTerm: tieTerm)
  }

  /// The smallest U whose p is below `level` if there are no ties.
  static func smallestSignificantU(base: Int, new: Int, level: Double) -> Double {
    let lowest = new * (new + 1) / 2
    let choices =
      base * new <= maximumExactPairs ? Self.choices(of: new, among: Array(1...(base + new))) : nil
    var (low, high) = (0, base * new + 1)
    while low < high {
      let middle = (low + high) / 2
      let p =
        choices.map { share(of: $0, from: middle + lowest) }
        ?? normal(Double(middle), Double(base), Double(new), tieTerm: 0)
      if p < level { high = middle } else { low = middle + 1 }
    }
    return Double(low)
  }

  /// Twice the rank of each value, in which ties share theirs, and Σ (t³ − t) over the groups of ties.
  private static func rank(
    _ base: RunValues, _ new: RunValues
  ) -> (ranks: [(doubled: Int, isNew: Bool)], tieTerm: Double) {
    let all = (base.sorted.map { ($0, false) } + new.sorted.map { ($0, true) })
      .sorted { $0.0 < $1.0 }
    var ranks: [(doubled: Int, isNew: Bool)] = []
    var tieTerm = 0.0
    while ranks.count < all.count {
      let first = ranks.count
      var end = first + 1
      while end < all.count, all[end].0 == all[first].0 { end += 1 }
      let size = Double(end - first)
      ranks += all[first..<end].map { (first + 1 + end, $0.1) }
      tieTerm += size * size * size - size
    }
    return (ranks, tieTerm)
  }

  /// The number of choices of `count` of the ranks, by their sum.
  private static func choices(of count: Int, among ranks: [Int]) -> [Double] {
    let highest = ranks.suffix(count).reduce(0, +)
    // `ways[k][s]` counts the choices of k ranks with the sum s.
    var ways = [[Double]](repeating: [Double](repeating: 0, count: highest + 1), count: count + 1)
    ways[0][0] = 1
    for rank in ranks {
      for size in stride(from: count, through: 1, by: -1) {
        for total in stride(from: highest, through: rank, by: -1)
        where ways[size - 1][total - rank] != 0 {
          ways[size][total] += ways[size - 1][total - rank]
        }
      }
    }
    return ways[count]
  }

  /// The share of the choices whose sum is at least `sum`.
  private static func share(of choices: [Double], from sum: Int) -> Double {
    choices.dropFirst(sum).reduce(0, +) / choices.reduce(0, +)
  }

  private static func normal(
    _ u: Double, _ base: Double, _ new: Double, tieTerm: Double
  ) -> Double {
    let all = base + new
    let variance = base * new / 12 * (all + 1 - tieTerm / (all * (all - 1)))
    // All values are equal.
    guard variance > 0 else { return 1 }
    let deviation = (u - base * new / 2 - 0.5) / variance.squareRoot()
    return erfc(deviation / 2.0.squareRoot()) / 2
  }
}
