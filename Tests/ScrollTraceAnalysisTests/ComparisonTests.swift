import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// What differs between two recordings of one session (M-20, S-9).
@Suite struct ComparisonTests {
  /// Frame 2 decodes on the main thread and is one refresh late.
  static let onMain = analysis(
    """
    ms      0        16.667   33.333   50.000   66.667   83.333   100.000
    drag    [                                                     ]
    begin   1        2                 3        4
    done      1                   2      3        4
    due              1        2                 3        4
    target                    1        2                 3        4
    shown                     1                 2        3        4
    main    [x]      [decode......]    [x]      [x]
    end                                                           |
    """)

  /// The same session with the decoding on another thread.
  static let inBackground = analysis(
    """
    ms      0        16.667   33.333   50.000   66.667   83.333   100.000
    drag    [                                                     ]
    begin   1        2        3        4
    done      1        2        3        4
    due              1        2        3        4
    target                    1        2        3        4
    shown                     1        2        3        4
    main    [x]      [x]      [x]      [x]
    bg1              [decode.......]
    end                                                           |
    """)

  static func analysis(_ drawing: String) -> Analysis {
    TraceAnalyzer().analyze(DrawnTrace(hz: 60, drawing).trace())
  }

  private func compare(_ base: Analysis, _ new: Analysis) -> Comparison {
    Comparison(base: [base], new: [new])
  }

  private func milliseconds(_ value: MetricValue?) -> Double? {
    value?.time?.milliseconds.rounded()
  }

  @Test func `a recording compared with itself has no differences`() {
    for run in [Self.onMain, Self.inBackground] {
      let comparison = compare(run, run)
      #expect(comparison.notes.isEmpty)
      #expect(comparison.movedWork.isEmpty)
      #expect(comparison.isOfOneScenario == true)
      for metric in Metric.ofFrames + Metric.ofWork + Metric.perSecond {
        #expect(comparison[metric].isSame)
        #expect(comparison[metric].difference?.sign ?? 0 == 0)
      }
    }
  }

  @Test func `metrics have the difference of both sides`() {
    let comparison = compare(Self.onMain, Self.inBackground)
    #expect(comparison[.deadlineMisses].difference == .count(-1))
    #expect(comparison[.hitchesInMotion] == ComparedValue(base: .count(1), new: .count(0)))
    #expect(milliseconds(comparison[.hitchTime].base) == 17)
    #expect(comparison[.hitchTime].new == .time(.zero))
    #expect(comparison.notes.isEmpty)
  }

  @Test func `work that left the main thread for the background is reported as moved`() throws {
    let comparison = compare(Self.onMain, Self.inBackground)
    let moved = try #require(comparison.movedWork.first)
    #expect(comparison.movedWork.count == 1)
    #expect(moved.category == "test")
    #expect(moved.main < .zero && moved.background > .zero)
    let back = try #require(compare(Self.inBackground, Self.onMain).movedWork.first)
    #expect(back.main == .zero - moved.main && back.background == .zero - moved.background)
  }

  @Test func `M-12: main busy between commits is the sum of the work of all frames`() throws {
    let surface = try #require(Self.onMain.surfaces.first)
    let sum = surface.mainWork.reduce(into: TimeSpan.zero) { $0 += $1.busy }
    let comparison = compare(Self.onMain, Self.inBackground)
    #expect(comparison[.mainBusyBetweenCommits].base == .time(sum))
    #expect(comparison[.mainBusyBetweenCommits].base == comparison[.mainBusy].base)
    #expect(try #require(comparison[.mainBusyBetweenCommits].difference).sign < 0)
  }

