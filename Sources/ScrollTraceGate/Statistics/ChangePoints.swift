import ScrollTraceLayout

/// The places at which the level of a series of values changes, by E-divisive.
///
/// The method is the one of D. S. Matteson and N. A. James, *A Nonparametric Approach for Multiple
/// Change Point Analysis of Multivariate Data*, JASA 109 (2014), with exponent 1: a series is split
/// where the energy distance between both parts is greatest, as long as a permutation test finds the
/// split significant, and each part is split again. MongoDB's and DataStax's Hunter, now Apache Otava,
/// finds changes in benchmarks by the same statistic with Student's t-test instead of permutations.
package struct ChangePoints: Equatable, Sendable {
  /// A change of the level.
  package struct Point: Equatable, Sendable {
    /// The position of the first value after the change.
    package let index: Int
    /// The positions within which the change lies with 95% confidence, from resampled parts.
    package let range: ClosedRange<Int>
    /// The share of permutations whose best split is at least as good.
    package let p: Double
    /// The medians before and after the change, up to the next change on each side, with the 95% CI of
    /// their difference.
    package let statistics: RunStatistics
  }

  /// The minimum number of values on each side of a change.
  package static let minimumSide = 3

  /// Returns whether a simulated eightfold step between sides of these sizes is found in nine of ten cases:
  /// 3 and 8, 4 and 7, 5 and 6 values suffice.
  package static func findsSteps(among count: Int) -> Bool { count >= 2 * minimumSide + 5 }
  /// The maximum number of values; of more, the last ones are examined.
  private static let maximumValues = 300
  /// The number of permutations and of resamples.
  private static let trials = 499
  /// The largest p of a change.
  private static let significance = 0.01

  /// The changes, ascending.
  package let points: [Point]

  /// Finds the changes in `values`.
  package init(in values: [Double]) {
    let skipped = max(0, values.count - Self.maximumValues)
    let values = Array(values[skipped...])
    var found: [(index: Int, p: Double)] = []
    var parts = [0..<values.count]
    var numbers = SeededGenerator(seed: 1)
    while let part = parts.popLast() {
      guard let split = Self.split(of: Array(values[part]), &numbers) else { continue }
      let index = part.lowerBound + split.index
      found.append((index, split.p))
      parts += [part.lowerBound..<index, index..<part.upperBound]
    }
    found.sort { $0.index < $1.index }
    let edges = [0] + found.map(\.index) + [values.count]
    points = found.indices.compactMap { place in
      let (start, end) = (edges[place], edges[place + 2])
      let index = found[place].index
      let (before, after) = (Array(values[start..<index]), Array(values[index..<end]))
      guard let statistics = RunStatistics(base: before, new: after) else { return nil }
      let range = Self.range(before, after, &numbers)
      return Point(
        index: skipped + index,
        range: (skipped + start + range.lowerBound)...(skipped + start + range.upperBound),
        p: found[place].p, statistics: statistics)
    }
  }

  /// The best split of `values` and its p, or `nil` if it is not significant.
  private static func split(
    of values: [Double], _ numbers: inout SeededGenerator
  ) -> (index: Int, p: Double)? {
    guard let best = bestSplit(of: values), best.energy > 0 else { return nil }
    var (shuffled, reached) = (values, 0)
    // The test ends as soon as the split cannot be significant anymore.
    let maximumReached = Int(significance * Double(trials + 1)) - 1
    for _ in 0..<trials where reached <= maximumReached {
      for index in stride(from: shuffled.count - 1, to: 0, by: -1) {
        shuffled.swapAt(index, numbers.next(below: index + 1))
      }
      if let other = bestSplit(of: shuffled), other.energy >= best.energy { reached += 1 }
    }
    guard reached <= maximumReached else { return nil }
    return (best.index, Double(reached + 1) / Double(trials + 1))
  }

  /// The 95% CI of the split's position, from parts resampled with replacement.
  private static func range(
    _ before: [Double], _ after: [Double], _ numbers: inout SeededGenerator
  ) -> ClosedRange<Int> {
    var places: [Int] = []
    for _ in 0..<trials {
      let first = before.map { _ in before[numbers.next(below: before.count)] }
      let second = after.map { _ in after[numbers.next(below: after.count)] }
      if let split = bestSplit(of: first + second) { places.append(split.index) }
    }
    places.sort()
    guard !places.isEmpty else { return before.count...before.count }
    return places[places.count * 25 / 1000]...places[places.count * 975 / 1000]
  }

  /// The split with the greatest energy distance, scaled by the sizes of both parts.
  ///
  /// - Complexity: O(*n*²).
  static func bestSplit(of values: [Double]) -> (index: Int, energy: Double)? {
    let count = values.count
    guard count >= 2 * minimumSide else { return nil }
    // The sums of distances within the left part, within the right part and between both.
    var (left, right, between) = (0.0, 0.0, 0.0)
    for index in values.indices {
      for other in index + 1..<count { right += abs(values[index] - values[other]) }
    }
    var best: (index: Int, energy: Double)?
    for index in 0..<(count - minimumSide) {
      var (toLeft, toRight) = (0.0, 0.0)
      for other in 0..<index { toLeft += abs(values[index] - values[other]) }
      for other in (index + 1)..<count { toRight += abs(values[index] - values[other]) }
      left += toLeft
      right -= toRight
      between += toRight - toLeft
      let (m, n) = (Double(index + 1), Double(count - index - 1))
      guard index + 1 >= minimumSide else { continue }
      let energy =
        m * n / (m + n)
        * (2 * between / (m * n) - 2 * left / (m * (m - 1)) - 2 * right / (n * (n - 1)))
      if energy > best?.energy ?? -.infinity { best = (index + 1, energy) }
    }
    return best
  }
}
