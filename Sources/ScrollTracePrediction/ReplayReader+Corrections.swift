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
    for (index, job) in model.jobs.enumerated() where job.frame >= 0 {
      let cells = model.needs[job.needs].filter { model.cells[$0].reason == .needed }
      guard !cells.isEmpty else { continue }
      let excess = max(0, plain[index] - usual[usual.count / 2])
      for cell in cells { model.cells[cell].correction = excess / Int64(cells.count) }
    }
  }
}
