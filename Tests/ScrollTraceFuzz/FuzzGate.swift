import ScrollTraceImport
import ScrollTraceKit

/// Budgets and baselines of any text.
enum FuzzGate {
  /// A budget with limits of all levels, a rule and tolerances.
  static let strict = try? Budget(
    json: #"""
      {"thresholds": "scroll",
      "limits": {"hitchTimeNs": "5 ms", "commitNs.p95": ["warn", "1 ms"], "mainShare": "50%"},
      "regression": {"hitchTimeRatioMsPerS": {"relative": "10%", "absolute": 1}},
      "rules": [{"interaction": "drag", "limits": {"hitches": 0}}]}
      """#)

  private static let runs: [Analysis] = {
    let trace = try? TraceFile.read(MemoryByteSource(FuzzSeeds.recording()))
    return trace.map { Array(repeating: TraceAnalyzer().analyze($0), count: 4) } ?? []
  }()

  /// Reads the input as a budget and as a baseline, and uses what it is.
  static func run(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let budget = try? Budget(json: text) { check(budget) }
    if let baseline = try? BaselineFile.decode(text) { check(baseline) }
  }

  private static func check(_ budget: Budget) {
    let written = BudgetFile.encode(budget, baseline: nil).text
    do {
      _ = try Budget(json: written)
    } catch {
      preconditionFailure("what was written is no budget: \(error) \(written)")
    }
    for runs in [runs, [], Array(runs.prefix(1))] {
      let verdict = budget.verdict(on: runs)
      _ = TextRenderer().render(Report(runs, verdict: verdict))
      _ = JUnitRenderer().render(Report(runs, verdict: verdict))
      // A budget without anything that could fail has passed nothing.
      let decides = budget.rules.contains { $0.limits.contains { $0.level == .error } }
      precondition(decides || verdict.status != .passed || !runs.isEmpty, "nothing passed")
    }
  }

  private static func check(_ baseline: Baseline) {
    let written = BaselineFile.encode(baseline)
    do {
      let again = try BaselineFile.decode(written)
      precondition(again.changes(from: baseline).isEmpty, "\(again.changes(from: baseline))")
    } catch {
      preconditionFailure("what was written is no baseline: \(error)")
    }
    for group in baseline.groups.prefix(4) {
      let verdict = strict?.verdict(on: runs, baseline: group)
      _ = TextRenderer().render(Report(runs, verdict: verdict ?? .withoutBudget))
    }
    _ = baseline.fingerprint.difference(
      from: Fingerprint(of: runs, device: nil, configuration: nil))
  }
}
