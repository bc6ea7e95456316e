internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

/// `scrolltrace-bench predict`: predictions compared with real results, as a table.
enum PredictionCommand {
  /// The number of scripts each pair plays in virtual time, and the number of repetitions of one in
  /// real time.
  private static let scripts: UInt64 = 8
  private static let runs = 5

  static func run(_ arguments: [String]) -> Int32 {
    if arguments.first == "--study" { return StudyCommand.run(Array(arguments.dropFirst())) }
    var names: [String] = []
    var isReal = false
    for argument in arguments {
      if argument == "--real" {
        isReal = true
      } else if PredictionPair.all.contains(where: { $0.name == argument }) {
        names.append(argument)
      } else {
        let all = PredictionPair.all.map { "'\($0.name)'" }.joined(separator: ", ")
        return BenchCommand.usage("predict takes --real and names of pairs: \(all)")
      }
    }
    do {
      for pair in PredictionPair.all where names.isEmpty || names.contains(pair.name) {
        try isReal ? compareOnRealTime(pair) : compareOnVirtualTime(pair)
      }
      return 0
    } catch {
      Console.warn("scrolltrace-bench: \(error)")
      return 2
    }
  }

  /// Prints totals over all scripts, and the number of predictions within the bounds of M-17.
  private static func compareOnVirtualTime(_ pair: PredictionPair) throws {
    let experiment = PredictionExperiment(pair: pair)
    let trials = try (1...scripts).map { try experiment.trial(seed: $0) }
    func sum(_ time: (PredictionExperiment.Trial) -> TimeSpan) -> String {
      milliseconds(trials.reduce(.zero) { $0 + time($1) })
    }
    let isExact = trials.allSatisfy { $0.replayed == $0.recorded }
    print(
      """
      \(pair.name): \(trials.count { $0.isWithin }) of \(trials.count) within \
      max(10%, one refresh)
        recorded \(sum(\.recorded)), predicted \(sum(\.predicted)), real \(sum(\.real)), \
      largest error \(milliseconds(trials.map(\.error).max() ?? .zero)); \
      unchanged replay \(isExact ? "exact" : sum(\.replayed))
      """)
  }

  /// Plays one script several times on each engine and prints whether the predictions lie in the
  /// range of the real results.
  private static func compareOnRealTime(_ pair: PredictionPair) throws {
    var experiment = PredictionExperiment(pair: pair)
    experiment.length = 4_000_000_000
    let script = pair.script(seed: 1, length: experiment.length)
    let trials = try (0..<runs).map { _ in
      try experiment.trial(
        PredictionExperiment.analysis(of: pair.before(seed: 1), script, on: RealClock()),
        PredictionExperiment.analysis(of: pair.after(seed: 1), script, on: RealClock()))
    }
    func spread(_ time: (PredictionExperiment.Trial) -> TimeSpan) -> (TimeSpan, TimeSpan, TimeSpan)
    {
      let times = trials.map(time).sorted()
      return (times[0], times[runs / 2], times[runs - 1])
    }
    func text(_ spread: (TimeSpan, TimeSpan, TimeSpan)) -> String {
      "\(milliseconds(spread.1)) (\(milliseconds(spread.0)) to \(milliseconds(spread.2)))"
    }
    let (predicted, real) = (spread(\.predicted), spread(\.real))
    let refresh = trials[0].refresh
    let isWithin = predicted.1 + refresh >= real.0 && predicted.1 <= real.2 + refresh
    print(
      """
      \(pair.name): \(isWithin ? "within" : "OUTSIDE") the spread of \(runs) runs and a refresh
        recorded \(text(spread(\.recorded))), predicted \(text(predicted)), real \(text(real))
      """)
  }

  private static func milliseconds(_ time: TimeSpan) -> String {
    "\((time.nanoseconds + 500_000) / 1_000_000) ms"
  }
}
