import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-21: limits, regressions and the verdict that they come to.
@Suite struct BudgetTests {
  /// E-1: 200.04 ms/s in an interaction of 0.5 s.
  private static let hitching = TraceAnalyzer().analyze(WorkedExamples.e1().trace())
  /// E-2: no miss.
  private static let smooth = TraceAnalyzer().analyze(WorkedExamples.e2().trace())
  private static let withoutData = TraceAnalyzer().analyze(WorkedExamples.e12().trace())

  private func limit(
    _ name: String, _ bound: Double, _ level: LimitResult.Level = .error
  ) throws -> Budget.Limit {
    Budget.Limit(try #require(BudgetMetric.named(name)), bound, level: level)
  }

  private func verdict(_ runs: [Analysis], _ limits: [Budget.Limit]) -> Verdict {
    Budget(rules: [Budget.Rule(limits: limits)]).verdict(on: runs)
  }

  @Test func `a limit is kept at the limit itself and not above`() throws {
    let time = try #require(Self.hitching.evaluatedPrimarySurface?.hitchTime).milliseconds
    let kept = verdict([Self.hitching], [try limit("hitchTimeNs", time)])
    #expect(kept.status == .pass)
    #expect(kept.results[0].value == time && kept.results[0].runs == 1)
    let broken = verdict([Self.hitching], [try limit("hitchTimeNs", time - 0.000001)])
    #expect(broken.status == .fail)
    #expect(broken.reasons.count == 1)
    #expect(broken.reasons[0].contains("hitchTimeNs 100.02 ms is over the limit of"))
  }

  @Test func `a warning is told and decides nothing`() throws {
    let verdict = verdict(
      [Self.hitching], [try limit("hitchTimeRatioMsPerS", 5, .warn), try limit("hitches", 100)])
    #expect(verdict.status == .pass)
    #expect(verdict.results.map(\.status) == [.fail, .pass])
    #expect(verdict.reasons[0] == "the limit is kept")
    #expect(verdict.reasons[1].hasPrefix("warning: hitchTimeRatioMsPerS 200.04 ms/s"))
    #expect(try self.verdict([Self.hitching], [limit("hitches", 0, .off)]).status == .notEvaluated)
  }

  @Test func `presets warn from the first limit of the bands and fail above the second, M-6`() {
    for (preset, limits) in [(RatingThresholds.scroll, [5.0, 10]), (.organizer, [10, 25])] {
      let budget = Budget(preset: preset)
      #expect(budget.rules[0].limits.map(\.bound) == limits)
      #expect(budget.rules[0].limits.map(\.level) == [.warn, .error])
      #expect(budget.verdict(on: [Self.hitching]).status == .fail)
      #expect(budget.verdict(on: [Self.smooth]).status == .pass)
    }
  }

  @Test func `no data is no pass, E-12`() throws {
    let verdict = verdict([Self.withoutData], [try limit("hitchTimeRatioMsPerS", 1000)])
    #expect(verdict.status == .notEvaluated)
    #expect(verdict.results[0].value == nil)
    #expect(verdict.reasons == ["hitchTimeRatioMsPerS: no data, no frame could be judged"])
    #expect(Budget().verdict(on: [Self.smooth]).status == .notEvaluated)
  }

  @Test func `the median of runs is judged, and runs without data are named`() throws {
    let runs = [Self.hitching, Self.smooth, Self.smooth, Self.withoutData]
    let verdict = verdict(runs, [try limit("hitchTimeNs", 1)])
    #expect(verdict.status == .pass)
    #expect(verdict.results[0].runs == 3)
    #expect(verdict.results[0].reason.hasSuffix("1 of 4 runs do not know it"))
  }

  @Test func `a limit inside the uncertainty of four runs leaves doubt`() throws {
    let limits = [try limit("hitchTimeNs", 10)]
    let (bad, good) = (Self.hitching, Self.smooth)
    #expect(verdict([bad, bad, bad, bad], limits).status == .fail)
    #expect(verdict([bad, bad, bad, good], limits).status == .inconclusive)
    #expect(verdict([good, good, good, good], limits).status == .pass)
  }

  @Test func `limits can be for interactions, surfaces and states`() throws {
    let drag = BudgetSubject.interaction("drag")
    func status(_ subject: BudgetSubject, _ name: String) throws -> Verdict.Status {
      Budget(rules: [Budget.Rule(subject: subject, limits: [try limit(name, 0)])])
        .verdict(on: [Self.hitching]).status
    }
    #expect(try status(drag, "hitchTimeRatioMsPerS") == .fail)
    #expect(try status(.interaction("d*g"), "hitches") == .fail)
    #expect(try status(.interaction("fling"), "hitches") == .notEvaluated)
    #expect(try status(.surface("disp*"), "hitches") == .fail)
    #expect(try status(.state(key: "screen", value: "Feed"), "hitches") == .notEvaluated)
    #expect(BudgetMetric.named("commitNs.p95")?.isKnown(of: drag) == false)
    #expect(BudgetMetric.named("mainShare")?.isKnown(of: drag) == true)
  }

  @Test func `rules that fit no trace warn, and are no pass where nothing else was asked`() throws {
    let hitches = try limit("hitches", 1000)
    let idle = Budget.Rule(traces: "other*", limits: [hitches])
    let both = Budget(rules: [Budget.Rule(limits: [hitches]), idle]).verdict(on: [Self.smooth])
    #expect(both.status == .pass)
    #expect(both.results.map(\.status) == [.pass, .notEvaluated])
    #expect(both.results[1].level == .warn && both.results[1].subject == "traces other*")
    #expect(both.reasons[0] == "the limit is kept")
    #expect(both.reasons[1].contains("no trace fits 'other*'; there are "))
    let alone = Budget(rules: [idle]).verdict(on: [Self.smooth])
    #expect(alone.status == .notEvaluated && alone.results[0].level == .error)
    let warned = try limit("hitches", 1000, .warn)
    let weak = Budget(rules: [Budget.Rule(limits: [warned]), idle]).verdict(on: [Self.smooth])
    #expect(weak.status == .notEvaluated)
    let empty = Budget(rules: [Budget.Rule(limits: [hitches]), Budget.Rule(traces: "other*")])
    #expect(empty.verdict(on: [Self.smooth]).notes.map(\.kind) == [.rules])
  }

  @Test func `runs of different sessions are told with their range, M-20`() throws {
    let mixed = verdict([Self.hitching, Self.smooth, Self.smooth], [try limit("hitchTimeNs", 1)])
    #expect(mixed.status == .pass)
    #expect(mixed.notes.map(\.kind) == [.sessions])
    #expect(mixed.notes[0].text.hasPrefix("1 of 3 runs recorded another session than "))
    let range = try #require(mixed.results[0].range)
    #expect(range.lowerBound == 0 && abs(range.upperBound - 100.02) < 1e-9)
    let same = verdict([Self.smooth, Self.smooth], [try limit("hitchTimeNs", 1)])
    #expect(same.notes.isEmpty && same.results[0].range == 0...0)
    #expect(verdict([Self.smooth], [try limit("hitchTimeNs", 1)]).results[0].range == nil)
  }

  @Test func `too few runs are told once, behind what is known of the limits`() throws {
    let metrics = try ["hitchTimeRatioMsPerS", "hitchTimeNs"].map {
      Budget.Regression(
        try #require(BudgetMetric.named($0)), relative: 0.1, absolute: 1)
    }
    let baseline = (0..<5).map { _ in
      RunValuesByMetric(
        trace: "", values: ["": ["hitchTimeRatioMsPerS": 40.91, "hitchTimeNs": 20]])
    }
    func reasons(_ bound: Double) throws -> [String] {
      Budget(rules: [Budget.Rule(limits: [try limit("hitches", bound)], regressions: metrics)])
        .verdict(on: [Self.hitching], baseline: baseline).reasons
    }
    #expect(
      try reasons(1000) == [
        "the limit is kept",
        "not compared with the baseline: 1 new run against 5, it takes 4 a side",
      ])
    #expect(try reasons(0).first?.hasPrefix("hitches ") == true)
  }

  @Test func `times that milliseconds would not show are told in nanoseconds`() throws {
    let verdict = verdict([Self.hitching], [try limit("hitchTimeNs", 0.000_012)])
    #expect(
      verdict.reasons[0].hasSuffix(
        "is over the limit of 12 ns; a number without a unit is in nanoseconds"))
  }

