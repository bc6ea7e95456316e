public import ScrollTraceModel

/// The work of the main thread and the background in some time (M-11), each `nil` if unknown.
///
/// Times are wall time. If the trace contains no work at all, which does not mean that there was none, it is
/// unknown.
public struct WorkSums: Codable, Equatable, Sendable {
  /// The running time of the main thread.
  public let mainBusy: TimeSpan?
  /// The total running time of all other threads of the app.
  public let backgroundBusy: TimeSpan?
  /// Equal to `mainBusy`.
  public let mainRunning: TimeSpan?
  /// The time in which work of the main thread waited.
  public let mainWaiting: TimeSpan?
  /// Equal to `backgroundBusy`.
  public let backgroundRunning: TimeSpan?
  /// The time in which work of the other threads waited.
  public let backgroundWaiting: TimeSpan?
  /// The main thread's share of the work, 0 to 1.
  public let mainShare: Double?
  /// The total work divided by the time in which any thread worked, from 1 on.
  public let parallelism: Double?
  /// What the main thread did (M-25).
  public let mainThread: ThreadTimes?
  /// The length of the union of all running time.
  package private(set) var unionBusy = TimeSpan.zero

  private enum CodingKeys: String, CodingKey {
    case mainBusy = "mainBusyNs", backgroundBusy = "backgroundBusyNs"
    case mainRunning = "mainRunningNs", mainWaiting = "mainWaitingNs"
    case backgroundRunning = "backgroundRunningNs", backgroundWaiting = "backgroundWaitingNs"
    case mainShare, parallelism, mainThread
  }

  init(
    mainBusy: TimeSpan?, mainWaiting: TimeSpan?, backgroundBusy: TimeSpan?,
    backgroundWaiting: TimeSpan?, unionBusy: TimeSpan, mainThread: ThreadTimes?
  ) {
    (self.mainBusy, mainRunning, self.mainWaiting) = (mainBusy, mainBusy, mainWaiting)
    (self.backgroundBusy, backgroundRunning) = (backgroundBusy, backgroundBusy)
    self.backgroundWaiting = backgroundWaiting
    (self.unionBusy, self.mainThread) = (unionBusy, mainThread)
    func ratio(_ part: TimeSpan?, to whole: TimeSpan) -> Double? {
      whole > .zero ? part.map { $0.share(of: whole) } : nil
    }
    let all = (mainBusy ?? .zero) + (backgroundBusy ?? .zero)
    mainShare = ratio(backgroundBusy == nil ? nil : mainBusy, to: all)
    parallelism = ratio(all, to: unionBusy)
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
  package let window: MeasuredTime
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
  /// The time in which work waited.
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
