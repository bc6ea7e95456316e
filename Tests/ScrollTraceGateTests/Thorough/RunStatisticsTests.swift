import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceGate

/// M-20: the unit is the run.
@Suite struct RunStatisticsTests {
  /// Tables of the exact U distribution and SciPy 1.17's `mannwhitneyu(method='exact')`.
  @Test func `few runs without ties are tested exactly`() async {
    await forEachCase(
      of: [
        ([1, 2, 3], [4, 5, 6], 9, 0.1),
        ([1, 2, 3, 4], [5, 6, 7, 8], 16, 0.02857142857142857),
        ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 25, 0.007936507936507936),
        ([1.1, 2.7, 3.2, 4.9, 8.8], [2.1, 5.5, 6.1, 7.3, 9.9, 10.4], 23, 0.17748917748917747),
        (
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5],
          85,
          0.006841455757864427
        ),
      ] as [([Double], [Double], Double, Double)]
    ) { try oneCase($0, $1, $2, $3) }
    @Sendable func oneCase(_ base: [Double], _ new: [Double], _ u: Double, _ p: Double) throws {
      let test = try #require(MannWhitney(base: base, new: new))
      #expect(test.isExact)
      #expect(test.u == u)
      #expect(abs(test.p - p) < 1e-12)
      let mirrored = try #require(MannWhitney(base: new, new: base))
      #expect(mirrored.u == Double(base.count * new.count) - u)
      #expect(abs(mirrored.p - p) < 1e-12)
    }
  }

  /// SciPy 1.17's `mannwhitneyu(method='asymptotic')`.
  @Test func `ties are tested by the normal distribution with their correction`() async {
    await forEachCase(
      of: [
        ([0, 0, 0, 1, 2], [0, 1, 3, 4, 4], 20, 0.12888507323288942),
        ([1, 1, 1, 1], [2, 2, 2, 2], 16, 0.013123806784370716),
        ([3, 3, 4, 5, 6, 6], [1, 2, 3, 3, 4], 4.5, 0.06042645450639293),
        ([0, 0, 0, 0], [0, 0, 0, 0], 8, 1),
      ] as [([Double], [Double], Double, Double)]
    ) { try oneCase($0, $1, $2, $3) }
    @Sendable func oneCase(_ base: [Double], _ new: [Double], _ u: Double, _ p: Double) throws {
      let test = try #require(MannWhitney(base: base, new: new))
      #expect(!test.isExact)
      #expect(test.u == u)
      #expect(abs(test.p - p) < 1e-9)
    }
  }

  @Test func `many runs are tested by the normal distribution`() throws {
    let base = (0..<21).map(Double.init)
    let test = try #require(MannWhitney(base: base, new: base.map { $0 + 3.5 }))
    #expect(!test.isExact)
    #expect(test.u == 288)
    #expect(abs(test.p - 0.09190475432879934) < 1e-9)
  }

  @Test
  func `the confidence interval of the difference agrees with two hundred thousand resamples`()
    throws
  {
    let statistics = try #require(
      RunStatistics(
        base: [10, 12, 9, 11, 14, 10.5, 13, 9.5], new: [14, 16, 13.5, 15, 18, 12.5, 17, 13.2]))
    #expect(statistics.difference == 3.75)
    #expect(abs((statistics.ratio ?? 0) - 14.5 / 10.75) < 1e-12)
    // NumPy: 1.25 ... 6.25, standard error 1.296.
    #expect(abs(statistics.confidenceInterval.lowerBound - 1.25) < 0.15)
    #expect(abs(statistics.confidenceInterval.upperBound - 6.25) < 0.15)
    #expect(abs(statistics.smallestDetectableChange - 2.802 * 1.296) < 0.1)
  }

  @Test func `the same runs give the same bits in any order`() throws {
    let (base, new) = ([3.0, 1, 2, 5, 4], [7.0, 6, 9, 8, 2.5])
    let first = try #require(RunStatistics(base: base, new: new))
    #expect(first == RunStatistics(base: base.reversed(), new: new.sorted()))
    let other = try #require(RunStatistics(base: base, new: new, seed: 2))
    #expect(first.smallestDetectableChange != other.smallestDetectableChange)
  }

  @Test func `identical runs are conclusive and have no ratio of zeros`() throws {
    let same = try #require(RunStatistics(base: [2, 2, 2, 2], new: [2, 2, 2, 2]))
    #expect(same.difference == 0 && same.confidenceInterval == 0...0 && same.test.p == 1)
    #expect(same.smallestDetectableChange == 0)
    let zeros = try #require(RunStatistics(base: [0, 0, 0, 0], new: [0, 0, 0, 0, 0]))
    #expect(zeros.ratio == nil && zeros.test.p == 1)
    #expect(RunStatistics(base: [], new: [1]) == nil)
    #expect(RunStatistics(base: [.nan], new: [1]) == nil)
  }

  @Test func `Holm's correction multiplies by the number of remaining tests`() {
    #expect(Holm.corrected([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02])
    #expect(Holm.corrected([0.9, 0.8]) == [1, 1])
    #expect(Holm.corrected([]).isEmpty)
  }

  private func status(
    _ base: [Double], _ new: [Double], relative: Double = 0.1, absolute: Double = 1,
    higherIsBetter: Bool = false
  ) throws -> Verdict.Status {
    let statistics = try #require(RunStatistics(base: base, new: new))
    let question = RegressionRule.Question(
      statistics,
      tolerance: RegressionRule.Tolerance(relative: relative, absolute: absolute),
      higherIsBetter: higherIsBetter)
    return RegressionRule.answers(to: [question])[0].status
  }

  @Test func `E-11: three runs per side are not enough`() throws {
    #expect(try status([1, 2, 3], [40, 50, 60]) == .tooFewRuns)
    #expect(try status([1, 2, 3, 4], [40, 50, 60, 70]) == .failed)
  }

  @Test func `M-21: worse means beyond both tolerances and statistically significant`() throws {
    // 20 % worse, but by less than one.
    #expect(try status([2, 2.1, 2.05, 2.15], [2.4, 2.5, 2.45, 2.55]) == .passed)
    // Two worse, but by less than a tenth.
    #expect(try status([100, 100.1, 100.2, 100.3], [102, 102.1, 102.2, 102.3]) == .passed)
    // Far worse in the middle, and still perhaps by chance.
    #expect(try status([1, 9, 2, 10], [2.5, 11, 1.5, 30]) != .failed)
    #expect(try status([0, 0, 0, 0], [5, 5, 5, 5]) == .failed)
    #expect(try status([5, 5, 5, 5], [0, 0, 0, 0]) == .passed)
    #expect(try status([5, 5, 5, 5], [0, 0, 0, 0], higherIsBetter: true) == .failed)
  }

  @Test func `runs that cannot show a change of the tolerance's size are inconclusive, not passed`()
    throws
  {
    let (wide, other) = ([10.0, 30, 12, 28, 20], [11.0, 29, 13, 27, 20.5])
    let statistics = try #require(RunStatistics(base: wide, new: other))
    #expect(statistics.smallestDetectableChange > 2)
    let answer = RegressionRule.answers(to: [
      RegressionRule.Question(
        statistics, tolerance: RegressionRule.Tolerance(relative: 0.1, absolute: 1))
    ])[0]
    #expect(answer.status == .inconclusive && answer.isTooNoisy)
    // A tolerance that the runs can show is passed, and so are runs that are shown to be better.
    #expect(try status(wide, other, absolute: 60) == .passed)
    #expect(try status([110, 130, 112, 128, 120], [10, 30, 12, 28, 20], relative: 0) == .passed)
  }

  @Test func `tests made together need more to be significant`() throws {
    let statistics = try #require(RunStatistics(base: [1, 2, 3, 4], new: [41, 52, 63, 74]))
    let question = RegressionRule.Question(
      statistics, tolerance: RegressionRule.Tolerance(relative: 0.1, absolute: 1))
    let few = RegressionRule.answers(to: [question, question, question])
    #expect(few.allSatisfy { $0.status == .failed })
    // Four runs a side can be ordered in 70 ways: not one of them is rarer than 0.05 / 4.
    let many = RegressionRule.answers(to: [question, question, question, question])
    #expect(many.allSatisfy { $0.status == .tooFewRuns && $0.fewestRuns == 5 })
    let more = try #require(RunStatistics(base: [1, 2, 3, 4, 5], new: [41, 52, 63, 74, 85]))
    let five = RegressionRule.Question(more, tolerance: question.tolerance)
    #expect(
      RegressionRule.answers(to: [five, five, five, five]).allSatisfy { $0.status == .failed })
  }

  @Test func `the more tests are made at once, the more runs they need`() async {
    await forEachCase(of: [(1, 4), (3, 4), (4, 5), (12, 5), (13, 6), (46, 6), (47, 7)]) {
      try oneCase($0, $1)
    }
    @Sendable func oneCase(_ questions: Int, _ runs: Int) throws {
      #expect(RunStatistics.fewestRuns(for: questions, level: RegressionRule.level) == runs)
    }
  }
}
