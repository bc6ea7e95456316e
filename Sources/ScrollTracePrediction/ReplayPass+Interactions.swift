import ScrollTraceAnalysis
import ScrollTraceModel

extension ReplayPass {
  /// The longest time after work at which the main thread notes what came during it.
  private static let noteTime: Int64 = 50_000

  /// The interactions as the main thread notes them: one that ends while it is busy ends afterwards, and
  /// the next one starts then.
  var interactions: [Interaction] {
    evaluation.interactions.map { interaction in
      Interaction(
        kind: interaction.kind, name: interaction.name, start: noted(interaction.start),
        end: interaction.end.map(noted), surface: interaction.surface)
    }
  }

  /// Returns when the main thread notes what it noted at `instant` in the recording.
  private func noted(_ instant: Timestamp) -> Timestamp {
    let time = instant.nanoseconds
    let (next, nextBusy) = (
      model.jobs.partitionPoint { $0.start >= time }, busy.partitionPoint { $0.start >= time }
    )
    guard next > 0, nextBusy > 0, case let (job, busy) = (model.jobs[next - 1], busy[nextBusy - 1]),
      job.end <= time
    else { return instant }
    let delay = time - job.end
    if delay > Self.noteTime {
      return busy.end > time ? Timestamp(clamping: busy.end) : instant
    }
    // It came during the job, after the start of its frame.
    let interval = job.frame < 0 ? 0 : evaluation.rows[Int(job.frame)].refreshInterval?.nanoseconds
    let earliest = min(time, job.start.saturatingAdd(interval ?? 0))
    return Timestamp(clamping: max(earliest, busy.end.saturatingAdd(delay)))
  }
}
