import ScrollTraceAnalysis
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceGate

/// M-20: the unit is the run.
@Suite struct RunStatisticsTests {
  /// Tables of the exact U distribution and SciPy 1.17's `mannwhitneyu(method='exact')`; with ties, counted
  /// over all orders of the values.
  @Test func `few runs are tested exactly, with ties and without`() async {
    await forEachCase(
      of: [
        ([1, 2, 3], [4, 5, 6], 9, 0.05),
        ([1, 2, 3, 4], [5, 6, 7, 8], 16, 0.014285714285714285),
        ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 25, 0.003968253968253968),
        ([1.1, 2.7, 3.2, 4.9, 8.8], [2.1, 5.5, 6.1, 7.3, 9.9, 10.4], 23, 0.08874458874458875),
        (
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5],
          85, 0.0034207278789322135
        ),
        ([0, 0, 0, 1, 2], [0, 1, 3, 4, 4], 20, 0.07142857142857142),
        ([1, 1, 1, 1], [2, 2, 2, 2], 16, 0.014285714285714285),
        ([3, 3, 4, 5, 6, 6], [1, 2, 3, 3, 4], 4.5, 0.9891774891774892),
        ([0, 0, 0, 0], [0, 0, 0, 0], 8, 1),
      ] as [([Double], [Double], Double, Double)]
    ) { try oneCase($0, $1, $2, $3) }
    @Sendable func oneCase(_ base: [Double], _ new: [Double], _ u: Double, _ p: Double) throws {
      let test = try #require(MannWhitney(base: base, new: new))
      #expect(test.u == u)
      #expect(abs(test.p - p) < 1e-9)
      let mirrored = try #require(MannWhitney(base: new, new: base))
      #expect(mirrored.u == Double(base.count * new.count) - u)
    }
  }

  /// SciPy 1.17's `mannwhitneyu(method='asymptotic')`.
  @Test func `many runs are tested by the normal distribution`() throws {
    let base = (0..<21).map(Double.init)
    let test = try #require(MannWhitney(base: base, new: base.map { $0 + 3.5 }))
    #expect(test.u == 288)
    #expect(abs(test.p - 0.04595237716439967) < 1e-9)
  }

  @Test
  func `the confidence interval of the difference agrees with two hundred thousand resamples`()
    throws
  {
    let statistics = try #require(
      RunStatistics(
        base: [10, 12, 9, 11, 14, 10.5, 13, 9.5], new: [14, 16, 13.5, 15, 18, 12.5, 17, 13.2]))
    #expect(statistics.newMedian == 14.5 && statistics.baseMedian == 10.75)
    // NumPy: 1.25 ... 6.25.
    #expect(abs(statistics.confidenceInterval.lowerBound - 1.25) < 0.15)
    #expect(abs(statistics.confidenceInterval.upperBound - 6.25) < 0.15)
  }

  @Test func `the same runs give the same bits in any order`() throws {
    let (base, new) = ([3.0, 1, 2, 5, 4], [7.0, 6, 9, 8, 2.5])
    let first = try #require(RunStatistics(base: base, new: new))
    #expect(first == RunStatistics(base: base.reversed(), new: new.sorted()))
    #expect(
      Self.rule.detectableIncrease(base: base, new: new)
        == Self.rule.detectableIncrease(base: base.reversed(), new: new.sorted()))
  }

  @Test func `identical runs do not differ, and no runs have no statistics`() throws {
    let same = try #require(RunStatistics(base: [2, 2, 2, 2], new: [2, 2, 2, 2]))
    #expect(same.newMedian == same.baseMedian && same.confidenceInterval == 0...0)
    #expect(RunStatistics(base: [], new: [1]) == nil)
    #expect(RunStatistics(base: [.nan], new: [1]) == nil)
  }

  private static let rule = RegressionRule(.init(relative: 0.1, absolute: 1))

  @Test func `M-21: worse means beyond both tolerances and not by chance`() throws {
    func isWorse(_ base: [Double], _ new: [Double], higherIsBetter: Bool = false) -> Bool {
      RegressionRule(.init(relative: 0.1, absolute: 1), higherIsBetter: higherIsBetter)
        .isWorse(base: base, new: new)
    }
    // 20 % worse, but by less than one.
    #expect(!isWorse([2, 2.1, 2.05, 2.15], [2.4, 2.5, 2.45, 2.55]))
    // Two worse, but by less than a tenth.
    #expect(!isWorse([100, 100.1, 100.2, 100.3], [102, 102.1, 102.2, 102.3]))
    // Far worse in the middle, and still perhaps by chance.
    #expect(!isWorse([1, 9, 2, 10], [2.5, 11, 1.5, 30]))
    #expect(isWorse([0, 0, 0, 0], [5, 5, 5, 5]))
    #expect(!isWorse([5, 5, 5, 5], [0, 0, 0, 0]))
    #expect(isWorse([5, 5, 5, 5], [0, 0, 0, 0], higherIsBetter: true))
    // E-11: no order of three runs per side is rare enough.
    #expect(!isWorse([1, 2, 3], [40, 50, 60]))
  }

  @Test func `M-21: runs that differ as often by chance raise no doubt`() {
    let base = [5.0, 6, 8, 9, 12]
    #expect(!Self.rule.mayBeWorse(base: base, new: [5, 7, 11, 12, 13]))
    let doubtful = [9.5, 9.6, 11, 12, 13]
    #expect(Self.rule.mayBeWorse(base: base, new: doubtful))
    #expect(!Self.rule.isWorse(base: base, new: doubtful))
    // Half of the runs are far worse than any before.
    #expect(Self.rule.mayBeWorse(base: [5, 5.1, 5.2, 5.3], new: [5, 5, 10, 10]))
    // The median is within twice the tolerance.
    #expect(!Self.rule.mayBeWorse(base: [5, 5, 5, 5], new: [6.5, 6.5, 6.5, 6.5]))
  }

  @Test func `a change of a part is a percentage, and a larger one is the difference`() {
    let ratio = Metric.hitchTimeRatio
    #expect(GateNumber.increase(3, over: 10, ratio) == "+30%")
    #expect(GateNumber.increase(3.2, over: 0.4, ratio) == "+3.20 ms/s")
    #expect(GateNumber.increase(9.5, over: 0, ratio) == "+9.50 ms/s")
    #expect(GateNumber.increase(30, over: 60, .named("framesPerSecond.average")!) == "-50%")
  }

  @Test func `M-21: the detectable increase is what the test finds in four of five cases`() {
    func increase(_ base: [Double], _ new: [Double]) -> Double {
      Self.rule.detectableIncrease(
        base: base, new: new, resamples: ExtraCases.isThorough ? 1_000 : 250)
    }
    let base = [20.0, 21, 22, 23, 24]
    let usual = increase(base, base)
    #expect((4...8).contains(usual), "\(usual)")
    // More runs show less, and noise hides more.
    let many = base + base + base
    #expect(increase(many, many) < usual)
    let wide = base.map { $0 < 22 ? $0 / 2 : $0 * 2 }
    #expect(increase(wide, wide) > 2 * usual)
    // An estimate of how many runs would do is one of runs that do.
    let wanted = increase(wide, wide) / 2
    let runs = Self.rule.runsPerSide(toShow: wanted, base: wide, new: wide)
    #expect((10...40).contains(runs ?? 0), "\(runs ?? 0)")
    let copies = [[Double]](repeating: wide, count: (runs ?? 0) / 5 + 1).flatMap(\.self)
    #expect(increase(copies, copies) < wanted * 1.2)
    #expect(Self.rule.runsPerSide(toShow: 0.5, base: wide, new: wide) == nil)
    // What is added to runs without any is told as it is.
    let zeros = [0.0, 0, 0, 0]
    #expect(abs(increase(zeros, zeros) - 1) < 0.01)
    #expect(increase([], zeros) == .infinity)
    _ = increase(
      [.greatestFiniteMagnitude, -1e308, 0], [.leastNonzeroMagnitude, -.greatestFiniteMagnitude])
  }
}
