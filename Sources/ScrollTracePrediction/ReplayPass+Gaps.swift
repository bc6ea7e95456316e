import ScrollTraceAnalysis
import ScrollTraceModel

extension ReplayPass {
  /// For each refresh without a frame, the number of steps to the next frame and of refreshes without a
  /// frame until then; the reason the frames come late is work that may be gone.
  static func distancesToNextFrame(in steps: ReplaySteps) -> [(steps: Int, refreshes: Int)] {
    var distances = [(steps: Int, refreshes: Int)](
      repeating: (0, 0), count: steps.steps.count)
    var (next, count) = (steps.steps.count, 0)
    for index in steps.steps.indices.reversed() {
      guard let refresh = steps.steps[index].refresh else { continue }
      if steps.steps[index].jobs.isEmpty {
        count += 1
        distances[index] = (next - index, refresh.isMoving ? count : 0)
      } else {
        (next, count) = (index, 0)
      }
    }
    return distances
  }

  /// The cells of the next frame that came into view until the refresh `index`, which had no frame: an
  /// equal share for each such refresh and the frame, in whole lines.
  mutating func share(at index: Int) -> [Int] {
    let distance = distances[index]
    let next = index + distance.steps
    guard distance.refreshes > 0, next < steps.steps.count else { return [] }
    if gap.next != next { gap = (next, distance.refreshes) }
    let passed = gap.refreshes - distance.refreshes + 1
    return steps.jobs[steps.steps[next].jobs].flatMap { job -> [Int] in
      let cells = model.needs[model.jobs[job].needs].filter { model.cells[$0].isCandidate }
      let line = max(1, model.cellsOfLine)
      let lines = (cells.count + line - 1) / line
      let due = isOtherRate ? due(lines, at: index, of: job) : lines * passed / (gap.refreshes + 1)
      return cells.prefix(due * line).filter { isLeft($0) }
    }
  }

  /// Keeps the cells of the next frame that left the view until the refresh `index`, which had no frame: an
  /// equal share for each such refresh and the frame.
  mutating func keepShare(at index: Int) {
    let distance = distances[index]
    let next = index + distance.steps
    guard isProposed, distance.refreshes > 0, next < steps.steps.count else { return }
    let passed = gap.refreshes - distance.refreshes + 1
    for job in steps.jobs[steps.steps[next].jobs] {
      let count = model.jobs[job].leaves.count * passed / (gap.refreshes + 1)
      kept.keep(leaving: job, first: count, waiting: waitingCells + unneeded.count)
    }
  }

  /// The lines of the recorded frame of `job` that came into view until the refresh `index` at another rate.
  private func due(_ lines: Int, at index: Int, of job: Int) -> Int {
    let row = Int(model.jobs[job].frame)
    guard row > 0, let end = evaluation.rows[row].frame.start?.nanoseconds,
      var start = evaluation.rows[row - 1].frame.start?.nanoseconds, start < end
    else { return 0 }
    // Without work in between, nothing came into view before the last refresh.
    let refresh = end.saturatingAdd(-recordedInterval(row))
    if refresh > start, model.job(at: refresh) == nil { start = refresh }
    let passed = Double(steps.steps[index].start - start) / Double(end - start)
    return Int((Double(lines) * min(1, max(0, passed))).rounded())
  }

  private func recordedInterval(_ row: Int) -> Int64 {
    max(0, evaluation.rows[row].refreshInterval?.nanoseconds ?? 0)
  }
}