  @Test func `causes disappear, and causes appear`() throws {
    let decode = CauseSummary.Kind.work(category: "test", name: "decode")
    let gone = try #require(
      compare(Self.onMain, Self.inBackground).causes.first { $0.kind == decode })
    #expect(gone.status == .gone)
    #expect(gone.hitchTime.new == .time(.zero))
    let appeared = try #require(
      compare(Self.inBackground, Self.onMain).causes.first { $0.kind == decode })
    #expect(appeared.status == .appeared)
    #expect(appeared.hitches.new == .count(1))
  }

  @Test func `a cause of a few runs of the base is not new, though their median is without it`() {
    let few = [Self.onMain, Self.inBackground, Self.inBackground]
    func status(_ base: [Analysis], _ new: [Analysis]) -> CauseStatus? {
      let decode = CauseSummary.Kind.work(category: "test", name: "decode")
      return Comparison(base: base, new: new).causes.first { $0.kind == decode }?.status
    }
    #expect(status(few, [Self.onMain, Self.onMain, Self.onMain]) == nil)
    #expect(status([Self.onMain, Self.onMain, Self.onMain], few) == nil)
    #expect(status(Array(few.dropFirst()), [Self.onMain]) == .appeared)
  }

  @Test func `a side without data is neither better nor worse (E-12, M-8)`() {
    let nothing = TraceAnalyzer().analyze(WorkedExamples.e12().trace())
    for (base, new, role) in [
      (Self.onMain, nothing, ComparisonSide.Role.new), (nothing, Self.onMain, .base),
    ] {
      let comparison = compare(base, new)
      #expect(comparison.notes.contains(.noData(role)))
      #expect(comparison[.hitchTimeRatio].difference == nil)
    }
  }

  @Test func `a surface that one side lacks is reported`() {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("other")
    builder.updateFrame(1, of: surface, start: .zero)
    let other = TraceAnalyzer().analyze(builder.finish())
    let comparison = compare(Self.onMain, other)
    #expect(comparison.notes.first == .noSurface("display", .new))
    #expect(comparison.isOfOneScenario == nil)
  }

  @Test func `M-20: several runs are compared by medians, and the median run is shown`() {
    let (late, good) = (Self.onMain, Self.inBackground)
    let comparison = Comparison(base: [late, good, late], new: [late, good])
    #expect(comparison[.deadlineMisses].base == .count(1))
    #expect(comparison[.deadlineMisses].new == .count(0.5))
    #expect(comparison.base.shownIndex == 0)
    #expect(comparison.new.shownIndex == 1)
    #expect(!comparison.isOfSingleRuns)
  }

  @Test func `runs without data are reported as excluded from the medians`() {
    let nothing = TraceAnalyzer().analyze(WorkedExamples.e12().trace())
    let comparison = Comparison(base: [Self.onMain], new: [Self.onMain, nothing])
    #expect(comparison.notes.contains(.runsWithoutData(.new, count: 1, of: 2)))
    #expect(comparison[.hitchTimeRatio].isSame)
  }

  @Test func `scenarios are compared by what was scrolled, not by its duration`() {
    func feed(_ length: String) -> Analysis {
      Self.analysis(
        """
        ms      0        16.667   33.333   50.000   \(length)
        drag    [                                   ]
        begin   1        2        3
        done      1        2        3
        due              1        2        3
        main    [x]      [x]      [x]
        end                                         |
        """)
    }
    let near = compare(feed("100.000"), feed("102.000"))
    #expect(near.isOfOneScenario == true)
    #expect(!near.needsPerSecond)
    let busy = compare(feed("100.000"), feed("140.000"))
    #expect(busy.isOfOneScenario == true)
    #expect(busy.needsPerSecond)
    #expect(busy[.mainBusy].isSame)
    #expect(busy[.mainBusyPerSecond].difference?.sign == -1)
    #expect(compare(feed("100.000"), feed("300.000")).isOfOneScenario == false)
  }

  @Test func `different refresh rates and a different basis are reported`() {
    let slow = Self.analysis(
      """
      ms      0        16.667   33.333   50.000   100.000
      drag    [                                   ]
      begin   1        2        3
      done      1        2        3
      due              1        2        3
      """)
    let fast = TraceAnalyzer().analyze(
      DrawnTrace(
        hz: 120,
        """
        ms      0        8.333    16.667   25.000   100.000
        drag    [                                   ]
        begin   1        2        3
        shown   1        2        3
        """
      ).trace())
    let comparison = compare(slow, fast)
    #expect(
      comparison.notes.contains(
        .otherRates(
          base: [TimeSpan(nanoseconds: 16_666_667)], new: [TimeSpan(nanoseconds: 8_333_333)])))
    #expect(comparison.notes.contains(.otherBasis(base: .deadline, new: .cadence)))
  }

  @Test func `sides with other thermal or power states are reported`() {
    func run(_ states: [(key: String, value: String?)]) -> Analysis {
      var trace = FindingTrace()
      for state in states { trace.state(state.key, state.value, at: 1) }
      return TraceAnalyzer().analyze(trace.trace())
    }
    let hot = run([("thermal", "serious"), ("lowPowerMode", "off")])
    let cool = run([("screen", "Feed"), ("thermal", "nominal"), ("thermal", nil)])
    #expect(
      compare(cool, hot).notes == [.otherDeviceState(key: "thermal", base: [], new: ["serious"])])
    #expect(compare(hot, hot).notes.isEmpty && compare(cool, run([])).notes.isEmpty)
  }

  @Test func `a category with another name and the same names of work is the same one`() {
    func run(_ category: String, _ name: String) -> Analysis {
      var trace = FindingTrace(late: [10, 20, 30])
      for frame in [10.0, 20, 30] {
        trace.span(category: category, name: name, frame * 10 + 1, 12)
      }
      return TraceAnalyzer().analyze(trace.trace())
    }
    let same = compare(run("app", "rebuild"), run("feed.app", "rebuild"))
    #expect(same.notes == [.renamedCategory(base: "app", new: "feed.app")])
    #expect(same.categories.contains { $0.category == "feed.app" })
    #expect(same.categories.allSatisfy { $0.isSame })
    #expect(same.causes.allSatisfy { $0.status == nil })
    #expect(!same.findings.isEmpty)
    #expect(same.findings.allSatisfy { $0.status == .unchanged })
    let other = compare(run("app", "rebuild"), run("feed.app", "layout"))
    #expect(other.notes.isEmpty)
    #expect(other.causes.contains { $0.status == .gone })
  }

  @Test func `the median of an even number of values lies between them`() {
    #expect(MetricValue.median(of: [.count(4), .count(1)]) == .count(2.5))
    #expect(
      MetricValue.median(of: [.time(.milliseconds(4)), .time(.milliseconds(1))])
        == .time(TimeSpan(nanoseconds: 2_500_000)))
    #expect(MetricValue.median(of: []) == nil)
    #expect(MetricValue.count(1).minus(.share(1)) == nil)
    #expect(ComparedValue(base: .count(4), new: .count(1)).relativeDifference == -0.75)
    #expect(ComparedValue(base: .count(0), new: .count(1)).relativeDifference == nil)
    #expect(ComparedValue(base: .count(1), new: .count(-1)).relativeDifference == nil)
    let greatest = MetricValue.time(TimeSpan(nanoseconds: .max))
    #expect(MetricValue.time(TimeSpan(nanoseconds: .min)).minus(greatest)?.sign == -1)
  }
}
