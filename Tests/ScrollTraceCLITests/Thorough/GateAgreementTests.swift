import ScrollTraceKit
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// M-20: `compare` and `check` never disagree on the same files.
@Suite struct GateAgreementTests {
  @Test func `random pairs of run sets have one outcome as a comparison and with a baseline`()
    throws
  {
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
    for _ in 0..<150 {
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
}
