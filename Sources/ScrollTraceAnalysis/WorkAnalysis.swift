public import ScrollTraceModel

/// Sums of main-thread and background work in a window (M-11). Wall time.
public struct WorkSums: Hashable, Sendable {
  /// Running time of the main track; `nil` where no main track is known.
  public let mainBusy: TimeSpan?
  /// Waiting time of the main track; `nil` where no main track is known.
  public let mainWaiting: TimeSpan?
  /// Running time of all other tracks of the host's process, summed.
  public let backgroundBusy: TimeSpan
  /// Waiting time of all other tracks of the host's process, summed.
  public let backgroundWaiting: TimeSpan
  /// The length of the union of all running time.
  public let unionBusy: TimeSpan

  /// Main busy / (main busy + background busy); `nil` without main track or work.
  public var mainShare: Double? {
    guard let mainBusy else { return nil }
    let all = mainBusy + backgroundBusy
    guard all > .zero else { return nil }
    return Double(mainBusy.nanoseconds) / Double(all.nanoseconds)
  }

  /// Busy time of all tracks / length of their union; `nil` without work.
  public var parallelism: Double? {
    guard unionBusy > .zero else { return nil }
    let all = (mainBusy ?? .zero) + backgroundBusy
    return Double(all.nanoseconds) / Double(unionBusy.nanoseconds)
  }
}

/// Main-thread and background work of the host's process (M-11).
public struct WorkAnalysis: Sendable {
  /// The time that was looked at.
  public let window: Denominator
  /// The sums over the window.
  public let sums: WorkSums
  /// Background busy time while the main thread was late, inside [deadline, commit end] of missed
  /// frames; `nil` without deadlines.
  public let backgroundWhileLate: TimeSpan?
  /// The long tasks of the main thread that touch the window; `nil` where no main track is known.
  public let longTasks: LongTasks?
  /// The tracks, main first, then by busy time, most first.
  public let tracks: [TrackWork]
}

/// The work of one track in the window.
public struct TrackWork: Sendable {
  /// The track in the trace.
  public let track: TrackID
  /// The track's name; made of its number where it has none.
  public let name: String
  /// The process's name; made of its number where it has none.
  public let process: String
  /// Whether it is the main track.
  public let isMain: Bool
  /// How long it was running: the union of its spans inside the window, less waiting.
  public let busy: TimeSpan
  /// How long it was waiting.
  public let waiting: TimeSpan
  /// How long it was neither: running, waiting and idle add up to the window.
  public let idle: TimeSpan
  /// Busy time / window; `nil` for an empty window.
  public let utilization: Double?
  /// Self time by category, most first.
  public let byCategory: [CategoryTime]
}

/// Self time of one category: spans minus the spans they contain.
public struct CategoryTime: Hashable, Sendable {
  /// The category.
  public let category: String
  /// The self time.
  public let selfTime: TimeSpan
}

/// The work of a process other than the host.
public struct ProcessWork: Sendable {
  /// The process's name; made of its number where it has none.
  public let name: String
  /// Busy time of its tracks in the window, summed.
  public let busy: TimeSpan
  /// How many of its tracks had work in the window.
  public let busyTracks: Int
}
