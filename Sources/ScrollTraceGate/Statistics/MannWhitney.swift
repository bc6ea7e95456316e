#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The two-sided Mann-Whitney U test of two sides of runs (M-20).
///
/// Mann and Whitney 1947. Exact without ties for at most 400 pairs; otherwise by the normal
/// distribution with correction for ties and continuity, as in SciPy's `mannwhitneyu`.
package struct MannWhitney: Equatable, Sendable {
  /// The maximum number of pairs for which the exact distribution is computed.
  private static let mostExactPairs = 400

  /// The number of pairs in which the new value is higher; ties count as half.
  package let u: Double
  package let pairs: Int
  /// The probability of at least this difference, in either direction, if both sides have the same
  /// distribution.
  package let p: Double
  /// A Boolean value indicating whether the exact distribution was used.
  package let isExact: Bool

  /// Tests `new` against `base`, or returns `nil` if a side has no runs.
  package init?(base: [Double], new: [Double]) {
    guard let base = RunValues(base), let new = RunValues(new) else { return nil }
    self.init(base, new)
  }

  /// Tests two sides.
  init(_ base: RunValues, _ new: RunValues) {
    let (rankSum, tieTerm) = Self.rank(base, new)
    pairs = base.count * new.count
    u = rankSum - Double(new.count) * Double(new.count + 1) / 2
    isExact = tieTerm == 0 && pairs <= Self.mostExactPairs
    let upper = max(u, Double(pairs) - u)
    p =
      isExact
      ? Self.exact(upper, base.count, new.count)
      : Self.normal(upper, Double(base.count), Double(new.count), tieTerm: tieTerm)
  }

  /// A Boolean value indicating whether the new side is higher.
  var isHigher: Bool { 2 * u > Double(pairs) }

  /// The rank sum of the new side, with ties sharing their ranks, and Σ (t³ − t) over the groups of
  /// ties.
  private static func rank(
    _ base: RunValues, _ new: RunValues
  ) -> (sum: Double, tieTerm: Double) {
    let all = (base.sorted.map { ($0, false) } + new.sorted.map { ($0, true) })
      .sorted { $0.0 < $1.0 }
    var (sum, tieTerm) = (0.0, 0.0)
    var first = 0
    while first < all.count {
      var end = first + 1
      while end < all.count, all[end].0 == all[first].0 { end += 1 }
      let size = Double(end - first)
      sum += Double(all[first..<end].count { $0.1 }) * Double(first + 1 + end) / 2
      tieTerm += size * size * size - size
      first = end
    }
    return (sum, tieTerm)
  }

  /// Twice the share of all orders of the runs with a U of at least `upper`.
  private static func exact(_ upper: Double, _ base: Int, _ new: Int) -> Double {
    // U is the sum over new runs of the number of lower base runs: `ways[k][u]` counts the
    // multisets of k numbers from 0 to `base` with the sum u.
    let pairs = base * new
    var ways = [[Double]](repeating: [Double](repeating: 0, count: pairs + 1), count: new + 1)
    ways[0][0] = 1
    for part in 0...base {
      for size in stride(from: 1, through: new, by: 1) {
        for total in stride(from: part, through: pairs, by: 1) {
          ways[size][total] += ways[size - 1][total - part]
        }
      }
    }
    let counts = ways[new]
    let all = counts.reduce(0, +)
    let tail = counts.enumerated().reduce(0) { $0 + (Double($1.offset) >= upper ? $1.element : 0) }
    return min(1, 2 * tail / all)
  }

  private static func normal(
    _ upper: Double, _ base: Double, _ new: Double, tieTerm: Double
  ) -> Double {
    let all = base + new
    let variance = base * new / 12 * (all + 1 - tieTerm / (all * (all - 1)))
    // All values are equal.
    guard variance > 0 else { return 1 }
    let deviation = (upper - base * new / 2 - 0.5) / variance.squareRoot()
    return min(1, erfc(deviation / 2.0.squareRoot()))
  }
}
