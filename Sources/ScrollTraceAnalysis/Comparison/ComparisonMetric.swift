import ScrollTraceModel

/// The numbers of a surface and of the host's work that two recordings are compared by.
package enum ComparisonMetric: String, Sendable, CaseIterable {
  /// The hitch time ratio (M-5).
  case hitchTimeRatio
  /// The hitch time inside the ratio's time (M-5).
  case hitchTime
  /// The hitches with a part inside the ratio's time.
  case hitches
  /// Frames that were shown, in the whole recording.
  case presented
  /// Commits that ended after their deadline (M-1), in the whole recording.
  case deadlineMisses
  /// The longest hitch.
  case longestHitch
  /// The median time from commit start to commit end.
  case commitP50
  /// The 95th percentile of the same.
  case commitP95
  /// The 5th percentile of slack (M-13).
  case slackP5
  /// Idle main-thread time between commits and deadlines (M-13).
  case headroom
  /// The sum of main-thread work per frame (M-12).
  case mainBusyBetweenCommits
  /// Busy time of the main thread (M-11).
  case mainBusy
  /// Busy time of all other tracks, summed (M-11).
  case backgroundBusy
  /// Main busy / (main busy + background busy).
  case mainShare
  /// Busy time of all tracks / length of their union.
  case parallelism
  /// Hitches in each second of the ratio's time.
  case hitchesPerSecond
  /// Busy time of the main thread in each second of the time that was looked at.
  case mainBusyPerSecond
  /// Busy time of all other tracks in each second of the same.
  case backgroundBusyPerSecond

  /// What is said of frames.
  package static let ofFrames: [ComparisonMetric] = [
    .hitchTimeRatio, .hitchTime, .hitches, .deadlineMisses, .longestHitch, .presented, .commitP50,
    .commitP95, .slackP5, .headroom,
  ]
  /// What is said of work.
  package static let ofWork: [ComparisonMetric] = [
    .mainBusyBetweenCommits, .mainBusy, .backgroundBusy, .mainShare, .parallelism,
  ]
  /// What is said besides where the two did not last equally long.
  package static let perSecond: [ComparisonMetric] = [
    .hitchesPerSecond, .mainBusyPerSecond, .backgroundBusyPerSecond,
  ]

  /// -1 where less is better, 1 where more is, 0 where neither is by itself.
  package var goodSign: Int {
    switch self {
    case .hitchTimeRatio, .hitchTime, .hitches, .deadlineMisses, .longestHitch, .commitP50,
      .commitP95, .mainBusyBetweenCommits, .mainBusy, .hitchesPerSecond, .mainBusyPerSecond:
      -1
    case .presented, .slackP5, .headroom: 1
    case .backgroundBusy, .mainShare, .parallelism, .backgroundBusyPerSecond: 0
    }
  }

  /// The number for one run; `nil` where it is not known.
  func value(of surface: SurfaceAnalysis?, in run: Analysis) -> MetricValue? {
    switch self {
    case .hitchTimeRatio:
      surface?.ratio.map { .millisecondsPerSecond($0.millisecondsPerSecond) }
    case .hitchTime: Self.time(surface?.hitchTime)
    case .hitches: evaluated(surface).map { .count(Double($0.hitchesInMotion)) }
    case .deadlineMisses: surface?.counts.deadlineMisses.map { .count(Double($0)) }
    case .presented: surface?.counts.presented.map { .count(Double($0)) }
    case .longestHitch: Self.time(surface?.longestHitch)
    case .commitP50: Self.time(surface?.commit?.p50)
    case .commitP95: Self.time(surface?.commit?.p95)
    case .slackP5: Self.time(surface?.slackP5)
    case .headroom: Self.time(surface?.headroom)
    case .mainBusyBetweenCommits: Self.time(surface?.mainBusyBetweenCommits)
    case .mainBusy: Self.time(run.mainBusy)
    case .backgroundBusy: Self.time(run.backgroundBusy)
    case .mainShare: run.work.sums.mainShare.map { .share($0) }
    case .parallelism: run.work.sums.parallelism.map { .factor($0) }
    case .hitchesPerSecond:
      evaluated(surface).flatMap { surface in
        let seconds = surface.measuredTime.duration.seconds
        return seconds > 0 ? .perSecond(Double(surface.hitchesInMotion) / seconds) : nil
      }
    case .mainBusyPerSecond: Self.perSecond(run.mainBusy, run.work.window.duration)
    case .backgroundBusyPerSecond: Self.perSecond(run.backgroundBusy, run.work.window.duration)
    }
  }

  private func evaluated(_ surface: SurfaceAnalysis?) -> SurfaceAnalysis? {
    surface.flatMap { $0.isEvaluated ? $0 : nil }
  }

  private static func time(_ span: TimeSpan?) -> MetricValue? { span.map { .time($0) } }

  private static func perSecond(_ busy: TimeSpan?, _ window: TimeSpan) -> MetricValue? {
    guard let busy, window > .zero else { return nil }
    return .millisecondsPerSecond(busy.milliseconds / window.seconds)
  }
}

extension Analysis {
  /// Whether any work was recorded in the time that was looked at: silence is not the same as rest.
  var knowsWork: Bool { work.sums.unionBusy > .zero }

  /// Busy time of the main thread; `nil` where no work was recorded.
  var mainBusy: TimeSpan? { knowsWork ? work.sums.mainBusy : nil }

  /// Busy time of all other tracks; `nil` where no work was recorded.
  var backgroundBusy: TimeSpan? { knowsWork ? work.sums.backgroundBusy : nil }
}
