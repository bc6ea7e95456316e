package import ScrollTraceModel

/// Sums of main-thread and background work in a window (M-11). Wall time.
package struct WorkSums: Hashable, Sendable {
  /// Running time of the main track, or `nil` if no main track is known.
  package let mainBusy: TimeSpan?
  /// Waiting time of the main track, or `nil` if no main track is known.
  package let mainWaiting: TimeSpan?
  /// Running time of all other tracks of the host's process, summed.
  package let backgroundBusy: TimeSpan
  /// Waiting time of all other tracks of the host's process, summed.
  package let backgroundWaiting: TimeSpan
  /// The length of the union of all running time.
  package let unionBusy: TimeSpan

  /// Main busy / (main busy + background busy); `nil` without main track or work.
  package var mainShare: Double? {
    guard let mainBusy else { return nil }
    let all = mainBusy + backgroundBusy
    guard all > .zero else { return nil }
    return Double(mainBusy.nanoseconds) / Double(all.nanoseconds)
  }

  /// Busy time of all tracks / length of their union; `nil` without work.
  package var parallelism: Double? {
    guard unionBusy > .zero else { return nil }
    let all = (mainBusy ?? .zero) + backgroundBusy
    return Double(all.nanoseconds) / Double(unionBusy.nanoseconds)
  }
}

/// Main-thread and background work of the host's process (M-11).
package struct WorkAnalysis: Sendable {
  /// The time that was looked at.
  package let window: MeasuredTime
  /// The sums over the window.
  package let sums: WorkSums
  /// Background busy time while the main thread was late, inside [deadline, commit end] of missed
  /// frames; `nil` without deadlines.
  package let backgroundBusyDuringOverruns: TimeSpan?
  /// The long tasks of the main thread that touch the window, or `nil` if no main track is known.
  package let longTasks: LongTasks?
  /// The tracks, main first, then by busy time, most first.
  package let tracks: [TrackWork]
}

/// The work of one track in the window.
package struct TrackWork: Sendable {
  /// The track in the trace.
  package let track: TrackID
  /// The track's name; made of its number where it has none.
  package let name: String
  /// The process's name; made of its number where it has none.
  package let process: String
  /// Whether it is the main track.
  package let isMain: Bool
  /// How long it was running: the union of its spans inside the window, less waiting.
  package let busy: TimeSpan
  /// How long it was waiting.
  package let waiting: TimeSpan
  /// How long it was neither: running, waiting and idle add up to the window.
  package let idle: TimeSpan
  /// Busy time / window; `nil` for an empty window.
  package let utilization: Double?
  /// Self time by category, most work first.
  package let byCategory: [CategoryTime]
}

/// Self time of one category: spans minus the spans they contain.
package struct CategoryTime: Hashable, Sendable {
  /// The category.
  package let category: String
  /// The self time of its work.
  package let selfTime: TimeSpan
  /// The self time of its waits, which are no work (M-11).
  package let waiting: TimeSpan
}

/// The work of a process other than the host.
package struct ProcessWork: Sendable {
  /// The process's name; made of its number where it has none.
  package let name: String
  /// Busy time of its tracks in the window, summed.
  package let busy: TimeSpan
  /// How many of its tracks had work in the window.
  package let busyTracks: Int
}
