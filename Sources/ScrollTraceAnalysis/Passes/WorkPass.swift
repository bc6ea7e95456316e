import ScrollTraceModel

/// Sums the work of threads and processes (M-11).
struct WorkPass {
  let trace: Trace
  let workload: TrackWorkload
  let windows: TimeRangeSet
  let kind: MeasuredTimeKind

  /// The work of the host's process.
  ///
  /// - Parameters:
  ///   - late: The ranges from deadline to commit end of late frames, or `nil` if no deadline is
  ///     known.
  ///   - attributor: Determines the causes of long tasks, or `nil` to omit them.
  ///   - largest: The largest costs.
  func work(
    late: TimeRangeSet?, attributor: Attributor?, largest: [WorkCost]?
  ) -> WorkAnalysis {
    let host = (workload.main.map { [$0] } ?? []) + workload.background
    let tracks = host.map(trackWork).filter { $0.isMain || $0.busy > .zero || $0.waiting > .zero }
    return WorkAnalysis(
      window: MeasuredTime(kind: kind, duration: windows.length), sums: workload.sums(in: windows),
      backgroundBusyDuringOverruns: late.map { workload.backgroundBusy(in: $0) },
      longTasks: workload.main.map {
        LongTasks(
          of: trace.tracks[$0.index].spans, in: windows, waits: workload.waits, attributor)
      },
      tracks: tracks.stablySorted {
        ($0.isMain ? 0 : 1, TimeSpan.zero - $0.busy, $0.name) < (
          $1.isMain ? 0 : 1, TimeSpan.zero - $1.busy, $1.name
        )
      }, largest: largest)
  }

  /// The work of other processes, sorted by name.
  func otherProcesses() -> [ProcessWork] {
    Dictionary(grouping: workload.foreign) { trace.tracks[$0.index].process }
      .sorted { $0.key < $1.key }
      .compactMap { process, tracks in
        let busy = tracks.map { workload.running[$0.index].busy(in: windows) }
        let sum = busy.reduce(TimeSpan.zero, +)
        guard sum > .zero else { return nil }
        return ProcessWork(
          name: trace.displayName(of: process), busy: sum,
          busyTracks: busy.count { $0 > .zero })
      }
      .stablySorted { $0.name < $1.name }
  }

  private func trackWork(_ id: TrackID) -> TrackWork {
    let track = trace.tracks[id.index]
    let busy = workload.running[id.index].busy(in: windows)
    let waiting = workload.waiting(on: id, in: windows)
    let window = windows.length
    return TrackWork(
      name: trace.displayName(of: id), process: trace.displayName(of: track.process),
      isMain: id == workload.main, busy: busy,
      utilization: window > .zero ? busy.share(of: window) : nil,
      running: busy, waiting: waiting, idle: window - busy - waiting,
      thread: workload.thread(id, in: windows),
      byCategory: workload.selfTimes[id.index])
  }
}
