import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceGate

/// M-21: limits, regressions and the verdict that they come to.
@Suite struct BudgetTests {
  /// E-1: 200.04 ms/s in an interaction of 0.5 s.
  private static let hitching = TraceAnalyzer().analyze(WorkedExamples.e1().trace())
  /// Two seconds without a miss.
  private static let smooth = TraceAnalyzer().analyze(smoothTrace(frames: 120).trace())
  /// E-2: no miss, and too few frames to say more.
  private static let short = TraceAnalyzer().analyze(WorkedExamples.e2().trace())
  private static let withoutData = TraceAnalyzer().analyze(WorkedExamples.e12().trace())

  /// Frames that meet their deadlines.
  private static func smoothTrace(frames: Int64) -> DrawnTrace {
    var drawn = DrawnTrace(refreshInterval: 16_666_667)
    for id in 0..<frames {
      let begin = id * 16_666_667
      drawn.frames.append(
        DrawnTrace.DrawnFrame(
          id: UInt64(id),
          times: [
            "begin": begin, "start": begin, "done": begin + 5_000_000, "due": begin + 16_666_667,
          ]))
    }
    return drawn
  }

  @Test func `M-24: too few frames neither pass nor fail, and each such run is named`() throws {
    for bound in [0.0, 1000] {
      let verdict = verdict([Self.short], [try limit("hitchTimeRatioMsPerS", bound)])
      #expect(verdict.status == .notEvaluated)
      #expect(verdict.notes.map(\.kind) == [.unevaluated])
      #expect(verdict.notes[0].text.contains("only 1 frame was evaluated in 0.02 s"))
      // A frame was evaluated, and nothing says that none was.
      #expect(verdict.results[0].reason == "hitch time ratio: too little is known")
    }
    // Another limit that is exceeded comes first.
    let both = verdict(
      [Self.hitching, Self.short],
      [try limit("hitchTimeRatioMsPerS", 5), try limit("hitches", 100)])
    #expect(both.status == .failed)
  }

  /// A run whose main thread was ready without a core for this share of each 10 ms.
  private static func starved(_ share: Double) -> Analysis {
    var trace = FindingTrace(late: [])
    for frame in 0..<60 {
      let start = Double(frame) * 10
      trace.count(start, start + 10, cpu: 6, ready: share * 10)
    }
    return TraceAnalyzer().analyze(trace.trace())
  }

