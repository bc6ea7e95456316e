import ScrollTraceModel

extension ReplayPass {
  /// For each refresh without a frame, the number of steps to the next frame and of refreshes without a
  /// frame until then; the reason the frames come late is work that may be gone.
  var distancesToNextFrame: [(steps: Int, refreshes: Int)] {
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
  mutating func share(
    at index: Int, _ distances: [(steps: Int, refreshes: Int)]
  ) -> [Int] {
    let distance = distances[index]
    let next = index + distance.steps
    guard !isOtherRate, distance.refreshes > 0, next < steps.steps.count else { return [] }
    if gap.next != next { gap = (next, distance.refreshes) }
    let cells = steps.jobs[steps.steps[next].jobs].flatMap { job in
      model.needs[model.jobs[job].needs].filter { model.cells[$0].isCandidate }
    }
    let line = max(1, model.cellsOfLine)
    let lines = (cells.count + line - 1) / line
    let passed = gap.refreshes - distance.refreshes + 1
    let due = (2 * lines * passed + gap.refreshes + 1) / (2 * (gap.refreshes + 1))
    return cells.prefix(due * line).filter(isLeft)
  }
}
