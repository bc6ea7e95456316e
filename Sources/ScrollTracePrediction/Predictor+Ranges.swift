package import ScrollTraceAnalysis
import ScrollTraceSummary
package import ScrollTraceModel

extension Predictor {
  /// The replays of a change that its range follows from.
  package struct Replays: Equatable, Sendable {
    /// What the change removes as proposed.
    package var usual: TimeSpan
    /// How far replays are apart in which all work takes less and more time.
    package var work: TimeSpan
    /// How far replays are apart that differ in what the recording does not say of the host.
    package var host: RemovedTime
    /// The time of giving new content to existing cells.
    package var content: TimeSpan
    /// Whether the recorded list prepares cells ahead, whether it does so in spare time, whether its cells
    /// size themselves, and whether the scroll changes its direction.
    package var preparesAhead: Bool
    package var preparesWhenIdle: Bool
    package var sizesCells: Bool
    package var turns: Bool
  }

  /// Predicts the effect of `changes` together as a range, or says why it is not predictable; returns
  /// `nil` if they need too many frames.
  package func predictRange(_ changes: [ProposedChange]) -> Prediction? {
    guard var prediction = predict(changes) else { return nil }
    if let obstacle = obstacle(to: changes) {
      prediction.estimate = .obstacle(obstacle)
      return prediction
    }
    guard let replays = replays(of: changes, usual: prediction.removed) else {
      prediction.estimate = .obstacle(.tooLarge)
      return prediction
    }
    prediction.estimate = estimate(of: changes, replays)
    return prediction
  }

  /// Replays `changes` under all assumptions about their kinds; returns `nil` if that needs too many
  /// frames.
  package func replays(of changes: [ProposedChange], usual: TimeSpan) -> Replays? {
    func removed(_ assumptions: ReplayAssumptions) -> TimeSpan? {
      replay.outcome(of: changes, assuming: assumptions).map {
        replayedHitchTime - $0.evaluation.hitchTime
      }
    }
    var (less, more) = (ReplayAssumptions(), ReplayAssumptions())
    (less.workPercent, more.workPercent) = (93, 107)
    guard let faster = removed(less), let slower = removed(more) else { return nil }
    let kinds = Set(changes.map(PredictionKind.init))
    var host: [TimeSpan] = [usual]
    for kind in PredictionKind.allCases where kinds.contains(kind) {
      for assumptions in kind.assumptions {
        guard let time = removed(assumptions) else { return nil }
        host.append(time)
      }
    }
    let work = [usual, faster, slower]
    return Replays(
      usual: usual, work: (work.max() ?? usual) - (work.min() ?? usual),
      host: RemovedTime(low: host.min() ?? usual, high: host.max() ?? usual),
      content: TimeSpan(nanoseconds: replay.contentTime),
      preparesAhead: replay.model.preparesAhead,
      preparesWhenIdle: replay.model.policy?.isInCommits == false,
      sizesCells: replay.model.sizesCells, turns: replay.model.runs.count > 1)
  }

  /// How wide a likely range is at most to be of use: a quarter of the hitch time, or two refreshes.
  private var tolerance: TimeSpan {
    let refresh = surface.refreshInterval ?? .zero
    return max(
      TimeSpan(nanoseconds: (surface.hitchTime ?? .zero).nanoseconds / 4), refresh + refresh)
  }

  private func evidence(of replays: Replays) -> PredictionCalibration.Evidence {
    func number(_ time: TimeSpan) -> Double { Double(time.nanoseconds) }
    let tolerance = number(tolerance)
    return PredictionCalibration.Evidence(
      refresh: number(surface.refreshInterval ?? .zero), work: number(replays.work),
      hostBelow: number(replays.usual - replays.host.low),
      hostAbove: number(replays.host.high - replays.usual),
      removed: abs(number(replays.usual)),
      remaining: max(0, number((surface.hitchTime ?? .zero) - replays.usual)),
      content: number(replays.content),
      preparesAhead: replays.preparesAhead ? tolerance : 0,
      preparesWhenIdle: replays.preparesWhenIdle ? tolerance : 0,
      sizesCells: replays.sizesCells ? tolerance : 0, turns: replays.turns ? tolerance : 0,
      tolerance: tolerance)
  }

  private func estimate(
    of changes: [ProposedChange], _ replays: Replays
  ) -> Prediction.Estimate {
    let removable = (surface.hitchTime ?? .zero) - unchangeable(by: changes)
    let evidence = evidence(of: replays)
    let calibrations = changes.map { PredictionCalibration.of(PredictionKind($0)) }
    let fits = calibrations.allSatisfy { calibration in
      let distances = calibration.distances(evidence)
      let width = distances.below + min(distances.above, evidence.remaining)
      return width <= calibration.limit * evidence.tolerance
    }
    let interval = refreshInterval(after: changes)
    // Several changes are as uncertain as all of them together.
    func range(_ factor: (PredictionCalibration) -> Double) -> RemovedTime {
      var (below, above) = (0.0, 0.0)
      for calibration in calibrations {
        let distances = calibration.distances(evidence)
        below += factor(calibration) * distances.below
        above += factor(calibration) * distances.above
      }
      let usual = replays.usual
      return RemovedTime(
        low: min(removable, usual - Self.wholeRefreshes(below, of: interval)),
        high: min(removable, usual + Self.wholeRefreshes(above, of: interval)))
    }
    let likely = range { _ in 1 }
    guard fits else { return .obstacle(.undetermined(likely)) }
    return .ranges(
      RemovedTimeRanges(
        certain: range(\.certain).union(replays.host), likely: likely, possible: range(\.possible),
        hitRate: calibrations.count == 1 ? calibrations[0].hitRate : nil))
  }

