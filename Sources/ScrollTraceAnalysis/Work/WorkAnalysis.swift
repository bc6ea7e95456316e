public import ScrollTraceModel

/// The main-thread and background work in a window (M-11), in wall time.
///
/// If the trace contains no work at all, which does not mean that there was none, it is unknown.
package struct WorkSums: Equatable, Sendable {
  /// The running time of the main track, or `nil` if no main track is known.
  package let mainBusy: TimeSpan?
  /// The waiting time of the main track, or `nil` if no main track is known.
  package let mainWaiting: TimeSpan?
  /// The total running time of all other tracks of the host's process.
  package let backgroundBusy: TimeSpan?
  /// The total waiting time of all other tracks of the host's process.
  package let backgroundWaiting: TimeSpan?
  /// The length of the union of all running time.
  package let unionBusy: TimeSpan
  /// What the main thread did by the system's own count (M-25), or `nil` if unknown.
  package var mainThread: ThreadTimes?

  /// The main busy time divided by the total busy time, or `nil` without a main track or work.
  package var mainShare: Double? {
    guard let mainBusy, let backgroundBusy else { return nil }
    let all = mainBusy + backgroundBusy
    guard all > .zero else { return nil }
    return Double(mainBusy.nanoseconds) / Double(all.nanoseconds)
  }

  /// The total busy time of all tracks divided by the length of their union, or `nil` without work.
  package var parallelism: Double? {
    guard unionBusy > .zero else { return nil }
    let all = (mainBusy ?? .zero) + (backgroundBusy ?? .zero)
    return Double(all.nanoseconds) / Double(unionBusy.nanoseconds)
  }

  /// The work in two times that have none in common.
  static func + (left: WorkSums, right: WorkSums) -> WorkSums {
    func sum(_ value: KeyPath<WorkSums, TimeSpan?>) -> TimeSpan? {
      left[keyPath: value].flatMap { time in right[keyPath: value].map { time + $0 } }
    }
    return WorkSums(
      mainBusy: sum(\.mainBusy), mainWaiting: sum(\.mainWaiting),
      backgroundBusy: sum(\.backgroundBusy), backgroundWaiting: sum(\.backgroundWaiting),
      unionBusy: left.unionBusy + right.unionBusy,
      mainThread: left.mainThread.flatMap { times in right.mainThread.map { times + $0 } })
  }
}

/// The main-thread and background work of the host's process (M-11).
package struct WorkAnalysis: Sendable {
  /// The measured time.
  package let window: MeasuredTime
  /// The sums in the measured time.
  package let sums: WorkSums
  /// The background busy time from deadline to commit end of late frames, or `nil` without
  /// deadlines.
  package let backgroundBusyDuringOverruns: TimeSpan?
  /// The long tasks of the main thread that touch the window, or `nil` if no main track is known.
  package let longTasks: LongTasks?
  /// The tracks, main first, then by busy time, largest first.
  package let tracks: [TrackWork]
  /// The main-thread work and waits that take most time, largest first, or `nil` if unknown.
  package let largest: [WorkCost]?
}

/// The work of a thread in the measured time (M-11).
public struct TrackWork: Codable, Sendable {
  /// The name of the thread, or one made from its number.
  public let name: String
  /// The name of the process, or one made from its number.
  public let process: String
  /// A Boolean value indicating whether this is the main thread.
  public let isMain: Bool
  /// The union of its spans, without waiting.
  public let busy: TimeSpan
  /// The busy time divided by the measured time, 0 to 1, or `nil` for an empty one.
  public let utilization: Double?
  /// Equal to `busy`.
  public let running: TimeSpan
  /// The time in which begun work waited.
  public let waiting: TimeSpan
  /// The rest of the measured time.
  public let idle: TimeSpan
  /// What the thread did as the system counted (M-25), or `nil` if nothing was counted.
  public let thread: ThreadTimes?
  /// The self time by category, most work first.
  public let byCategory: [CategoryTime]

  private enum CodingKeys: String, CodingKey {
    case name, process, isMain = "main", busy = "busyNs", utilization, running = "runningNs"
    case waiting = "waitingNs", idle = "idleNs", thread, byCategory
  }
}

/// The self time of a category: its spans without the spans inside them.
public struct CategoryTime: Codable, Equatable, Sendable {
  /// The category.
  public let category: String
  /// The self time of its work.
  public let selfTime: TimeSpan
  /// The self time of its waits, which are no work (M-11).
  public let waiting: TimeSpan

  private enum CodingKeys: String, CodingKey {
    case category, selfTime = "selfNs", waiting = "waitingNs"
  }
}

/// The work of another process than the host.
public struct ProcessWork: Codable, Sendable {
  /// The process's name, or one made from its number.
  public let name: String
  /// The total busy time of its tracks in the window.
  public let busy: TimeSpan
  /// The number of its tracks with work in the window.
  public let busyTracks: Int

  private enum CodingKeys: String, CodingKey { case name, busy = "busyNs", busyTracks }
}
