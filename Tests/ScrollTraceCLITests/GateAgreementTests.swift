@testable import ScrollTraceCLI
import ScrollTraceKit
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

/// M-20: `compare` and `check` never disagree on the same files.
@Suite struct GateAgreementTests {
  @Test
  func `random pairs of run sets have one outcome as a comparison and with a baseline`() throws {
    var numbers = SeededGenerator(seed: 7)
    let pool = (0..<24).map { index -> Analysis in
      let frames = index % 12 == 0 ? 20 : index % 8 == 0 ? 60 : 120
      let late = (0..<numbers.next(below: 1 + index)).map { _ in numbers.next(below: frames) }
      let commit = 2 + Double(index / 8) * 2 + Double(numbers.next(below: 10)) / 10
      var trace = FindingTrace(frames: frames, late: Set(late), commit: commit)
      for frame in 0..<frames where index % 3 > 0 {
        trace.count(Double(frame) * 10, Double(frame) * 10 + 10, cpu: commit, ready: 0)
      }
      return TraceAnalyzer().analyze(trace.trace())
    }
    func side() -> [Analysis] {
      let (start, kind) = (numbers.next(below: 16), numbers.next(below: 4))
      return (0..<1 + numbers.next(below: 7)).map { _ in
        pool[kind == 0 ? numbers.next(below: 24) : start + numbers.next(below: 8)]
      }
    }
    let budget = Budget(rules: [Budget.Rule(regressions: Budget.usualRegressions)])
    var outcomes: [RegressionOutcome: Int] = [:]
    for pair in 0..<(ExtraCases.isThorough ? 200 : 60) {
      // Enough of them, and every outcome.
      if !ExtraCases.isThorough, pair >= 20, outcomes.count == 5 { break }
      let (base, new) = (side(), side())
      let compared = Verdict(comparing: new, with: base)
      outcomes[compared.outcome, default: 0] += 1
      // As `baseline` writes it, and `check` reads it.
      let isRefused = budget.notesOnBaseline(of: base, group: "").contains { $0.level == .error }
      let file = BaselineFile.encode(
        Baseline(of: [("", base)], for: budget, device: nil, configuration: nil))
      let baseline = try BaselineFile.decode(file)
      let print = Fingerprint(of: new, device: nil, configuration: nil)
      guard !isRefused, baseline.fingerprint.difference(from: print) == nil else {
        #expect(compared.status == .notEvaluated)
        continue
      }
      let checked = budget.verdict(on: new, baseline: baseline.group(""))
      #expect(checked.status == compared.status)
      #expect(checked.reasons == compared.reasons)
    }
    #expect(outcomes.count == 5, "\(outcomes)")
  }

  /// The outcome of a check with a baseline that was written to a file and read again.
  ///
  /// - Parameter slow: The number of further runs of the baseline that are like the new ones.
  private func check(
    _ new: FindingTrace, against base: FindingTrace, runs count: Int = 4, slow: Int = 0
  ) throws -> Verdict {
    var options = AnalysisOptions()
    options.keepsWorkCosts = true
    func runs(_ trace: FindingTrace, _ count: Int) -> [Analysis] {
      [Analysis](repeating: TraceAnalyzer(options).analyze(trace.trace()).digest(), count: count)
    }
    let budget = Budget(rules: [Budget.Rule(regressions: Budget.usualRegressions)])
    let file = BaselineFile.encode(
      Baseline(
        of: [("", runs(base, count) + runs(new, slow))], for: budget, device: nil,
        configuration: nil))
    return budget.verdict(on: runs(new, count), baseline: try BaselineFile.decode(file).group(""))
  }

  @Test func `M-21: a failure names the work that grew most, per item or per frame`() throws {
    let late: Set = [10, 20, 30]
    var base = FindingTrace()
    var (decoding, repeating, waiting) = (
      FindingTrace(late: late), FindingTrace(late: late), FindingTrace(late: late)
    )
    for frame in 0..<60 where !late.contains(frame - 1) {
      let (time, item) = (Double(frame) * 10, ArgumentValue.integer(Int64(frame)))
      let isLate = late.contains(frame)
      base.span("cell.configure", time, 0.5, ["item": item])
      decoding.span("cell.configure", time, 0.5, ["item": item])
      if isLate { decoding.span("image.decode", time + 0.5, 14.24, ["item": item]) }
      repeating.span("cell.configure", time, 0.5, ["item": item])
      for index in 0..<(isLate ? 20 : 0) {
        let other = ArgumentValue.integer(Int64(1_000 + frame * 20 + index))
        repeating.span("cell.configure", time + 0.6 + Double(index) * 0.6, 0.5, ["item": other])
      }
      waiting.span("cell.configure", time, isLate ? 14.5 : 0.5, ["item": item])
      if isLate { waiting.span("waiting.cache lock", time + 0.5, 14) }
    }
    func growth(_ new: FindingTrace) throws -> String {
      let verdict = try check(new, against: base)
      #expect(verdict.status == .failed && verdict.growth.first == verdict.reasons.first)
      return verdict.growth.first ?? "nothing"
    }
    #expect(try growth(decoding) == "image/decode 0 → 14.2 ms per item")
    #expect(try growth(repeating) == "cell/configure 0.48 → 1 ms per frame")
    #expect(try growth(waiting) == "waiting in 'cache lock' 0 → 0.74 ms per frame")
    #expect(try check(base, against: base).growth.isEmpty)
    // One slow run of the baseline does not hide it.
    let one = try check(decoding, against: base, runs: 6, slow: 1)
    #expect(one.growth == ["image/decode 0 → 14.2 ms per item"], "\(one.reasons)")
    // New work without items is no cost of each frame if few frames have it.
    var (rare, frequent) = (FindingTrace(late: late), FindingTrace(late: late))
    for frame in 0..<60 where !late.contains(frame - 1) {
      let (time, isLate) = (Double(frame) * 10 + 0.6, late.contains(frame))
      if isLate { rare.span("rebuild", time, 14) }
      frequent.span("rebuild", time, isLate ? 14 : 1)
    }
    #expect(try growth(rare) == "host/rebuild is new: 3 × 14 ms")
    #expect(try growth(frequent) == "host/rebuild 0 → 1.7 ms per frame")
    // No work grows if frames are ready on time and presented late, also if the main thread waits for what is late.
    var after = FindingTrace(lateOnScreen: late)
    for frame in 0..<60 where !late.contains(frame - 1) {
      after.span("cell.configure", Double(frame) * 10, 0.5, ["item": .integer(Int64(frame))])
      if late.contains(frame) { after.span("waiting.drawing", Double(frame) * 10 + 0.6, 1) }
    }
    let afterCommits = try growth(after)
    #expect(afterCommits == "hitches without a missed deadline 0 → 3")
  }
}
