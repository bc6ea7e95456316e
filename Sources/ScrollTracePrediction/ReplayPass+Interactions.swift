import ScrollTraceAnalysis
import ScrollTraceModel

extension ReplayPass {
  /// The longest time after work at which the main thread notes what came during it.
  private static let noteTime: Int64 = 50_000

  /// The interactions as the main thread notes them: one that ends while it is busy ends afterwards, and
  /// the next one starts then.
  var interactions: [Interaction] {
    let ends = evaluation.interactions.compactMap { $0.end?.nanoseconds }.sorted()
    return evaluation.interactions.map { interaction in
      let start = interaction.start.nanoseconds
      let before = ends.partitionPoint { $0 > start }
      let follows = before > 0 && start - ends[before - 1] <= Self.noteTime
      return Interaction(
        kind: interaction.kind, name: interaction.name,
        start: noted(interaction.start, mayBeEarlier: follows),
        end: interaction.end.map { noted($0, mayBeEarlier: true) }, surface: interaction.surface)
    }
  }

  /// Returns when the main thread notes what it noted at `instant` in the recording.
  private func noted(_ instant: Timestamp, mayBeEarlier: Bool) -> Timestamp {
    let time = instant.nanoseconds
    let next = model.jobs.partitionPoint { $0.start >= time }
    let nextBusy = busy.partitionPoint { $0.start >= time }
    guard next > 0, nextBusy > 0, model.jobs[next - 1].end <= time else { return instant }
    let (job, end) = (model.jobs[next - 1], busy[nextBusy - 1].end)
    guard time - job.end <= Self.noteTime else { return max(instant, Timestamp(clamping: end)) }
    let noted = end.saturatingAdd(time - job.end)
    guard mayBeEarlier else { return max(instant, Timestamp(clamping: noted)) }
    // It came during the job, after the start of its frame.
    let interval = job.frame < 0 ? 0 : evaluation.rows[Int(job.frame)].refreshInterval?.nanoseconds
    return Timestamp(clamping: max(noted, min(time, job.start.saturatingAdd(interval ?? 0))))
  }
}
