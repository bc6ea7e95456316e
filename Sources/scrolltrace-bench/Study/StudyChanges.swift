internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceLayout
internal import ScrollTraceRecorder

extension PredictionKind {
  /// Makes a configuration one in which the change matters, and returns the changed one with the
  /// changes to predict.
  func apply(
    to before: inout EngineConfiguration, _ random: inout SeededGenerator
  ) -> (after: EngineConfiguration, changes: [ProposedChange]) {
    switch self {
    case .prepareWhenIdle:
      before.policies.cells = .onDemand
      return (prepared(before, .idle), [.prepareWhenIdle])
    case .prepareOneAhead:
      before.policies.cells = .onDemand
      return (prepared(before, .oneAhead), [.prepareOneAhead])
    case .decodeInBackground:
      before.policies.images = .main
      let images = random.next(below: 2) == 0 ? EnginePolicies.Images.background : .thumbnails
      return (changed(before) { $0.policies.images = images }, [.decodeInBackground])
    case .loadInBackground:
      before.policies.data = .onDemand
      before.costs.readData = Nanoseconds(1_000_000 + random.next(below: 12_000_000))
      // As the prediction says: ten lines ahead.
      let after = changed(before) {
        $0.policies.data = .ahead
        $0.linesLoadedAhead = 10
      }
      return (after, [.loadInBackground])
    case .reuseCells:
      before.policies.registrations = .perCell
      return (changed(before) { $0.policies.registrations = .once }, [.reuseCells])
    case .reconfigureItems:
      before.policies.updates = .reload
      // As the prediction says: the handler skips a quarter of its work at most.
      let after = changed(before) {
        $0.policies.updates = .reconfigure
        $0.costs.savedByExistingCell = $0.costs.savedByExistingCell / 2
      }
      return (after, [.reconfigureItems])
    case .applyDifferences:
      before.policies.snapshots = .reload
      return (changed(before) { $0.policies.snapshots = .differences }, [.applyDifferences])
    case .speedup:
      return speedup(&before, &random)
    case .refreshRate:
      let all = [60, 80, 90, 120]
      let rate = before.rates[0].hertz
      let others = all.filter { $0 != rate }
      let other = others[Int(random.next(below: UInt64(others.count)))]
      before.rates = [before.rates[0]]
      let interval = TimeSpan(nanoseconds: (1_000_000_000 + Int64(other) / 2) / Int64(other))
      return (
        changed(before) { $0.rates = [.init(from: 0, hertz: other)] }, [.refreshInterval(interval)]
      )
    }
  }

  private func changed(
    _ before: EngineConfiguration, _ change: (inout EngineConfiguration) -> Void
  ) -> EngineConfiguration {
    var after = before
    change(&after)
    return after
  }

  /// Prepares cells as the prediction says: three lines ahead, in a list that keeps twice as many.
  private func prepared(
    _ before: EngineConfiguration, _ policy: EnginePolicies.Cells
  ) -> EngineConfiguration {
    changed(before) {
      $0.policies.cells = policy
      $0.linesPreparedAhead = 3
      $0.cellsKept = 6 * $0.columns
    }
  }

  private func speedup(
    _ before: inout EngineConfiguration, _ random: inout SeededGenerator
  ) -> (after: EngineConfiguration, changes: [ProposedChange]) {
    let percent = Int64(20 + random.next(below: 61))
    func part(_ cost: Nanoseconds) -> Nanoseconds { cost * percent / 100 }
    func change(_ category: String, _ name: String) -> [ProposedChange] {
      [
        .speedup(
          WorkName(category: "scrolltrace.\(category)", name: name), percent: Int(percent))
      ]
    }
    switch random.next(below: 3) {
    case 0:
      let after = changed(before) {
        $0.costs.configureText = part($0.costs.configureText)
        $0.costs.configurePhoto = part($0.costs.configurePhoto)
      }
      return (after, change("cell", "configure"))
    case 1:
      return (changed(before) { $0.costs.size = part($0.costs.size) }, change("cell", "size"))
    default:
      return (changed(before) { $0.costs.create = part($0.costs.create) }, change("cell", "create"))
    }
  }
}
