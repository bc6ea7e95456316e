package import ScrollTraceAnalysis
package import ScrollTraceModel

extension Predictor {
  /// The largest number of kinds of work that are predicted at twice their speed.
  private static let speedupLimit = 3
  /// The largest number of changes that are predicted in pairs.
  private static let combinedLimit = 5

  /// The changes that have an effect, in a fixed order, without other refresh rates.
  package var candidates: [ProposedChange] {
    let cells = model.cells
    var found: [ProposedChange] = []
    if cells.contains(where: { $0.reason == .needed }) { found.append(.prepareWhenIdle) }
    if has(.decode) { found.append(.decodeInBackground) }
    if has(.load) { found.append(.loadInBackground) }
    if cells.contains(where: { $0.reusable > 0 }) { found.append(.reuseCells) }
    if cells.contains(where: { $0.reason == .reloaded }) { found.append(.reconfigureItems) }
    if cells.contains(where: { $0.reason == .discarded }) { found.append(.applyDifferences) }
    let works = surface.causes.compactMap { cause -> ProposedChange? in
      guard case .work(let category, let name) = cause.kind, cause.hitchTime > .zero else {
        return nil
      }
      return .speedup(WorkName(category: category, name: name), percent: 50)
    }
    return found + works.prefix(Self.speedupLimit)
  }

  /// Predicts each candidate alone, and ranks the predictions by the hitch time they remove (M-19).
  ///
  /// - Parameter proposed: Further changes, which findings propose.
  package func predictions(proposed: [ProposedChange] = []) -> [Prediction] {
    let candidates = candidates
    let others = proposed.filter { !candidates.contains($0) }
    return ranked((candidates + others).compactMap { predictRange([$0]) })
  }

  /// Predicts pairs of changes, and ranks those that remove more than either change alone.
  package func combinations(of predictions: [Prediction]) -> [Prediction] {
    let single = predictions.filter {
      $0.changes.count == 1 && $0.removed > .zero && $0.ranges != nil
    }
    .prefix(Self.combinedLimit)
    var found: [Prediction] = []
    for (index, first) in single.enumerated() {
      for second in single.dropFirst(index + 1) {
        guard let both = predictRange(first.changes + second.changes), both.ranges != nil,
          both.removed > max(first.removed, second.removed)
        else { continue }
        found.append(both)
      }
    }
    return ranked(found)
  }

  private func ranked(_ predictions: [Prediction]) -> [Prediction] {
    // Of equal changes a speedup comes last: it does not say how.
    predictions.stablySorted { left, right in
      if (left.ranges == nil) != (right.ranges == nil) { return left.ranges != nil }
      return (right.removed, left.hitches) < (left.removed, right.hitches)
    }
  }

  // MARK: - Required speedups

  /// Returns the speedup required for zero hitch time at a refresh interval, or `nil` if the replay
  /// needs too many frames.
  package func requiredSpeedup(at refreshInterval: TimeSpan) -> RequiredSpeedup? {
    guard let surfaceInterval = surface.refreshInterval else { return nil }
    // At the recorded rate the frames are the recorded ones.
    let isRecorded =
      (refreshInterval - surfaceInterval).magnitude * 50 < surfaceInterval
      && surface.refreshIntervals.count == 1
    let rate: [ProposedChange] = isRecorded ? [] : [.refreshInterval(refreshInterval)]
    guard let unchanged = predict(rate) else { return nil }
    let works = frameWork.prefix(Self.combinedLimit).map { WorkName(category: $0) }
    let parts = works.map { work in
      RequiredSpeedup.Part(
        work: work, percent: mostPercent { rate + [.speedup(work, percent: $0)] })
    }
    func all(_ percent: Int) -> [ProposedChange] {
      rate + frameWork.map { .speedup(WorkName(category: $0), percent: percent) }
    }
    let percentOfAll = mostPercent(all)
    let left = percentOfAll == nil ? predict(all(0))?.hitchTime : .zero
    return RequiredSpeedup(
      refreshInterval: refreshInterval, unchanged: unchanged, parts: parts,
      percentOfAll: percentOfAll,
      remainingHitchTime: left ?? unchanged.hitchTime)
  }

  /// Returns the highest percentage that leaves no hitch, or `nil` if not even zero does.
  private func mostPercent(_ changes: (Int) -> [ProposedChange]) -> Int? {
    func isSmooth(_ percent: Int) -> Bool { predict(changes(percent))?.hitchTime == .zero }
    guard isSmooth(0) else { return nil }
    if isSmooth(100) { return 100 }
    var (low, high) = (0, 100)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isSmooth(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// The categories with more than a hundredth of the work inside commits, most time first.
  private var frameWork: [String] {
    let trace = replay.evaluation.trace
    var times: [StringID: Int64] = [:]
    for job in model.jobs where job.frame >= 0 {
      for slice in model.slices[job.slices] {
        let category = trace.labels[LabelID(rawValue: slice.label)].category
        times[category, default: 0] += slice.length
      }
    }
    let whole = times.values.reduce(Int64(0)) { $0.saturatingAdd($1) }
    return times.filter { $0.value > whole / 100 }.map {
      (category: trace.strings[$0.key], time: $0.value)
    }
    .sorted { ($1.time, $0.category) < ($0.time, $1.category) }
    .map(\.category)
  }

  private var model: ReplayModel { replay.model }

  private func has(_ role: WorkRole) -> Bool {
    model.slices.contains { replay.roles[Int($0.label)] == role }
  }
}