  @Test func `M-25: each run without a core is named once, its limits are stated together`() throws
  {
    let limits = try ["hitchTimeNs", "hitches", "framesPerSecond.average", "frames"].map {
      try limit($0, 0)
    }
    let verdict = verdict([Self.starved(0.2), Self.starved(0.3)], limits)
    #expect(verdict.results.map(\.status).prefix(2) == [.notEvaluated, .notEvaluated])
    let texts = verdict.reasons.filter { $0.contains("core") }
    #expect(texts.count == 3, "\(verdict.reasons)")
    #expect(
      texts.last
        == "hitch time, hitches, frames per second: not evaluated, since the main thread"
        + " lacked a core")
    #expect(verdict.notes.map(\.level) == [.error, .error])
    // A limit that needs no frames, but time on a core, has the same note.
    let commits = self.verdict([Self.starved(0.2)], [try limit("commitNs.p95", 0)])
    #expect(commits.notes.map(\.kind) == [.unevaluated])
  }

  @Test func `results without data share one reason, and each keeps its own`() throws {
    let limits = try ["hitchTimeNs", "hitches"].map { try limit($0, 0) }
    let verdict = verdict([Self.withoutData], limits)
    #expect(verdict.reasons == ["hitch time, hitches: no data, no frame could be evaluated"])
    #expect(
      verdict.results.map(\.reason) == [
        "hitch time: no data, no frame could be evaluated",
        "hitches: no data, no frame could be evaluated",
      ])
  }

  @Test func `a baseline takes no run that a comparison could not evaluate`() throws {
    func levels(_ run: Analysis, _ regressions: [Budget.Regression]) -> [VerdictNote.Level] {
      let budget = Budget(rules: [Budget.Rule(regressions: regressions)])
      return budget.notesOnBaseline(of: [run, run], group: "").map(\.level)
    }
    let cpu = Budget.Regression(.mainCPUPerFrame, relative: 0.1, absolute: 1)
    for run in [Self.short, Self.starved(0.2)] {
      #expect(levels(run, Budget.usualRegressions) == [.error])
      // Nothing that is compared is unknown, but the values are stored for other budgets.
      #expect(levels(run, [cpu]) == [.warning])
      #expect(levels(run, []) == [.warning])
    }
    #expect(levels(Self.smooth, Budget.usualRegressions) == [])
  }

  private func limit(
    _ name: String, _ bound: Double, _ level: LimitResult.Level = .error
  ) throws -> Budget.Limit {
    Budget.Limit(try #require(Metric.named(name)), bound, level: level)
  }

  private func verdict(_ runs: [Analysis], _ limits: [Budget.Limit]) -> Verdict {
    Budget(rules: [Budget.Rule(limits: limits)]).verdict(on: runs)
  }

  @Test func `a limit is met at the limit itself and exceeded above it`() throws {
    let time = Double(
      try #require(Self.hitching.evaluatedPrimarySurface?.hitchTime).nanoseconds)
    let kept = verdict([Self.hitching], [try limit("hitchTimeNs", time)])
    #expect(kept.status == .passed)
    #expect(kept.results[0].value == time && kept.results[0].runs == 1)
    let broken = verdict([Self.hitching], [try limit("hitchTimeNs", time - 1)])
    #expect(broken.status == .failed)
    #expect(broken.reasons.count == 1)
    #expect(broken.reasons[0].contains("hitch time: 100.02 ms exceeds the limit of 100.02"))
  }

  @Test func `a warning is reported and decides nothing`() throws {
    let verdict = verdict(
      [Self.hitching], [try limit("hitchTimeRatioMsPerS", 5, .warn), try limit("hitches", 100)])
    #expect(verdict.status == .passed)
    #expect(verdict.results.map(\.status) == [.failed, .passed])
    #expect(verdict.reasons[0] == "1 of 1 limit met")
    #expect(verdict.reasons[1].hasPrefix("warning: hitch time ratio: 200.04 ms/s exceeds"))
    #expect(try self.verdict([Self.hitching], [limit("hitches", 0, .off)]).status == .notEvaluated)
  }

  @Test func `M-6: thresholds warn above the first limit and fail above the second`() {
    for (thresholds, limits) in [(RatingThresholds.scroll, [5.0, 10]), (.organizer, [10, 25])] {
      let budget = Budget(thresholds: thresholds)
      #expect(budget.rules[0].limits.map(\.bound) == limits)
      #expect(budget.rules[0].limits.map(\.level) == [.warn, .error])
      #expect(budget.verdict(on: [Self.hitching]).status == .failed)
      #expect(budget.verdict(on: [Self.smooth]).status == .passed)
    }
  }

  @Test func `E-12: no data is not a pass`() throws {
    let verdict = verdict([Self.withoutData], [try limit("hitchTimeRatioMsPerS", 1000)])
    #expect(verdict.status == .notEvaluated)
    #expect(verdict.results[0].value == nil)
    #expect(verdict.reasons == ["hitch time ratio: no data, no frame could be evaluated"])
    #expect(Budget().verdict(on: [Self.smooth]).status == .notEvaluated)
  }

  @Test func `a run without a frame in motion meets no limit`() throws {
    let run = TraceAnalyzer().analyze(DrawnTrace.withoutFrameInMotion.trace())
    #expect(run.isEvaluated && run.evaluatedPrimarySurface?.countsInMotion.evaluated == 0)
    for name in ["hitchTimeRatioMsPerS", "hitchTimeNs", "hitchesInMotion"] {
      #expect(verdict([run], [try limit(name, 1000)]).status == .notEvaluated, "\(name)")
    }
  }

  @Test func `runs without data are named, and prevent a limit from being met`() throws {
    let runs = [Self.hitching, Self.smooth, Self.smooth, Self.withoutData]
    let met = verdict(runs, [try limit("hitchTimeNs", 1), try limit("hitches", 100)])
    #expect(met.status == .notEvaluated)
    #expect(met.results.allSatisfy { $0.runs == 3 && $0.runsWithoutData == ["(no file)"] })
    #expect(met.reasons == ["1 of 4 runs has no value: (no file)"])
    let exceeded = verdict(
      [Self.hitching, Self.hitching, Self.withoutData], [try limit("hitchTimeNs", 1)])
    #expect(exceeded.status == .failed)
    #expect(exceeded.reasons[0].hasSuffix("; 1 of 3 runs has no value: (no file)"))
    let warned = verdict(runs, [try limit("hitchTimeNs", 1, .warn), try limit("frames", 1e9)])
    #expect(warned.status == .passed && warned.results[0].status == .notEvaluated)
  }

  @Test func `limits can apply to interactions, surfaces and states`() throws {
    let drag = MetricSubject.interaction("drag")
    func status(_ subject: MetricSubject, _ name: String) throws -> Verdict.Status {
      Budget(rules: [Budget.Rule(subject: subject, limits: [try limit(name, 0)])])
        .verdict(on: [Self.hitching]).status
    }
    #expect(try status(drag, "hitchTimeRatioMsPerS") == .failed)
    #expect(try status(.interaction("d*g"), "hitches") == .failed)
    #expect(try status(.interaction("fling"), "hitches") == .notEvaluated)
    #expect(try status(.surface("disp*"), "hitches") == .failed)
    #expect(try status(.state(key: "screen", value: "Feed"), "hitches") == .notEvaluated)
    #expect(Metric.named("commitNs.p95")?.isKnown(of: drag) == false)
    #expect(Metric.named("mainShare")?.isKnown(of: drag) == true)
  }

  @Test func `rules that match no trace warn, and do not pass if nothing else was checked`() throws
  {
    let hitches = try limit("hitches", 1000)
    let idle = Budget.Rule(traces: "other*", limits: [hitches])
    let both = Budget(rules: [Budget.Rule(limits: [hitches]), idle]).verdict(on: [Self.smooth])
    #expect(both.status == .passed)
    #expect(both.results.map(\.status) == [.passed, .notEvaluated])
    #expect(both.results[1].level == .warn && both.results[1].subject == "traces other*")
    #expect(both.reasons[0] == "1 of 1 limit met")
    #expect(both.reasons[1].contains("no trace matches 'other*'; there are "))
    let alone = Budget(rules: [idle]).verdict(on: [Self.smooth])
    #expect(alone.status == .notEvaluated && alone.results[0].level == .error)
    let warned = try limit("hitches", 1000, .warn)
    let weak = Budget(rules: [Budget.Rule(limits: [warned]), idle]).verdict(on: [Self.smooth])
    #expect(weak.status == .notEvaluated)
    let empty = Budget(rules: [Budget.Rule(limits: [hitches]), Budget.Rule(traces: "other*")])
    #expect(empty.verdict(on: [Self.smooth]).notes.map(\.kind) == [.rules])
  }

  @Test func `M-20: runs of different scenarios are named with their range`() throws {
    let mixed = verdict([Self.hitching, Self.smooth, Self.smooth], [try limit("hitchTimeNs", 1)])
    #expect(mixed.status == .passed)
    #expect(mixed.notes.map(\.kind) == [.scenarios])
    #expect(mixed.notes[0].text.hasPrefix("1 of 3 runs recorded a different scenario from "))
    let range = try #require(mixed.results[0].range)
    #expect(range.lowerBound == 0 && abs(range.upperBound - 100_020_000) < 10_000)
    let same = verdict([Self.smooth, Self.smooth], [try limit("hitchTimeNs", 1)])
    #expect(same.notes.isEmpty && same.results[0].range == 0...0)
    #expect(verdict([Self.smooth], [try limit("hitchTimeNs", 1)]).results[0].range == nil)
  }

  @Test func `too few runs are reported once, after the limits`() throws {
    let metrics = try ["hitchTimeRatioMsPerS", "hitchTimeNs"].map {
      Budget.Regression(
        try #require(Metric.named($0)), relative: 0.1, absolute: 1)
    }
    let baseline = (0..<5).map { _ in
      RunValuesByMetric(
        trace: "", values: ["": ["hitchTimeRatioMsPerS": 40.91, "hitchTimeNs": 20]])
    }
    func reasons(_ bound: Double) throws -> [String] {
      Budget(rules: [Budget.Rule(limits: [try limit("hitches", bound)], regressions: metrics)])
        .verdict(on: [Self.hitching], baseline: Baseline.Group(name: "", runs: baseline)).reasons
    }
    #expect(
      try reasons(1000) == [
        "1 of 1 limit met",
        "not compared with the baseline: 1 new run, 5 in the baseline; at least 4 per side are needed",
      ])
    #expect(try reasons(0).first?.hasPrefix("hitches: ") == true)
  }

  @Test func `times below millisecond precision are written in nanoseconds`() throws {
    let verdict = verdict([Self.hitching], [try limit("hitchTimeNs", 12)])
    #expect(
      verdict.reasons[0].hasSuffix(
        "exceeds the limit of 12 ns; a number without a unit is in nanoseconds"))
  }

  @Test func `a verdict with an error note is not a pass, and a failure stays one`() throws {
    let note = VerdictNote(.baseline, .error, "not compared")
    let kept = verdict([Self.smooth], [try limit("hitches", 5)]).results
    let broken = verdict([Self.hitching], [try limit("hitches", 0)]).results
    #expect(Verdict(summing: kept, notes: [note]).status == .notEvaluated)
    #expect(Verdict(summing: kept, notes: [note]).reasons == ["not compared"])
    #expect(Verdict(summing: broken, notes: [note]).status == .failed)
    #expect(Verdict(summing: broken, notes: [note]).reasons.last == "not compared")
  }

  private func regression(
    _ base: [Double], _ runs: [Analysis], detect: Double? = nil
  ) throws -> Verdict {
    let metric = try #require(Metric.named("hitchTimeRatioMsPerS"))
    let baseline = base.map {
      RunValuesByMetric(trace: "", values: ["": ["hitchTimeRatioMsPerS": $0]])
    }
    let rule = Budget.Rule(
      regressions: [Budget.Regression(metric, relative: 0.1, absolute: 1)])
    var budget = Budget(rules: [rule])
    budget.detect = detect
    return budget.verdict(on: runs, baseline: Baseline.Group(name: "", runs: baseline))
  }

  @Test func `runs are compared with those of the baseline`() throws {
    let four = [Analysis](repeating: Self.hitching, count: 4)
    let worse = try regression([1, 2, 3, 4], four)
    #expect(worse.status == .failed && worse.results[0].confidenceInterval != nil)
    #expect(worse.reasons[0].contains("is worse by more than the tolerance of 1 ms/s (difference"))
    let same = try regression([199, 200, 201, 202], four)
    #expect(
      same.reasons == ["no regression; +11% of hitch time ratio or more would have been seen"])
    #expect(same.status == .passed && abs((same.detectableShare ?? 0) - 0.11) < 0.01)
    let better = try regression([300, 310, 320, 330], four)
    #expect(better.status == .passed && better.results[0].isBetter)
    #expect(better.reasons[0].hasPrefix("better: hitch time ratio; +"))
    let few = try regression([1, 2, 3], four).results[0]
    #expect(few.status == .tooFewRuns && few.confidenceInterval == nil)
    #expect(few.reason.contains("3 + 4 runs; at least 4 per side are needed"))
    #expect(try regression([], four).status == .notEvaluated)
    #expect(try regression([1, 2, 3, 4], [Self.withoutData]).status == .notEvaluated)
  }

  @Test func `M-21: a check that could not see what it has to is not evaluated`() throws {
    let four = [Analysis](repeating: Self.hitching, count: 4)
    let noisy = [100.0, 150, 250, 400]
    #expect(try regression(noisy, four, detect: 3).status == .passed)
    let weak = try regression(noisy, four, detect: 0.2)
    #expect(weak.status == .notEvaluated)
    #expect(weak.reasons[0].contains("% or more would have been seen; record more runs"))
    #expect(try regression([1, 2, 3, 4], four, detect: 0.2).status == .failed)
    // Near zero, the tolerance counts.
    let smooth = [Analysis](repeating: Self.smooth, count: 4)
    #expect(try regression([0, 0, 0, 0], smooth, detect: 0.2).status == .passed)
  }

  @Test func `what a baseline stores of a run is what the gate reads from it`() throws {
    let kept = RunValuesByMetric(
      of: Self.hitching, subjects: [.primary, .interaction("drag"), .interaction("no")])
    #expect(kept.values.keys.sorted() == ["", "interaction drag"])
    let ratio = try #require(kept.values[""]?["hitchTimeRatioMsPerS"])
    #expect(abs(ratio - 200.04) < 1e-9)
    #expect(kept.values[""]?["commitNs.p95"] == nil)
    let commits = RunValuesByMetric(of: Self.smooth, subjects: [.primary])
    #expect(commits.values[""]?["commitNs.p95"] != nil)
  }

  @Test func `different fingerprints name the field that differs`() {
    let refresh = [TimeSpan(nanoseconds: 16_666_667)]
    let print = Fingerprint(
      refreshIntervals: refresh, device: "phone", configuration: nil)
    func difference(
      _ refreshIntervals: [TimeSpan] = refresh, device: String? = "phone",
      configuration: String? = nil,
      version: Int = Fingerprint.currentMetricsVersion
    ) -> String? {
      print.difference(
        from: Fingerprint(
          refreshIntervals: refreshIntervals, device: device, configuration: configuration,
          metricsVersion: version))
    }
    #expect(difference() == nil)
    #expect(difference([TimeSpan(nanoseconds: 16_700_000)]) == nil)
    #expect(
      difference([TimeSpan(nanoseconds: 8_333_333)])
        == "refresh rate: the baseline has 60 Hz, these traces have 120 Hz")
    #expect(
      difference(device: nil) == "device: the baseline has 'phone', these traces have unknown")
    #expect(difference(configuration: "debug")?.hasPrefix("configuration: ") == true)
    #expect(
      difference(version: 1)
        == "metrics: the baseline has definitions \(Fingerprint.currentMetricsVersion), this tool has 1"
    )
  }
}
