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

  /// Frames that meet their deadlines, the first of them with long commits.
  private static func smoothTrace(frames: Int, long: Int = 0) -> DrawnTrace {
    DrawnTrace(frames: frames) { id, begin in
      let done = begin + (id < long ? 14_000_000 : 5_000_000)
      return ["start": begin, "done": done, "due": begin + 16_666_667]
    }
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

  /// Every fifth frame is late: by its own work, or by the time in which its thread had no core.
  private static func late(byOwnWork isOwn: Bool, frames: Int = 60) -> Analysis {
    let late = Set((0..<frames).filter { $0 % 5 == 0 })
    var trace = FindingTrace(frames: 300, late: late)
    for frame in 0..<300 where !late.contains(frame - 1) {
      let start = Double(frame) * 10
      if late.contains(frame) {
        trace.count(start, start + 15, cpu: isOwn ? 15 : 6, ready: isOwn ? 0 : 9)
        trace.count(start + 15, start + 20, cpu: 0, ready: 5)
      } else {
        trace.count(start, start + 10, cpu: 2, ready: 5)
      }
    }
    return TraceAnalyzer().analyze(trace.trace())
  }

  @Test func `E-55: limits outside of the bounds are decided on a busy machine`() throws {
    #expect(Budget.scroll.verdict(on: [Self.starved(0.5)]).status == .passed)
    let unclear = Self.late(byOwnWork: false)
    let verdict = Budget.scroll.verdict(on: [unclear])
    #expect(verdict.status == .notEvaluated)
    #expect(
      verdict.reasons[0].hasSuffix(
        "exceeds the limit of 10 ms/s, but the main thread lacked a core; by its own work it is 0.00"
          + " ms/s; record on a quieter machine, or use --thresholds cpu"))
    let bounds = try #require(unclear.evaluatedPrimarySurface?.lowerBounds)
    #expect(bounds.hitchTime == .zero && bounds.deadlineMisses == 0)
    #expect(unclear.evaluatedPrimarySurface?.rated(by: .scroll).rating == .uncertain)
    let own = Self.late(byOwnWork: true)
    #expect(Budget.scroll.verdict(on: [own]).status == .failed)
    #expect(own.evaluatedPrimarySurface?.rated(by: .scroll).rating == .critical)
    #expect(own.headline == nil)
    // A metric without bounds that load changes.
    let commits = try limit("commitNs.p95", 1)
    #expect(self.verdict([unclear], [commits]).status == .notEvaluated)
    #expect(self.verdict([unclear], [try limit("commitNs.p95", 1e9)]).status == .passed)
    #expect(self.verdict([unclear], [try limit("framesPerSecond.average", 1e6)]).status != .failed)
  }

  @Test func `M-21: a busy machine makes runs neither worse nor better than a baseline`() throws {
    func verdict(_ base: Analysis, _ new: Analysis) throws -> Verdict {
      Verdict(comparing: Array(repeating: new, count: 4), with: Array(repeating: base, count: 4))
    }
    let (calm, unclear) = (Self.late(byOwnWork: true), Self.late(byOwnWork: false))
    let smooth = Self.late(byOwnWork: true, frames: 0)
    #expect(try verdict(smooth, unclear).status == .notEvaluated)
    #expect(try verdict(smooth, calm).status == .failed)
    #expect(try verdict(unclear, smooth).outcome != .better)
    #expect(try verdict(unclear, unclear).status == .notEvaluated)
  }

  @Test func `a budget can refuse runs without a core, each of which is named once`() throws {
    let limits = try ["hitchTimeNs", "hitches", "framesPerSecond.average", "frames"].map {
      try limit($0, 0)
    }
    var budget = Budget(limits: limits)
    budget.maxReadyShare = 0.1
    let verdict = budget.verdict(on: [Self.starved(0.2), Self.starved(0.3)])
    #expect(verdict.results.map(\.status).prefix(2) == [.notEvaluated, .notEvaluated])
    let texts = verdict.reasons.filter { $0.contains("core") }
    #expect(texts.count == 2, "\(verdict.reasons)")
    #expect(verdict.notes.map(\.level) == [.error])
    #expect(verdict.notes[0].text.hasSuffix("% of the motion; likewise the trace"))
  }

  @Test func `the thresholds cpu limit blocked time to a refresh and need no free core`() throws {
    func blocked(_ milliseconds: Double) -> Analysis {
      var trace = FindingTrace(frames: 120, late: [40])
      for frame in 0..<120 where frame != 41 {
        let start = Double(frame) * 10
        let length = frame == 40 ? 15.0 : 2
        trace.count(start, start + length, cpu: frame == 40 ? 15 - milliseconds : 2, ready: 0)
        trace.count(start + length, start + (frame == 40 ? 20 : 10), cpu: 0, ready: 1)
      }
      return TraceAnalyzer().analyze(trace.trace())
    }
    let long = blocked(12)
    let surface = try #require(long.evaluatedPrimarySurface)
    #expect(surface.blockedInCommits?.longest == .milliseconds(12))
    let failed = Budget.cpu.verdict(on: [long])
    #expect(failed.status == .failed)
    #expect(
      failed.reasons
        == ["longest blocked time in a commit: 12 ms exceeds the limit of 10 ms"])
    #expect(Budget.cpu.verdict(on: [blocked(9)]).status == .passed)
    #expect(
      Budget.cpu.verdict(on: [Self.smooth]).reasons == [
        "longest blocked time in a commit: not in the traces; record them with"
          + " options.recordsThreadTimes, or with the threads' schedule"
      ])
    let slow = [Analysis](repeating: blocked(12), count: 4)
    let base = Baseline(
      of: [("", [Analysis](repeating: blocked(0), count: 4))], for: .cpu, device: nil,
      configuration: nil)
    let compared = Budget.cpu.verdict(on: slow, baseline: base.group(""))
    #expect(compared.results.map(\.metric).contains("commitBlockedNs.perFrame"))
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
    #expect(levels(Self.starved(0.2), Budget.usualRegressions) == [])
    for run in [Self.short] {
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
    #expect(verdict.reasons == ["1 of 1 limit met"])
    #expect(verdict.warnings[0].hasPrefix("hitch time ratio: 200.04 ms/s exceeds"))
    #expect(verdict.sentences[1] == "warning: " + verdict.warnings[0])
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
    let missing = "has no value: (no file) (no frame could be evaluated)"
    #expect(
      met.reasons == ["hitch time, hitches: 1 of 4 runs \(missing); record this run again"])
    let exceeded = verdict(
      [Self.hitching, Self.hitching, Self.withoutData], [try limit("hitchTimeNs", 1)])
    #expect(exceeded.status == .failed)
    #expect(exceeded.reasons[0].hasSuffix("; 1 of 3 runs \(missing)"))
    let two = verdict(
      [Self.hitching, Self.withoutData, Self.withoutData], [try limit("hitchTimeNs", 1)])
    #expect(
      two.reasons[0].hasSuffix("(no file), (no file) (each: no frame could be evaluated)"))
    // A note has the reason.
    let short = verdict([Self.smooth, Self.short, Self.short], [try limit("hitchTimeNs", 1)])
    let texts = short.reasons.filter { $0.contains("only 1 frame was evaluated") }
    #expect(texts.count == 1 && short.reasons.count == 2, "\(short.reasons)")
    let warned = verdict(runs, [try limit("hitchTimeNs", 1, .warn), try limit("frames", 1e9)])
    #expect(warned.status == .passed && warned.results[0].status == .notEvaluated)
  }

  @Test func `M-20: runs of one scenario that last longer are a warning with both lengths`() throws
  {
    let long = TraceAnalyzer().analyze(Self.smoothTrace(frames: 145).trace())
    let limits = [try limit("hitches", 100)]
    let mixed = verdict([Self.smooth, long], limits)
    #expect(mixed.status == .passed)
    #expect(
      mixed.notes.map(\.text) == [
        "the runs last 1.99 to 2.41 s; counts and sums grow with the length"
      ]
    )
    let four = [Analysis](repeating: Self.smooth, count: 4)
    let budget = Budget(rules: [Budget.Rule(regressions: Budget.usualRegressions)])
    let base = Baseline(of: [("", four)], for: budget, device: nil, configuration: nil)
    func texts(_ run: Analysis) -> [String] {
      budget.verdict(on: [Analysis](repeating: run, count: 4), baseline: base.group(""))
        .notes.map(\.text)
    }
    #expect(
      texts(long) == [
        "the baseline's runs last 1.99 s, these 2.41 s; counts and sums grow with the length"
      ])
    #expect(texts(Self.smooth).isEmpty)
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
    #expect(both.reasons == ["1 of 1 limit met"])
    #expect(both.warnings[0].contains("no trace matches 'other*'; there is "))
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
    #expect(mixed.notes.map(\.kind) == [.overLimit, .scenarios])
    #expect(
      mixed.notes[0].text.hasPrefix("hitch time: 1 of 3 runs exceeds 1 ns, which the median meets"))
    #expect(mixed.notes[1].text.hasPrefix("1 of 3 runs recorded a different scenario from "))
    #expect(mixed.reasons == ["1 of 1 limit met"] && mixed.warnings == [mixed.notes[0].text])
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

  @Test func `M-21: freezes of a few runs that the median hides are named in a warning`() {
    func frozen(_ refreshes: Int64) -> Analysis {
      let refresh: Int64 = 16_666_667
      var trace = DrawnTrace(refreshInterval: refresh, frames: 120) { id, begin in
        let target = begin + 2 * refresh
        return [
          "start": begin, "done": begin + 5_000_000, "target": target,
          "shown": target + (id == 60 ? refreshes * refresh : 0),
        ]
      }
      trace.frames.removeAll { $0.id > 60 && $0.id <= 60 + UInt64(refreshes) }
      return TraceAnalyzer().analyze(trace.trace())
    }
    let rule = Budget.Rule(
      regressions: [Budget.Regression(.hitchTimeRatio, relative: 0.1, absolute: 1)])
    let base = Baseline.Group(
      name: "",
      runs: (0..<4).map { _ in RunValuesByMetric(of: frozen(0), subjects: [.primary]) })
    func verdict(_ lengths: [Int64]) -> Verdict {
      let verdict = Budget(rules: [rule]).verdict(on: lengths.map(frozen), baseline: base)
      #expect(verdict.status == .passed, "\(verdict.reasons)")
      return verdict
    }
    func warnings(_ lengths: [Int64]) -> [String] { verdict(lengths).warnings }
    let start = "longest hitch: 2 of 6 runs have "
    #expect(warnings([0, 0, 0, 0, 24, 30]).contains { $0.hasPrefix(start) })
    // One can be chance, and nobody calls a tenth of a second a freeze.
    let one = verdict([0, 0, 0, 0, 0, 24])
    #expect(!one.warnings.contains { $0.hasPrefix("longest hitch") })
    let text = "longest hitch: 1 of 6 runs has "
    #expect(one.notes.contains { $0.level == .note && $0.text.hasPrefix(text) }, "\(one.notes)")
    #expect(!warnings([0, 0, 0, 0, 6, 6]).contains { $0.hasPrefix("longest hitch") })
  }

  @Test func `a budget is made and read in code`() throws {
    let limit = Budget.Limit(.hitchTime, 1_000_000, isWarning: true)
    var budget = Budget(limits: [limit])
    #expect(budget.limits == [limit] && limit.metric.name == "hitchTimeNs" && limit.isWarning)
    budget.limits.append(Budget.Limit(.hitches, 0))
    #expect(budget.limits.map(\.bound) == [1_000_000, 0])
    #expect(budget.verdict(on: [Self.hitching]).status == .failed)
    #expect(Budget.scroll.limits.map(\.bound) == [5, 10])
    let drags = Budget.Rule(
      subject: .interaction("drag"), limits: [Budget.Limit(.hitches, 0)],
      regressions: [Budget.Regression(.commitP95, relative: 0.2, absolute: 2_000_000)])
    budget.rules = [drags]
    #expect(budget.verdict(on: [Self.hitching]).reasons[0].hasPrefix("interaction drag: hitches: "))
    #expect(budget.rules[0].regressions.map(\.relative) == [0.2])
    #expect(Budget.cpu.rules[0].regressions[0].metric == .mainCPUPerFrame)
  }

  @Test func `runs are compared with those of the baseline`() throws {
    let four = [Analysis](repeating: Self.hitching, count: 4)
    let worse = try regression([1, 2, 3, 4], four)
    #expect(worse.status == .failed && worse.results[0].confidenceInterval != nil)
    #expect(worse.reasons[0].contains("is worse by more than the tolerance of 1 ms/s (p = "))
    let same = try regression([199, 200, 201, 202], four)
    #expect(
      same.reasons == ["no regression; +11% of hitch time ratio or more would have been seen"])
    #expect(same.status == .passed && abs((same.detectableShare ?? 0) - 0.11) < 0.01)
    let near = try regression([200.041, 200.041, 200.041, 200.041], four).results[0]
    #expect(
      near.reason.hasPrefix("hitch time ratio: 200.04 ms/s (baseline 200.04 ms/s): no regression"))
    let better = try regression([300, 310, 320, 330], four)
    #expect(better.status == .passed && better.results[0].isBetter)
    #expect(better.reasons == ["better: hitch time ratio 315.00 → 200.04 ms/s"])
    #expect(better.results[0].reason.hasSuffix(": better"), "\(better.results[0].reason)")
    let few = try regression([1, 2, 3], four).results[0]
    #expect(few.status == .tooFewRuns && few.confidenceInterval == nil)
    #expect(few.reason.contains("3 + 4 runs; at least 4 per side are needed"))
    #expect(try regression([], four).status == .notEvaluated)
    #expect(try regression([1, 2, 3, 4], [Self.withoutData]).status == .notEvaluated)
  }

  @Test
  func `what neither the runs nor the baseline know is not compared, unless a budget asks for it`()
  {
    func runs(hasCommits: Bool) -> [Analysis] {
      let trace = DrawnTrace(frames: 120) { _, begin in
        let times = ["target": begin + 16_666_667, "shown": begin + 16_666_667]
        return hasCommits
          ? times.merging(["start": begin, "done": begin + 5_000_000]) { $1 } : times
      }
      return [Analysis](repeating: TraceAnalyzer().analyze(trace.trace()), count: 4)
    }
    let (without, with) = (runs(hasCommits: false), runs(hasCommits: true))
    #expect(without[0].value(of: .commitP95) == nil && with[0].value(of: .commitP95) != nil)
    let same = Verdict(comparing: without, with: without)
    #expect(same.outcome == .noRegression, "\(same.reasons)")
    #expect(same.results.map(\.metric) == ["hitchTimeRatioMsPerS"])
    #expect(
      same.notes.map(\.text) == [
        "main CPU time per frame and commit p95 are neither in these runs nor in the baseline's, so they are"
          + " not compared"
      ])
    // What one side knows is missing in the other.
    #expect(Verdict(comparing: without, with: with).outcome == .notEvaluated)
    #expect(Verdict(comparing: with, with: without).outcome == .notEvaluated)
    let asked = Budget(rules: [
      Budget.Rule(regressions: [Budget.Regression(.commitP95, relative: 0.2, absolute: 0)])
    ])
    let base = Baseline(of: [("", without)], for: asked, device: nil, configuration: nil)
    let verdict = asked.verdict(on: without, baseline: base.group(""))
    #expect(verdict.reasons == ["commit p95: not in the traces"])
    #expect(asked.notesOnBaseline(of: without, group: "").isEmpty)
  }

  @Test func `M-21: a failure by what comes after the main thread says so`() {
    func runs(isLate: Bool) -> [Analysis] {
      var builder = TraceBuilder(format: "built")
      let main = builder.mainThread(isHost: true)
      let other = builder.track(2, of: builder.process(1))
      builder.setName("RenderThread", of: other)
      let app = builder.surface("app")
      let layout = builder.label(category: "app", name: "layout")
      let draw = builder.label(category: "app", name: "DrawFrames")
      func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
      // Each tenth frame ends a refresh late, and the main thread was done with it after 3 ms.
      for number in 0..<Int64(60) where !isLate || number % 10 != 6 {
        let (begin, length): (Int64, Int64) = (number * 10, isLate && number % 10 == 5 ? 15 : 5)
        builder.updateFrame(
          number, of: app, start: time(begin), commitStart: time(begin),
          commitEnd: time(begin + length), deadline: time(begin + 10),
          refreshInterval: .milliseconds(10), track: main)
        builder.addSpan(on: main, from: time(begin), to: time(begin + 3), label: layout)
        builder.addSpan(on: other, from: time(begin + 3), to: time(begin + length), label: draw)
      }
      builder.addInteraction(from: .zero, to: time(600))
      return [Analysis](repeating: TraceAnalyzer().analyze(builder.finish()), count: 4)
    }
    let verdict = Verdict(comparing: runs(isLate: true), with: runs(isLate: false))
    #expect(
      verdict.growth == [
        "hitches after the main thread, which was on time: 0 → 6, mostly by 'DrawFrames' on RenderThread"
      ],
      "\(verdict.reasons)")
  }

  @Test func `M-21: p95 at the edge of a few long commits is neither better nor worse`() {
    func four(_ frames: Int, long: Int) -> [Analysis] {
      Array(
        repeating: TraceAnalyzer().analyze(Self.smoothTrace(frames: frames, long: long).trace()),
        count: 4)
    }
    let (above, below) = (four(400, long: 22), four(320, long: 14))
    #expect(above[0].value(of: .commitP95) == 14_000_000)
    #expect(below[0].value(of: .commitP95) == 5_000_000)
    #expect(Verdict(comparing: below, with: above).outcome == .noRegression)
    let worse = Verdict(comparing: above, with: below)
    #expect(worse.outcome == .notEvaluated)
    #expect(worse.reasons[0].contains("p90 and p99 did not grow like it"))
    // A failure needs no word on what chance can explain.
    let rule = Budget.Rule(
      limits: [Budget.Limit(.commitP50, 1)],
      regressions: [Budget.Regression(.commitP95, relative: 0.1, absolute: 0)])
    let base = Baseline.Group(
      name: "", runs: below.map { RunValuesByMetric(of: $0, subjects: [.primary]) })
    let failed = Budget(rules: [rule]).verdict(on: above, baseline: base)
    #expect(failed.status == .failed && failed.results.contains { $0.status == .notEvaluated })
    #expect(failed.reasons.count == 1, "\(failed.reasons)")
    // Then no increase of it says anything, as long as that of others does.
    let mixed = Array(above.prefix(2) + below.prefix(2))
    for (new, base) in [(below, above), (mixed, mixed), (mixed, below)] {
      let same = Verdict(comparing: new, with: base).reasons.joined(separator: " ")
      #expect(same.contains("regression; "), "\(same)")
      #expect(same.contains(" of hitch time ratio or more would have been seen"), "\(same)")
      #expect(!same.contains("of commit p95"), "\(same)")
    }
    #expect(
      Verdict(comparing: below, with: below).reasons.joined().contains("of commit p95 or more"))
    // Of two neighbors, one is enough.
    let smooth = four(400, long: 0)
    #expect(Verdict(comparing: above, with: smooth).outcome == .worse)
    #expect(Verdict(comparing: smooth, with: above).outcome == .better)
  }

  @Test func `M-21: a check that could not see what it has to is not evaluated`() throws {
    let four = [Analysis](repeating: Self.hitching, count: 4)
    let noisy = [100.0, 150, 250, 400]
    #expect(try regression(noisy, four, detect: 3).status == .passed)
    let weak = try regression(noisy, four, detect: 1)
    #expect(weak.status == .notEvaluated)
    let found = weak.reasons[0].firstMatch(
      of:
        /only \+130% or more would .*; record more runs, about (\d+) per side/
    )
    #expect((5...30).contains(try #require(Int(found?.1 ?? ""))), "\(weak.reasons)")
    let never = try regression(noisy, four, detect: 0.12)
    #expect(
      never.reasons[0].hasSuffix(
        "; that takes more than 100 runs per side, or runs that differ less"))
    // No number of runs shows what is tolerated.
    let tolerated = try regression(noisy, four, detect: 0.01)
    #expect(
      tolerated.reasons[0].hasSuffix(
        ": only changes above the tolerance of 20 ms/s are regressions; to detect 2 ms/s, lower the"
          + " tolerance"), "\(tolerated.reasons)")
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
