import ScrollTraceLayout

/// The rule by which runs are worse than their baseline, not only by chance (M-21).
///
/// A metric is worse if a one-sided test finds the new values higher than the baseline's made worse by
/// the tolerance.
package struct RegressionRule: Hashable, Sendable {
  /// The probability, at most, that runs fail which are worse by just the tolerance.
  private static let level = 0.05
  /// The same of what may be worse.
  private static let levelOfDoubt = 0.2
  /// The part of cases in which a detectable increase is found.
  private static let power = 0.8

  /// The change for the worse that is tolerated.
  package struct Tolerance: Hashable, Sendable {
    /// The tolerance relative to the base.
    package let relative: Double
    /// The absolute tolerance, which is needed because a good base is zero.
    package let absolute: Double

    /// Creates a tolerance. A change must exceed both.
    package init(relative: Double, absolute: Double) {
      self.relative = relative
      self.absolute = absolute
    }

    /// The largest tolerated difference.
    func margin(at base: Double) -> Double { max(relative * base.magnitude, absolute) }
  }

  private let tolerance: Tolerance
  private let higherIsBetter: Bool

  package init(_ tolerance: Tolerance, higherIsBetter: Bool = false) {
    self.tolerance = tolerance
    self.higherIsBetter = higherIsBetter
  }

  /// Returns the probability that `new` is worse than `base` and the tolerance by this much by chance.
  package func p(base: [Double], new: [Double]) -> Double {
    MannWhitney(base: base.map(worse), new: new.map(signed))?.p ?? 1
  }

  /// Returns whether `new` is worse than `base` by more than the tolerance.
  package func isWorse(base: [Double], new: [Double]) -> Bool {
    p(base: base, new: new) < Self.level
  }

  /// Returns whether `new` may be worse than `base`: its median is by more than twice the tolerance, and either that
  /// is not often by chance, or the median is worse than any run of the base made worse by the tolerance.
  func mayBeWorse(base: [Double], new: [Double]) -> Bool {
    guard let old = RunValues(base.map(signed)), let now = RunValues(new.map(signed)),
      let worst = base.map(worse).max()
    else { return false }
    return now.median - old.median > 2 * tolerance.margin(at: old.median)
      && (now.median > worst || p(base: base, new: new) < Self.levelOfDoubt)
  }

  /// The value as one that is worse if it is higher.
  private func signed(_ value: Double) -> Double { higherIsBetter ? -value : value }

  private func worse(_ value: Double) -> Double { signed(value) + tolerance.margin(at: value) }

  /// Returns the increase over the base's median that as many runs with this spread would show in four
  /// of five cases, from resampled runs.
  ///
  /// - Parameters:
  ///   - runs: The number of runs per side, or `nil` for as many as there are.
  package func detectableIncrease(
    base: [Double], new: [Double], runs: Int? = nil, resamples: Int = 1_000
  ) -> Double {
    guard let base = RunValues(base.map(signed)), let new = RunValues(new.map(signed)) else {
      return .infinity
    }
    let worse = RunValues(base.sorted.map { $0 + tolerance.margin(at: $0) })?.sorted ?? []
    let (baseCount, newCount) = (runs ?? base.count, runs ?? new.count)
    let required = MannWhitney.smallestSignificantU(
      base: baseCount, new: newCount, level: Self.level)
    var numbers = SeededGenerator(seed: 1)
    let pairs = (0..<(base.isConstant && new.isConstant ? 1 : resamples)).map { _ in
      (
        base: Self.resample(worse, count: baseCount, &numbers),
        new: Self.resample(new.sorted, count: newCount, &numbers)
      )
    }
    func increase(_ changed: (Double, Double) -> Double) -> Double {
      let all = pairs.map { pair in
        Self.smallest { change in
          Self.u(base: pair.base, new: pair.new.map { changed($0, change) }) >= required
        }
      }.sorted()
      return all[Int(Double(all.count - 1) * Self.power)]
    }
    let (old, now) = (base.median, new.median)
    if old > 0, now > 0 {
      // Slower code is slower in proportion, and varies as much more.
      let share = increase { $0 * old / now * (1 + $1) }
      if share.isFinite { return share * old }
    }
    // Of runs of which some have none, only a sum that is added to each can be told.
    let unit = max(tolerance.absolute, tolerance.margin(at: old), .leastNormalMagnitude)
    return increase { $0 - now + old + $1 * unit } * unit
  }

  /// Returns how many runs per side with this spread would show an increase of at most `maximum` in four of
  /// five cases, or `nil` if more than a hundred would be needed.
  package func runsPerSide(toShow maximum: Double, base: [Double], new: [Double]) -> Int? {
    func isEnough(_ runs: Int) -> Bool {
      detectableIncrease(base: base, new: new, runs: runs, resamples: 200) <= maximum
    }
    var (low, high) = (min(base.count, new.count), 100)
    guard low < high, isEnough(high) else { return nil }
    while high - low > 1 {
      let middle = (low + high) / 2
      if isEnough(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// Returns the smallest change to a thousandth for which `isFound` holds, which is monotonic, or
  /// infinity.
  private static func smallest(_ isFound: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1.0)
    guard !isFound(low) else { return low }
    while !isFound(high) {
      (low, high) = (high, high * 2)
      guard high < 1e6 else { return .infinity }
    }
    while high - low > 0.001 * max(1, low) {
      let middle = (low + high) / 2
      if isFound(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// `count` of `sorted`, drawn with replacement, ascending.
  private static func resample(
    _ sorted: [Double], count: Int, _ numbers: inout SeededGenerator
  ) -> [Double] {
    var counts = [Int](repeating: 0, count: sorted.count)
    for _ in 0..<count { counts[numbers.next(below: sorted.count)] += 1 }
    return zip(sorted, counts).flatMap { repeatElement($0, count: $1) }
  }

  /// The number of pairs in which the new value is higher; both sides ascend.
  private static func u(base: [Double], new: [Double]) -> Double {
    var (lower, pairs) = (0, 0)
    for value in new {
      while lower < base.count, base[lower] < value { lower += 1 }
      pairs += lower
    }
    return Double(pairs)
  }
}
