internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceLayout
internal import ScrollTraceRecorder

/// A random session: what an engine is made of, and what is scrolled. The same for each seed.
struct StudySession {
  private static let millisecond: Nanoseconds = 1_000_000

  let before: EngineConfiguration
  let after: EngineConfiguration
  let changes: [ProposedChange]
  let script: ScrollScript

  /// The session of `seed`, in which a change of `kind` matters.
  init(seed: UInt64, kind: PredictionKind) {
    let place = UInt64(PredictionKind.allCases.firstIndex(of: kind) ?? 0)
    var random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ place &* 7919)
    for _ in 0..<4 { _ = random.next() }
    var configuration = Self.configuration(seed, &random, kind)
    let change = kind.apply(to: &configuration, &random)
    (before, after, changes) = (configuration, change.after, change.changes)
    script = Self.script(seed, &random, kind)
  }

  // MARK: - Configurations

  private static func configuration(
    _ seed: UInt64, _ random: inout SeededGenerator, _ kind: PredictionKind
  ) -> EngineConfiguration {
    func one<Value>(of values: [Value]) -> Value {
      values[Int(random.next(below: UInt64(values.count)))]
    }
    func number(_ range: ClosedRange<Int>) -> Int {
      range.lowerBound + Int(random.next(below: UInt64(range.count)))
    }
    let photos =
      switch kind {
      case .decodeInBackground: number(20...100)
      case .loadInBackground: number(0...60)
      default: one(of: [0, 0, number(0...100)])
      }
    var configuration = EngineConfiguration(
      content: ListContent(
        feedOf: one(of: [300, 1000, 3000]), seed: seed &* 31 &+ 5, percentOfPhotos: photos))
    configuration.columns = one(of: [1, 1, 2, 3, 4])
    configuration.viewport = Millipoints(number(5...11)) * 100_000
    configuration.sizing = one(of: [
      .exact, .exact, .exact, .estimate(Millipoints(number(40...200)) * 1000),
      .runningAverage(first: 100_000),
    ])
    configuration.loaders = number(1...4)
    configuration.linesLoadedAhead = number(4...16)
    configuration.linesPreparedAhead = number(1...5)
    configuration.cellsKept = number(4...14) + configuration.columns * number(0...6)
    configuration.imageCacheBytes = Int64(number(8...96)) << 20
    configuration.imageSize = ImageSize(
      width: Int64(number(80...320)), height: Int64(number(80...240)), scale: Int64(number(1...3)))
    configuration.rates = [.init(from: 0, hertz: one(of: [60, 60, 80, 90, 120]))]
    if number(0...9) == 0 {
      configuration.rates.append(.init(from: 1_500_000_000, hertz: one(of: [60, 90, 120])))
    }
    let policies = configuration.policies
    configuration.policies.cells = one(of: [.onDemand, .onDemand, .idle, .oneAhead])
    configuration.policies.data = one(of: [.onDemand, .ahead])
    configuration.policies.images = one(of: [.main, .background, .thumbnails])
    configuration.policies.updates = one(of: [.reconfigure, .reconfigure, .reload])
    configuration.policies.snapshots = one(of: [.differences, .differences, .reload])
    configuration.policies.registrations = policies.registrations
    configuration.costs = costs(&random)
    return configuration
  }

  /// Costs from about a third to three times the usual ones, each on its own.
  private static func costs(_ random: inout SeededGenerator) -> CostModel {
    func scaled(_ cost: Nanoseconds) -> Nanoseconds {
      // From 1/3 to 3, evenly by factor: 25 steps of 9.6 % up and down.
      let steps = [
        33, 36, 40, 44, 48, 52, 57, 63, 69, 75, 82, 90, 100, 110, 121, 133, 145, 159, 175, 191, 210,
        230, 252, 276, 300,
      ]
      return cost * Nanoseconds(steps[Int(random.next(below: UInt64(steps.count)))]) / 100
    }
    var costs = CostModel()
    for path: WritableKeyPath<CostModel, Nanoseconds> in [
      \.event, \.update, \.layout, \.layoutOfRow, \.dequeue, \.create, \.prepareForReuse,
      \.configureText, \.configurePhoto, \.size, \.snapshot, \.commit, \.commitOfRow, \.latency,
      \.downloadOfKilobyte, \.readOfKilobyte, \.decodeOfKilopixel, \.differenceOfItem, \.moveOfLine,
    ] {
      costs[keyPath: path] = scaled(costs[keyPath: path])
    }
    // Half of the lists have cells that matter.
    if random.next(below: 2) == 0 { costs.configureText *= 3 }
    if random.next(below: 3) == 0 { costs.create *= 4 }
    if random.next(below: 3) == 0 { costs.readData = scaled(2_500_000) }
    costs.variation = Int64(random.next(below: 51))
    costs.savedByExistingCell = Int64(random.next(below: 51))
    return costs
  }

  // MARK: - Scripts

  private static func script(
    _ seed: UInt64, _ random: inout SeededGenerator, _ kind: PredictionKind
  ) -> ScrollScript {
    let length = Nanoseconds(4 + random.next(below: 4)) * 1000 * millisecond
    var script =
      random.next(below: 3) > 0
      ? ScrollScript.reading(for: length, seed: seed &* 17 &+ 3) : movements(length, &random)
    if random.next(below: 4) == 0 {
      let count = 1 + random.next(below: 4)
      script.errands = (0..<count).map { _ in
        Errand(
          at: Nanoseconds(random.next(below: UInt64(length))), "sync",
          cost: Nanoseconds(5 + random.next(below: 36)) * millisecond)
      }.sorted { $0.time < $1.time }
    }
    let isAboutUpdates = kind == .reconfigureItems || kind == .applyDifferences
    guard isAboutUpdates || random.next(below: 4) == 0 else { return script }
    let step = Nanoseconds(120 + random.next(below: 480)) * millisecond
    let isChange =
      kind == .reconfigureItems || kind != .applyDifferences && random.next(below: 2) == 0
    let count = 1 + Int(random.next(below: 10))
    script.updates = stride(from: 250 * millisecond, to: length, by: Int(step)).map { time in
      ListUpdate(
        at: time,
        isChange ? .change(count) : .insert(1 + count / 4, at: Int(random.next(below: 250))))
    }
    return script
  }

  /// Drags, flings, animations, pages, turns and rests in any order.
  private static func movements(
    _ length: Nanoseconds, _ random: inout SeededGenerator
  ) -> ScrollScript {
    var steps: [ScrollStep] = [.rest(150 * millisecond)]
    var left = length
    while left > 0 {
      let time = Nanoseconds(80 + random.next(below: 620)) * millisecond
      let speed = Millipoints(300 + random.next(below: 3_200)) * 1000
      let velocity = random.next(below: 4) == 0 ? -speed : speed
      let step: ScrollStep =
        switch random.next(below: 10) {
        case 0...3: .drag(velocity: velocity, for: time)
        case 4, 5: .deceleration(velocity: velocity / 2)
        case 6: .animation(distance: velocity / 2, for: time)
        case 7: .paging(pages: 1, for: time + 200 * millisecond)
        default: .rest(time / 2)
        }
      steps.append(step)
      left -= step.duration
    }
    steps.append(.rest(150 * millisecond))
    return ScrollScript(steps: steps)
  }
}
