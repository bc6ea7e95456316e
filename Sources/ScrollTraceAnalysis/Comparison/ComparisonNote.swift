package import ScrollTraceModel

/// A reason to doubt a comparison.
package enum ComparisonNote: Equatable, Sendable {
  /// No run of the side has frames that could be evaluated.
  case noData(ComparisonSide.Role)
  /// The side lacks the named surface.
  case noSurface(String, ComparisonSide.Role)
  /// Some runs of the side have no frames that could be evaluated, and are not part of medians.
  case runsWithoutData(ComparisonSide.Role, count: Int, of: Int)
  /// Some runs of the side lost data.
  case lostData(ComparisonSide.Role, count: Int, of: Int)
  /// The two sides recorded different scenarios.
  case otherScenario(base: ScenarioSignature, new: ScenarioSignature)
  /// Some runs of the side recorded a different scenario from the base's displayed run.
  case runsOfOtherScenario(ComparisonSide.Role, count: Int, of: Int)
  /// The time in which work was measured differs, and sums of work differ with it.
  case otherLength(base: TimeSpan, new: TimeSpan)
  /// The displays have different refresh rates. The refresh intervals of each side, most frames
  /// first.
  case otherRates(base: [TimeSpan], new: [TimeSpan])
  /// The two sides were evaluated on a different basis, so their hitch times are not equivalent.
  case otherBasis(base: Basis, new: Basis)
  /// A thermal or power state of the device had other limiting values on the other side; sorted, none if it
  /// was as usual.
  case otherDeviceState(key: String, base: [String], new: [String])
  /// A category has another name on the new side, and the same names of work.
  case renamedCategory(base: String, new: String)

  var isOfOtherScenario: Bool {
    switch self {
    case .otherScenario, .runsOfOtherScenario: true
    default: false
    }
  }

  static func all(
    _ base: ComparisonSide, _ new: ComparisonSide, surface name: String?
  ) -> [ComparisonNote] {
    var notes: [ComparisonNote] = []
    for (role, side) in [(ComparisonSide.Role.base, base), (.new, new)] {
      if let name, side.surfaces.allSatisfy({ $0 == nil }) {
        notes.append(.noSurface(name, role))
      } else if side.evaluatedRuns == 0 {
        notes.append(.noData(role))
      } else if side.evaluatedRuns < side.runs.count {
        notes.append(
          .runsWithoutData(role, count: side.runs.count - side.evaluatedRuns, of: side.runs.count))
      }
      let lossy = side.runs.count { !$0.trace.losses.isEmpty }
      if lossy > 0 { notes.append(.lostData(role, count: lossy, of: side.runs.count)) }
    }
    guard let baseRun = base.shown, let baseSurface = base.shownSurface,
      let newSurface = new.shownSurface
    else { return notes }
    notes += scenario(base, new, outline: ScenarioSignature(of: baseSurface, in: baseRun))
    if case .time(let left)? = base.median({ run, _ in .time(run.work.window.duration) }),
      case .time(let right)? = new.median({ run, _ in .time(run.work.window.duration) }),
      !left.isNear(right)
    {
      notes.append(.otherLength(base: left, new: right))
    }
    let (left, right) = (baseSurface.usualIntervals, newSurface.usualIntervals)
    let isKnown = { (refreshIntervals: [TimeSpan], refreshInterval: TimeSpan) in
      refreshIntervals.contains { $0.isNear(refreshInterval) }
    }
    if !left.allSatisfy({ isKnown(right, $0) }) || !right.allSatisfy({ isKnown(left, $0) }) {
      notes.append(.otherRates(base: left, new: right))
    }
    if baseSurface.basis != newSurface.basis {
      notes.append(.otherBasis(base: baseSurface.basis, new: newSurface.basis))
    }
    return notes + deviceStates(base, new)
  }

  private static func deviceStates(
    _ base: ComparisonSide, _ new: ComparisonSide
  ) -> [ComparisonNote] {
    func limits(_ side: ComparisonSide) -> [String: Set<String>] {
      side.runs.flatMap(\.trace.states).reduce(into: [:]) { limits, state in
        guard ThrottledDevice.isLimit(state.key), let value = state.value,
          !ThrottledDevice.isUsual(value)
        else { return }
        limits[state.key, default: []].insert(value)
      }
    }
    let (left, right) = (limits(base), limits(new))
    return Set(left.keys).union(right.keys).sorted().filter { left[$0] != right[$0] }.map {
      .otherDeviceState(key: $0, base: (left[$0] ?? []).sorted(), new: (right[$0] ?? []).sorted())
    }
  }

  private static func scenario(
    _ base: ComparisonSide, _ new: ComparisonSide, outline: ScenarioSignature
  ) -> [ComparisonNote] {
    var notes: [ComparisonNote] = []
    let shown = new.shown.flatMap { run in
      new.shownSurface.map { ScenarioSignature(of: $0, in: run) }
    }
    if let shown, !outline.resembles(shown) {
      notes.append(.otherScenario(base: outline, new: shown))
    }
    for (role, side) in [(ComparisonSide.Role.base, base), (.new, new)] where side.runs.count > 1 {
      let outlines = zip(side.runs, side.surfaces).compactMap { run, surface in
        surface.map { ScenarioSignature(of: $0, in: run) }
      }
      let count = outlines.count { !outline.resembles($0) }
      if count > 0 { notes.append(.runsOfOtherScenario(role, count: count, of: side.runs.count)) }
    }
    return notes
  }
}

extension SurfaceAnalysis {
  /// The refresh intervals of at least a twentieth of the frames, most frames first, or the most
  /// common one.
  package var usualIntervals: [TimeSpan] {
    let all = refreshIntervals.reduce(0) { $0 + $1.frames }
    let usual = refreshIntervals.filter { $0.frames >= all / 20 }
    return (usual.isEmpty ? Array(refreshIntervals.prefix(1)) : usual).map(\.refreshInterval)
  }
}
