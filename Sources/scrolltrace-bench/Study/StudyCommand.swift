internal import ScrollTraceKit

/// `scrolltrace-bench predict --study N`: predictions compared with what random sessions came to.
enum StudyCommand {
  /// The first seed of the sessions that are reported. The ranges were fitted to those of other seeds,
  /// from `fittingSeed` on.
  private static let reportingSeed: UInt64 = 14_000_000
  private static let fittingSeed: UInt64 = 100_000

  static func run(_ arguments: [String]) -> Int32 {
    var rest = arguments[...]
    var pairs = 1_000
    if let first = rest.first, let count = Int(first) {
      pairs = count
      rest = rest.dropFirst()
    }
    let known = ["--fitting", "--rows"]
    guard pairs > 0, rest.allSatisfy(known.contains) else {
      return BenchCommand.usage("predict --study takes a number, --fitting and --rows")
    }
    let first = rest.contains("--fitting") ? fittingSeed : reportingSeed
    do {
      if rest.contains("--rows") {
        try forEachTrial(of: pairs, from: first) { print(row(of: $0)) }
      } else {
        print(table(of: try trials(pairs, from: first)).joined(separator: "\n"))
      }
      return 0
    } catch {
      Console.warn("scrolltrace-bench: \(error)")
      return 2
    }
  }

  /// Plays as many pairs, the same number of each kind.
  static func trials(_ pairs: Int, from first: UInt64) throws -> [StudyTrial] {
    var trials: [StudyTrial] = []
    try forEachTrial(of: pairs, from: first) { trials.append($0) }
    return trials
  }

  private static func forEachTrial(
    of pairs: Int, from first: UInt64, _ body: (StudyTrial) -> Void
  ) throws {
    let kinds = PredictionKind.allCases
    for (place, kind) in kinds.enumerated() {
      let count = pairs * (place + 1) / kinds.count - pairs * place / kinds.count
      var (seed, found) = (first, 0)
      while found < count, seed < first + 50_000 {
        seed += 1
        guard let trial = try StudyTrial(seed: seed, kind: kind) else { continue }
        found += 1
        body(trial)
      }
    }
  }

  /// The table of hit rates and widths in Markdown.
  static func table(of trials: [StudyTrial]) -> [String] {
    [
      "| Change | Pairs | Predicted | In certain | In likely | In possible | Median width |"
        + " Broken promises |",
      "|---|---|---|---|---|---|---|---|",
    ]
      + PredictionKind.allCases.map { kind in
        row(of: trials.filter { $0.kind == kind }, named: "`\(kind.rawValue)`")
      } + [row(of: trials, named: "all")]
  }

  private static func row(of trials: [StudyTrial], named name: String) -> String {
    let predicted = trials.filter { $0.prediction?.ranges != nil }
    func share(_ isCounted: (StudyTrial) -> Bool) -> String {
      percent(predicted.count(where: isCounted), of: predicted.count)
    }
    let widths = predicted.map {
      Double(($0.prediction?.ranges?.likely.width ?? .zero).nanoseconds)
        / Double(max(1, $0.allowedWidth.nanoseconds))
    }.sorted()
    let width = widths.isEmpty ? 0 : widths[widths.count / 2]
    let cells = [
      name, "\(trials.count)", percent(predicted.count, of: trials.count),
      share { $0.prediction?.ranges?.certain.contains($0.removed) == true },
      share { $0.isHit == true },
      share { $0.prediction?.ranges?.possible.contains($0.removed) == true },
      "\(Int((width * 100).rounded()))%",
      percent(trials.count(where: \.isBrokenPromise), of: predicted.count),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private static func percent(_ part: Int, of whole: Int) -> String {
    let tenths = whole > 0 ? (part * 2_000 + whole) / (2 * whole) : 0
    return "\(tenths / 10).\(tenths % 10)%"
  }

  /// One pair with what its range follows from, for fitting.
  private static func row(of trial: StudyTrial) -> String {
    guard let replays = trial.replays, let prediction = trial.prediction else {
      return "\(trial.kind.rawValue);seed=\(trial.seed);error=1"
    }
    let values: [(String, TimeSpan)] = [
      ("recorded", trial.recorded), ("real", trial.real), ("refresh", trial.refresh),
      ("usual", replays.usual), ("work", replays.work),
      ("low", replays.host.low), ("high", replays.host.high), ("content", replays.content),
    ]
    let checks: String =
      switch prediction.obstacle {
      case .jumps, .coresBusy, .unrecorded, .unlikeRecording, .tooLarge: "1"
      case .undetermined, nil: "0"
      }
    return "\(trial.kind.rawValue);seed=\(trial.seed);error=\(checks);"
      + values.map { "\($0.0)=\($0.1.nanoseconds)" }.joined(separator: ";")
      + ";ahead=\(replays.preparesAhead ? 1 : 0);idle=\(replays.preparesWhenIdle ? 1 : 0)"
      + ";sizes=\(replays.sizesCells ? 1 : 0);turns=\(replays.turns ? 1 : 0)"
  }
}
