internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

/// `scrolltrace-bench predict`: a table of predictions and what really came.
enum PredictionCommand {
  static func run(_ arguments: [String]) -> Int32 {
    do {
      print(
        "pair, sum of 8 sessions of 8 s on virtual time     recorded  predicted       real  within")
      for pair in PredictionPair.all {
        let experiment = PredictionExperiment(pair: pair)
        let trials = try (1...8).map { try experiment.trial(seed: UInt64($0)) }
        func sum(_ value: (PredictionExperiment.Trial) -> TimeSpan) -> String {
          let sum = trials.reduce(TimeSpan.zero) { $0 + value($1) }
          let text = "\((sum.nanoseconds + 500_000) / 1_000_000) ms"
          return String(repeating: " ", count: max(0, 11 - text.count)) + text
        }
        print(
          pair.name + String(repeating: " ", count: max(0, 48 - pair.name.count))
            + sum(\.recorded) + sum(\.predicted) + sum(\.real)
            + "  \(trials.count { $0.isWithin }) of \(trials.count)")
        for (i, t) in trials.enumerated() where arguments.contains("-v") {
          print(
            "   seed \(i+1) recorded \(t.recorded.milliseconds) replayed \(t.replayed.milliseconds) predicted \(t.predicted.milliseconds) real \(t.real.milliseconds) bound \(t.bound.milliseconds)"
          )
        }
      }
      return 0
    } catch {
      Console.warn("scrolltrace-bench: \(error)")
      return 2
    }
  }
}