  @Test func `M-21: what a source tells itself can have a limit`() throws {
    func told(_ values: [(String, Double, String)]) -> Analysis {
      var builder = TraceBuilder(format: "macrobenchmark")
      builder.addAggregate(Aggregate("runs", unit: "", values: [1, 2], source: "a"))
      for (metric, value, source) in values {
        builder.addAggregate(Aggregate(metric, unit: "ms", values: [value], source: source))
      }
      return TraceAnalyzer().analyze(builder.finish())
    }
    let run = told([("overrunP99", -2.5, "a"), ("overrunP99", 4, "b"), ("fps", 50, "a")])
    func status(
      _ name: String, _ bound: Double, _ subject: BudgetSubject = .primary
    ) throws -> Verdict.Status {
      let rule = Budget.Rule(subject: subject, limits: [try limit(name, bound)])
      return Budget(rules: [rule]).verdict(on: [run]).status
    }
    #expect(try status("told.overrunP99", 4) == .pass)
    #expect(try status("told.overrunP99", 3) == .fail, "of several sources the worst counts")
    #expect(try status("told.overrunP99", -2, .surface("a*")) == .pass)
    #expect(try status("told.fps", 50) == .pass)
    #expect(try status("told.fps", 51) == .fail)
    #expect(try status("told.runs", 5) == .notEvaluated, "of several values none is the number")
    #expect(try status("hitchTimeRatioMsPerS", 5) == .notEvaluated)
    let unknown = verdict([run], [try limit("told.other", 5)]).results[0]
    #expect(unknown.status == .notEvaluated)
    #expect(unknown.reason == "told.other: no trace tells it; there are overrunP99, fps")
    #expect(BudgetMetric.named("told.") == nil)
  }

