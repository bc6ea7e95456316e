import ScrollTraceAnalysis
import ScrollTraceModel

extension ReplayReader {
  /// Finds the time of laying out lines again in frames with new cells, by how much longer these are than
  /// others.
  mutating func markCorrections() {
    guard keys.estimatedSize != nil else { return }
    let plain = model.jobs.map { job in
      model.slices[job.slices].reduce(job.end - job.start) { time, slice in
        let role = Int(slice.label) < roles.count ? roles[Int(slice.label)] : .other
        return role == .other && slice.cell < 0 ? time : time - slice.length
      }
    }
    let usual = model.jobs.indices.filter {
      model.jobs[$0].frame >= 0 && model.jobs[$0].needs.isEmpty
    }
    .map { plain[$0] }.sorted()
    guard !usual.isEmpty else { return }
    let line = max(1, model.cellsOfLine)
    var corrections: [Int64] = []
    for (index, job) in model.jobs.enumerated() where job.frame >= 0 {
      let cells = neededCells(of: job).count
      guard cells > 0 else { continue }
      model.jobs[index].correction = max(0, plain[index] - usual[usual.count / 2])
      corrections.append(model.jobs[index].correction / Int64((cells - 1) / line + 1))
    }
    guard !corrections.isEmpty else { return }
    corrections.sort()
    for job in model.jobs where job.frame >= 0 {
      // A line gets another height by its first cell, and by the n-th if that is the largest of n.
      for (place, cell) in neededCells(of: job).enumerated() {
        model.cells[cell].correction = corrections[corrections.count / 2] / Int64(place % line + 1)
      }
    }
  }

  private func neededCells(of job: ReplayModel.Job) -> [Int] {
    model.needs[job.needs].filter { model.cells[$0].reason == .needed }
  }
}
