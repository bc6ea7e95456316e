import ReferenceListEngine
import ScrollTraceLayout
import ScrollTraceRecorder

/// Sessions and engines in which everything can happen, the same for each seed.
enum RandomScript {
  /// An engine with any policies, layout and refresh rates.
  static func configuration(_ seed: UInt64) -> EngineConfiguration {
    var random = SeededGenerator(seed: seed &* 7919)
    var configuration = EngineConfiguration(content: ListContent(feedOf: 150, seed: seed))
    for name in EnginePolicies.names {
      let value = EnginePolicies.values(of: name).randomElement(using: &random) ?? ""
      _ = configuration.policies.choose(value, for: name)
    }
    configuration.columns = [1, 1, 2, 3].randomElement(using: &random) ?? 1
    configuration.sizing =
      [.exact, .estimate(100_000), .runningAverage(first: 250_000)].randomElement(using: &random)
      ?? .exact
    configuration.loaders = Int.random(in: 1...4, using: &random)
    configuration.linesLoadedAhead = Int.random(in: 0...12, using: &random)
    configuration.linesPreparedAhead = Int.random(in: 0...4, using: &random)
    configuration.cellsKept = Int.random(in: 0...12, using: &random)
    configuration.imageCacheBytes = Int64.random(in: 1...40, using: &random) << 20
    configuration.rates = [
      .init(from: 0, hertz: [60, 80, 120].randomElement(using: &random) ?? 60),
      .init(from: 900_000_000, hertz: [60, 80, 120].randomElement(using: &random) ?? 60),
    ]
    configuration.costs.create *= Nanoseconds.random(in: 1...4, using: &random)
    return configuration
  }

  /// About three seconds of any movements, with work and changes of the items on the way.
  static func script(_ seed: UInt64) -> ScrollScript {
    var random = SeededGenerator(seed: seed &* 104_729)
    let millisecond: Nanoseconds = 1_000_000
    var steps: [ScrollStep] = [.rest(100 * millisecond)]
    for _ in 0..<7 {
      let time = Nanoseconds.random(in: 50...700, using: &random) * millisecond
      let velocity = Millipoints.random(in: -1_500...3_500, using: &random) * 1000
      let pages = Int.random(in: -1...3, using: &random)
      let any: [ScrollStep] = [
        .rest(time), .drag(velocity: velocity, for: time), .deceleration(velocity: velocity / 4),
        .animation(distance: velocity, for: time), .paging(pages: pages, for: time),
        .reorder(pages: pages, for: time), .refresh(for: time),
      ]
      steps.append(any.randomElement(using: &random) ?? .rest(time))
    }
    steps.append(.rest(400 * millisecond))
    func times(_ count: Int) -> [Nanoseconds] {
      (0..<count).map { _ in Nanoseconds.random(in: 0...3_000, using: &random) * millisecond }
        .sorted()
    }
    let errands = times(3).map { Errand(at: $0, "sync", cost: 11 * millisecond) }
    let updates = times(5).map { time in
      let (count, place) = (
        Int.random(in: 0...4, using: &random), Int.random(in: 0...40, using: &random)
      )
      let any: [ListUpdate.ProposedChange] = [
        .insert(count, at: place), .delete(count, at: place), .change(count),
      ]
      return ListUpdate(at: time, any.randomElement(using: &random) ?? .change(1))
    }
    return ScrollScript(steps: steps, errands: errands, updates: updates)
  }
}