  @Test func `a verdict with a note that is an error is no pass, and a failure stays one`() throws {
    let note = VerdictNote(.baseline, .error, "not compared")
    let kept = verdict([Self.smooth], [try limit("hitches", 5)]).results
    let broken = verdict([Self.hitching], [try limit("hitches", 0)]).results
    #expect(Verdict(summing: kept, notes: [note]).status == .notEvaluated)
    #expect(Verdict(summing: kept, notes: [note]).reasons == ["not compared"])
    #expect(Verdict(summing: broken, notes: [note]).status == .fail)
    #expect(Verdict(summing: broken, notes: [note]).reasons.last == "not compared")
  }

  @Test func `every metric has a name of its own, and times say so`() {
    #expect(Set(BudgetMetric.all.map(\.name)).count == BudgetMetric.all.count)
    for metric in BudgetMetric.all {
      let isTime = metric.name.contains("Ns")
      #expect((metric.unit == .time) == isTime, "\(metric.name)")
    }
  }

  private func regression(_ base: [Double], _ runs: [Analysis]) throws -> LimitResult {
    let metric = try #require(BudgetMetric.named("hitchTimeRatioMsPerS"))
    let baseline = base.map {
      RunValuesByMetric(trace: "", values: ["": ["hitchTimeRatioMsPerS": $0]])
    }
    let rule = Budget.Rule(
      regressions: [Budget.Regression(metric, relative: 0.1, absolute: 1)])
    return Budget(rules: [rule]).verdict(on: runs, baseline: baseline).results[0]
  }

  @Test func `runs are held against those of the baseline`() throws {
    let four = [Analysis](repeating: Self.hitching, count: 4)
    #expect(try regression([1, 2, 3, 4], four).status == .fail)
    #expect(try regression([1, 2, 3, 4], four).confidenceInterval != nil)
    #expect(try regression([199, 200, 201, 202], four).status == .pass)
    #expect(try regression([300, 310, 320, 330], four).status == .pass)
    let few = try regression([1, 2, 3], four)
    #expect(few.status == .notEnoughRuns && few.confidenceInterval == nil)
    #expect(few.reason.contains("3 runs and 4 are too few"))
    #expect(try regression([], four).status == .notEvaluated)
    #expect(try regression([1, 2, 3, 4], [Self.withoutData]).status == .notEvaluated)
  }

  @Test func `what a baseline keeps of a run is what the gate reads from it`() throws {
    let kept = RunValuesByMetric(
      of: Self.hitching, subjects: [.primary, .interaction("drag"), .interaction("no")])
    #expect(kept.values.keys.sorted() == ["", "interaction drag"])
    let ratio = try #require(kept.values[""]?["hitchTimeRatioMsPerS"])
    #expect(abs(ratio - 200.04) < 1e-9)
    #expect(kept.values[""]?["commitNs.p95"] == nil)
    let commits = RunValuesByMetric(of: Self.smooth, subjects: [.primary])
    #expect(commits.values[""]?["commitNs.p95"] != nil)
  }

  @Test func `unlike fingerprints say which field differs`() {
    let refresh = [TimeSpan(nanoseconds: 16_666_667)]
    let print = Fingerprint(
      refreshIntervals: refresh, device: "phone", configuration: nil, tool: "1")
    func difference(
      _ refreshIntervals: [TimeSpan] = refresh, device: String? = "phone", configuration: String? = nil,
      tool: String = "1"
    ) -> String? {
      print.difference(
        from: Fingerprint(
          refreshIntervals: refreshIntervals, device: device, configuration: configuration, tool: tool))
    }
    #expect(difference() == nil)
    #expect(difference([TimeSpan(nanoseconds: 16_700_000)]) == nil)
    #expect(
      difference([TimeSpan(nanoseconds: 8_333_333)])
        == "refresh rate: the baseline has 60 Hz, these traces have 120 Hz")
    #expect(
      difference(device: nil) == "device: the baseline has 'phone', these traces have unknown")
    #expect(difference(configuration: "debug")?.hasPrefix("configuration: ") == true)
    #expect(difference(tool: "2")?.hasPrefix("tool: ") == true)
  }
}
