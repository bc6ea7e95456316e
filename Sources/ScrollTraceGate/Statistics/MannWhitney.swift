#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The Mann-Whitney U test of two sides of runs, two-sided (M-20).
///
/// Mann and Whitney 1947. Exact where no two values are equal and there are at most 400 pairs; else by
/// the normal distribution, corrected for ties and for continuity, as SciPy's `mannwhitneyu` does.
package struct MannWhitney: Hashable, Sendable {
  /// The most pairs of runs for which the exact distribution is worked out.
  private static let mostExactPairs = 400

  /// How many pairs of runs have the new one higher; equal ones count by half.
  package let u: Double
  /// How many pairs there are.
  package let pairs: Int
  /// How likely two sides of one population differ as much, whichever way.
  package let p: Double
  /// Whether the exact distribution was used.
  package let isExact: Bool

  /// The test of `new` against `base`, or `nil` if a side has no runs.
  package init?(base: [Double], new: [Double]) {
    guard let base = RunValues(base), let new = RunValues(new) else { return nil }
    self.init(base, new)
  }

  /// The test of two sides.
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

  /// Whether the new side is the higher one.
  var isHigher: Bool { 2 * u > Double(pairs) }

  /// The ranks of the new side summed, equal values sharing theirs, and Σ (t³ − t) over their groups.
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

  /// Twice the part of all orders of the runs that have a U of at least `upper`.
  private static func exact(_ upper: Double, _ base: Int, _ new: Int) -> Double {
    // U is the sum over new runs of how many base runs are lower: `ways[k][u]` counts the multisets
    // of k numbers from 0 to `base` with the sum u.
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
    // All values are one: nothing tells the sides apart.
    guard variance > 0 else { return 1 }
    let deviation = (upper - base * new / 2 - 0.5) / variance.squareRoot()
    return min(1, erfc(deviation / 2.0.squareRoot()))
  }
}
