import ScrollTraceAnalysis
import ScrollTraceModel

extension ReplayReader {
  /// Divides the cells that frames display into runs in one direction of the scroll.
  mutating func findRuns() {
    let starts = evaluation.interactions.map(\.start.nanoseconds)
    var run = ReplayModel.Run(needs: 0..<0, start: 0, isDown: true)
    var (last, isFirst): (Int64?, Bool) = (nil, true)
    for job in model.jobs where !job.needs.isEmpty {
      let needed = model.needs[job.needs].filter { model.cells[$0].isCandidate }
      let position = needed.compactMap { model.cells[$0].position }.min()
      if let position, let last, position != last, isFirst || run.isDown != (position > last) {
        if !isFirst {
          model.runs.append(run)
          let next = starts.partitionPoint { $0 > job.start }
          run.needs = run.needs.upperBound..<run.needs.upperBound
          run.last = []
          run.start = next > 0 ? starts[next - 1] : job.start
        }
        (run.isDown, isFirst) = (position > last, false)
      }
      run.needs = run.needs.lowerBound..<job.needs.upperBound
      if !needed.isEmpty { run.last = needed }
      last = position ?? last
    }
    model.runs.append(run)
  }
}