  /// The refresh interval that frames have with `changes`.
  private func refreshInterval(after changes: [ProposedChange]) -> TimeSpan {
    for case .refreshInterval(let interval) in changes { return interval }
    return surface.refreshInterval ?? .zero
  }

  /// Rounds a distance in nanoseconds down to whole refreshes, in which hitch time is counted.
  private static func wholeRefreshes(_ distance: Double, of interval: TimeSpan) -> TimeSpan {
    let distance = distance < 1e18 ? Int64(max(0, distance)) : Int64.max / 4
    let refresh = max(1, interval.nanoseconds)
    return TimeSpan(nanoseconds: distance / refresh * refresh)
  }

  // MARK: - Checks

  /// The share of the time of hitches off a core, unrecorded, and the share of cells after jumps, from
  /// which a change is not known to help.
  private static let mostCoresBusy = 0.1
  private static let mostUnrecorded = 0.5
  private static let mostJumps = 0.25

  /// Returns why `changes` cannot be predicted for this recording, or `nil` if nothing speaks against it.
  private func obstacle(to changes: [ProposedChange]) -> PredictionObstacle? {
    let (replayed, recorded) = (replayedHitchTime, surface.hitchTime ?? .zero)
    if max(replayed, recorded) - min(replayed, recorded) > tolerance {
      return .unlikeRecording(replayed: replayed, recorded: recorded)
    }
    let isMoved = changes.contains { $0 == .decodeInBackground || $0 == .loadInBackground }
    if isMoved, let share = surface.offCoreShare, share >= Self.mostCoresBusy {
      return .coresBusy(share: share)
    }
    let all = surface.causes.reduce(TimeSpan.zero) { $0 + $1.hitchTime }
    let unrecorded = surface.causes.filter { $0.kind == .unrecorded || $0.kind == .unknown }
      .reduce(TimeSpan.zero) { $0 + $1.hitchTime }
    if all > .zero {
      let share = Double(unrecorded.nanoseconds) / Double(all.nanoseconds)
      if share >= Self.mostUnrecorded { return .unrecorded(share: share) }
    }
    let isAhead = changes.contains { PredictionKind($0).preparesAhead }
    if isAhead, let share = replay.model.jumpShare, share >= Self.mostJumps {
      return .jumps(share: share)
    }
    return nil
  }
}

extension ReplayModel {
  /// The share of cells, of those a frame needed, that a jump brought into view: their positions are more
  /// than a view away from the ones before, or without positions, a frame needed a whole view of them. `nil` if
  /// it is unknown how many are in view.
  var jumpShare: Double? {
    guard cellsInView > 0 else { return nil }
    let all = cells.filter { $0.reason == .needed }
    let needed = all.filter { $0.position != nil }
    guard needed.count > 1 else { return shareOfNewViews(all) }
    var (jumped, last, isAfterJump, job) = (0, needed[0].position ?? 0, false, needed[0].job)
    for cell in needed {
      let position = cell.position ?? last
      let distance = WideInteger(position) - WideInteger(last)
      if cell.job != job { isAfterJump = false }
      if distance.magnitude > WideInteger(2 * cellsInView) { isAfterJump = true }
      if isAfterJump { jumped += 1 }
      (last, job) = (position, cell.job)
    }
    return Double(jumped) / Double(needed.count)
  }

  private func shareOfNewViews(_ needed: [CellWork]) -> Double? {
    guard needed.count > 1 else { return nil }
    let frames = Dictionary(grouping: needed, by: \.job)
    let first = needed[0].job
    let jumped = frames.reduce(0) { sum, frame in
      let isView = frame.value.count >= max(cellsInView, FindingThresholds.leastCellsOfJump)
      return frame.key != first && isView ? sum + frame.value.count : sum
    }
    return Double(jumped) / Double(needed.count)
  }
}

extension Replay {
  /// The time of giving new content to existing cells, or to others in their place, in nanoseconds.
  var contentTime: Int64 {
    model.slices.reduce(Int64(0)) { sum, slice in
      let isContent =
        slice.cell < 0
        ? roles[Int(slice.label)] == .configure
        : model.cells[Int(slice.cell)].reason == .reloaded
      return isContent ? sum.saturatingAdd(slice.length) : sum
    }
  }
}
