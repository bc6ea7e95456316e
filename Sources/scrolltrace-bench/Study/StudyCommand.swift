internal import ScrollTraceKit

/// `scrolltrace-bench predict --study N`: predictions compared with what random sessions came to.
enum StudyCommand {
  static func run(pairs: Int, first: UInt64) -> Int32 {
    do {
      for kind in StudyKind.allCases {
        var seed = first
        var found = 0
        while found < pairs / StudyKind.allCases.count {
          seed += 1
          guard let trial = try StudyTrial(seed: seed, kind: kind) else { continue }
          found += 1
          print(row(of: trial))
        }
      }
      return 0
    } catch {
      Console.warn("scrolltrace-bench: \(error)")
      return 2
    }
  }

  private static func row(of trial: StudyTrial) -> String {
    let values = (trial.scenarios ?? []).map { "\($0.name)=\($0.removed.nanoseconds)" }
    return
      ([
        trial.kind.rawValue, "seed=\(trial.seed)", "recorded=\(trial.recorded.nanoseconds)",
        "real=\(trial.real.nanoseconds)", "refresh=\(trial.refresh.nanoseconds)",
        "hitches=\(trial.hitches)", "error=\(trial.error.map { "\($0)" } ?? "")",
      ] + values + trial.features.map { "\($0.0)=\($0.1)" })
      .joined(separator: ";")
  }
}
