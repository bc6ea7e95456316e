package import ScrollTraceAnalysis
import ScrollTraceSummary
package import ScrollTraceModel

extension Predictor {
  /// The replays of a change that its range follows from.
  package struct Replays: Hashable, Sendable {
    /// The middle of the range.
    package var middle: TimeSpan
    /// How far replays are apart in which all work takes less and more time.
    package var work: TimeSpan
    /// How far replays are apart that differ in what the recording does not say of the host.
    package var host: RemovedTime
    /// The time of giving new content to existing cells.
    package var content: TimeSpan
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
    var middle = usual
    if host.count > 1, kinds.contains(where: { $0.preparesAhead || $0 == .reconfigureItems }) {
      middle = TimeSpan(nanoseconds: (usual.nanoseconds + host[1].nanoseconds) / 2)
    }
    let work = [usual, faster, slower]
    return Replays(
      middle: middle, work: (work.max() ?? usual) - (work.min() ?? usual),
      host: RemovedTime(low: host.min() ?? usual, high: host.max() ?? usual),
      content: TimeSpan(nanoseconds: replay.contentTime))
  }

  private func estimate(
    of changes: [ProposedChange], _ replays: Replays
  ) -> Prediction.Estimate {
    let recorded = surface.hitchTime ?? .zero
    let refresh = surface.refreshInterval ?? .zero
    func number(_ time: TimeSpan) -> Double { Double(time.nanoseconds) }
    let evidence = PredictionCalibration.Evidence(
      refresh: number(refresh), recorded: number(recorded), work: number(replays.work),
      host: number(replays.host.width), removed: abs(number(replays.middle)),
      remaining: max(0, number(recorded - replays.middle)), content: number(replays.content))
    let calibrations = changes.map { PredictionCalibration.of(PredictionKind($0)) }
    // Several changes are as uncertain as all of them together.
    func sum(_ factor: (PredictionCalibration) -> Double) -> Double {
      calibrations.reduce(0) { $0 + factor($1) * $1.expectedError(evidence) }
    }
    let tolerance = max(number(recorded) / 4, 2 * number(refresh))
    guard
      calibrations.allSatisfy({ $0.expectedError(evidence) <= $0.limit * tolerance })
    else {
      return .obstacle(.undetermined(range(around: replays.middle, sum(\.likely), recorded)))
    }
    return .ranges(
      RemovedTimeRanges(
        certain: range(around: replays.middle, sum(\.certain), recorded),
        likely: range(around: replays.middle, sum(\.likely), recorded),
        possible: range(around: replays.middle, sum(\.possible), recorded),
        hitRate: calibrations.count == 1 ? calibrations[0].hitRate : nil))
  }

  /// Returns an interval around `middle`; no change removes more than was recorded.
  private func range(
    around middle: TimeSpan, _ distance: Double, _ recorded: TimeSpan
  ) -> RemovedTime {
    let nanoseconds = distance < 1e18 ? Int64(max(0, distance)) : Int64.max / 4
    let span = TimeSpan(nanoseconds: nanoseconds)
    return RemovedTime(low: min(recorded, middle - span), high: min(recorded, middle + span))
  }

  // MARK: - Checks

  /// The share of the time of hitches off a core, unrecorded, and the share of cells after jumps, from
  /// which a change is not known to help.
  private static let mostCoresBusy = 0.1
  private static let mostUnrecorded = 0.5
  private static let mostJumps = 0.25

  /// Returns why `changes` cannot be predicted for this recording, or `nil` if nothing speaks against it.
  private func obstacle(to changes: [ProposedChange]) -> PredictionObstacle? {
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
  /// than a view away from the ones before. `nil` if no positions are known.
  var jumpShare: Double? {
    let needed = cells.filter { $0.reason == .needed && $0.position != nil }
    guard needed.count > 1, cellsInView > 0 else { return nil }
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
}

extension Replay {
  /// The time of giving new content to existing cells, in nanoseconds.
  var contentTime: Int64 {
    model.slices.reduce(Int64(0)) { sum, slice in
      slice.cell < 0 && roles[Int(slice.label)] == .configure
        ? sum.saturatingAdd(slice.length) : sum
    }
  }
}
