import ScrollTraceModel

/// A number with one name in JSON, OpenMetrics, budgets, baselines and comparisons.
///
/// ```swift
/// let ratio = analysis.value(of: .hitchTimeRatio)
/// ```
///
/// To add a metric, add one entry to ``all``; the list in the guide *The gate* is made from it.
public struct Metric: Hashable, Sendable {
  /// The unit of a metric.
  public enum Unit: String, Sendable, CaseIterable {
    /// Milliseconds per second.
    case msPerS = "ms/s"
    /// Nanoseconds. Text shows milliseconds.
    case ns
    /// A number of frames, tasks or cells.
    case count
    /// A part of a whole, 0 to 1.
    case share
    /// A ratio of two durations.
    case factor
    /// A number per second.
    case perS = "1/s"

    /// What the unit adds to the names of its metrics.
    fileprivate var nameEnding: String {
      switch self {
      case .msPerS: "MsPerS"
      case .ns: "Ns"
      case .share: "Share"
      case .count, .factor, .perS: ""
      }
    }
  }

  /// The direction in which a change is an improvement.
  package enum Direction: String, Sendable, CaseIterable {
    case lower
    case higher
    /// The metric explains others. A limit for it is an upper bound.
    case neutral
  }

  /// The time that a metric of a surface covers.
  package enum Scope: String, Sendable, CaseIterable {
    /// The measured time: the interactions, or the recording if no interaction is known.
    case interactions
    /// The whole recording.
    case recording
  }

  /// The subjects that have a value of the metric.
  package enum Subjects: Sendable {
    /// Surfaces, interactions and states.
    case all
    /// Surfaces and interactions.
    case work
    case surfaces
    /// Surfaces, with the sum over all lists of the recording.
    case lists
  }

  /// The key in every machine-readable form, such as `commitNs.p95`.
  public let name: String
  /// The name that people read, such as `commit p95`.
  public let label: String
  /// The unit of all values.
  public let unit: Unit
  /// What the metric is, as a phrase without a period.
  public let documentation: String
  package let better: Direction
  package let scope: Scope
  package let subjects: Subjects
  /// A Boolean value indicating whether every form reports the metric for each surface.
  package let isHeadline: Bool
  package let value: @Sendable (MetricContext) -> MetricValue?

  /// The path without the unit, from which other formats make their own names.
  package private(set) var path: String

  /// A Boolean value indicating whether the metric measures how smooth the frames were, so that a
  /// run of which too little is known cannot meet a limit for it (M-24).
  package private(set) var needsFrames = false

  /// A Boolean value indicating whether other programs on the machine hardly change the metric, so that
  /// it can be limited in a run whose main thread had no core (M-25).
  package private(set) var isIndependentOfLoad = false

  /// The name of the same metric of the whole recording, or `nil` if there is none.
  private var nameInRecording: String?

  /// Returns the value that is left without the time in which the thread lacked a core (M-21), or `nil` if
  /// it is unknown; `nil` for metrics without such a bound.
  private var lowerBound: (@Sendable (LowerBounds, MetricContext) -> MetricValue?)?

  /// A Boolean value indicating whether the metric is of a surface's frames alone, not of work that
  /// several surfaces share.
  package var isOfFrames: Bool { subjects == .all || needsFrames }

  /// A Boolean value indicating whether the metric is a percentile over a surface's frames.
  package private(set) var isPercentileOfFrames = false

  /// Returns the best value that the run could have with a core for its main thread whenever it was ready
  /// (M-21), in ``unit``, or `nil` if it is unknown.
  package func numberWithoutLoad(in context: MetricContext) -> Double? {
    guard !isIndependentOfLoad, let value = number(in: context) else { return number(in: context) }
    if let bounds = context.surface?.lowerBounds, let lowerBound {
      return lowerBound(bounds, context)?.number
    }
    let share = context.ratedSurface?.thread?.readyShare ?? 0
    return share > RatedHitches.usualReadyShare ? nil : value
  }

  /// Creates an entry. Its name is `path` with the unit, then `part` after a period.
  private init(
    _ path: String, part: String? = nil, _ label: String, _ unit: Unit, _ documentation: String,
    better: Direction = .lower, _ scope: Scope = .recording, of subjects: Subjects = .surfaces,
    isHeadline: Bool = false, _ value: @escaping @Sendable (MetricContext) -> MetricValue?
  ) {
    let part = part.map { "." + $0 } ?? ""
    name = path + unit.nameEnding + part
    self.path = path + part
    self.label = label
    self.unit = unit
    self.documentation = documentation
    self.better = better
    self.scope = scope
    self.subjects = subjects
    self.isHeadline = isHeadline
    self.value = value
  }

  /// The metric with another value of a property.
  private func with<Value>(
    _ property: WritableKeyPath<Metric, Value>, _ value: Value
  ) -> Metric {
    var metric = self
    metric[keyPath: property] = value
    return metric
  }

  /// The metric as one that measures how smooth the frames were.
  private var ofSmoothness: Metric { with(\.needsFrames, true) }

  /// The metric as one that other programs on the machine hardly change.
  private var ofTheAppAlone: Metric { with(\.isIndependentOfLoad, true) }

  /// The metric with a value without the time in which the thread lacked a core.
  private func bounded(
    _ bound: @escaping @Sendable (LowerBounds, MetricContext) -> MetricValue?
  ) -> Metric { with(\.lowerBound, bound) }

  // MARK: - The list

  /// All metrics, in the order of reports.
  public static let all: [Metric] =
    [
      hitchTimeRatio, hitchTime, hitches, hitchesInMotion, longestHitch,
      inMotion(of: longestHitch) { time($0.surface?.longestHitchInMotion) },
      Metric(
        "hitchTimeOutsideInteractions", "hitch time outside interactions", .ns,
        "hitch time that is not in the measured time (M-5)"
      ) { time($0.surface?.hitchTimeOutsideInteractions) }.ofSmoothness,
      Metric(
        "frames", "frames", .count, "all frames, presented or not",
        better: .neutral, of: .all, isHeadline: true
      ) { count($0.counts.total) }.ofTheAppAlone,
      deadlineMisses, counts(inMotionOf: deadlineMisses) { $0.deadlineMisses },
      refreshesMissed, counts(inMotionOf: refreshesMissed) { $0.refreshesMissed }, presented,
      Metric(
        "picturesInMotion", "pictures in motion", .count,
        "frames presented in motion (M-23)",
        better: .higher, .interactions
      ) { count($0.surface?.ledger?.pictures) }.ofSmoothness,
      dropped, counts(inMotionOf: dropped) { $0.dropped },
      lateWithoutHitch, counts(inMotionOf: lateWithoutHitch) { $0.lateWithoutHitch },
      ledger(
        "owed", "time in which pictures were expected", "sum of the other five", better: .neutral
      ) { $0.owed },
      ledger("new", "time with a new picture", "refreshes with a new picture", better: .higher) {
        $0.new
      },
      ledger("repeated", "time with an old picture", "the hitch time in motion") { $0.repeated },
      ledger(
        "notRequested", "time without a request", "refreshes at which nothing had to change",
        better: .neutral
      ) { $0.notRequested },
      ledger(
        "settled", "time after settling", "rest after a scroll, before the interaction ended",
        better: .neutral
      ) { $0.settled },
      ledger(
        "unknown", "unknown time in motion",
        "refreshes for which it is unknown whether a picture was owed"
      ) { $0.unknown },
      Metric(
        "stalls.count", "stalls", .count,
        "ranges in which the main thread was inside one span across two deadlines or refreshes (M-9)"
      ) { count($0.surface?.stalls?.count) },
      Metric("stalls.longest", "longest stall", .ns, "longest stall (M-9)") {
        time($0.surface?.stalls?.longest)
      },
    ]
    + percentiles("overrun", "overrun", "commit end after the deadline (M-1)") {
      $0.surface?.overrun
    }
    + [
      commitP50, commit(.p90), commitP95, commit(.p99), commit(.max),
    ]
    + percentiles("frameSpacing", "frame spacing", "time between presented frames (M-9)") {
      $0.surface?.frameSpacing
    }
    + [
      framesPerSecond("average", "frames per second", "frames per second of motion") { $0.average },
      framesPerSecond(
        "slowest1Percent", "frames per second of the slowest 1%", "rate of the longest 1% of gaps",
        isHeadline: true
      ) { $0.slowest1Percent },
      framesPerSecond(
        "slowest01Percent", "frames per second of the slowest 0.1%",
        "rate of the longest 0.1% of gaps", isHeadline: true
      ) { $0.slowest01Percent },
      slackP5, headroom, mainBusyBetweenCommits, mainBusy, backgroundBusy, mainShare, parallelism,
      Metric(
        "backgroundBusyDuringOverruns", "background busy during overruns", .ns,
        "background work between deadline and end of late commits (M-11)"
      ) { time($0.backgroundBusyDuringOverruns) },
      Metric(
        "longTasks.count", "long tasks", .count, "main-thread tasks of more than 50 ms (M-11)",
        .interactions
      ) { count($0.longTasks?.count) },
      Metric(
        "longTasks.totalBlocking", "total blocking time", .ns,
        "time of long tasks beyond 50 ms each (M-11)", .interactions
      ) { time($0.longTasks?.blocking) },
      mainCPUPerFrame, commitBlockedPerFrame, commitBlockedLongest,
      mainCPU, mainReady, mainReadyShare,
      hitchesPerSecond, mainBusyPerSecond, backgroundBusyPerSecond,
      ofLists("cells.prepared", "cells prepared", "cells that were prepared (M-14)") {
        $0.cells.prepared
      },
      ofLists("cells.created", "cells created", "prepared cells without a reused view (M-14)") {
        $0.cells.created
      },
      ofLists(
        "cells.registrationsWithoutReuse", "registrations without reuse",
        "registrations that created a view for each cell (M-14)"
      ) { $0.cells.registrationsWithoutReuse },
      ofLists(
        "cells.neverDisplayed", "cells never displayed", "prepared cells that were never displayed"
      ) { $0.cells.neverDisplayed },
      ofLists("data.late", "late data", "items displayed before their data was loaded (M-15)") {
        $0.data.late
      },
      ofLists(
        "data.staleResults", "stale results", "results for an item that a cell no longer showed"
      ) { $0.data.staleResults },
      ofLists(
        "images.decodedOnMain.count", "images decoded on main", "images decoded on the main thread"
      ) { $0.images.decodedOnMain.count },
      ofLists(
        "images.decodedInCommits.count", "images decoded in commits",
        "images decoded on the main thread in a commit"
      ) { $0.images.decodedInCommits.count },
      Metric(
        "lists.blank.time", "blank time", .ns,
        "time in which cells showed placeholders, the maximum over the lists (M-27)",
        .interactions, of: .lists
      ) { time($0.lists.compactMap(\.blank?.time).max()) }.ofTheAppAlone,
      blankRatio,
      ofLists(
        "images.neverFinal", "placeholders without content",
        "placeholders that were never replaced by content (M-15)"
      ) { $0.images.neverFinal },
      ofLists("images.placeholderCount", "placeholders", "placeholders displayed (M-15)") {
        $0.images.placeholderCount
      },
      ofLists("images.cacheMisses", "image cache misses", "images missing from the cache (M-15)") {
        $0.images.cacheMisses
      },
      ofLists("snapshots.reloaded", "items reloaded", "items that snapshots reloaded (M-14)") {
        list in list.snapshots.reduce(0) { $0.saturatingAdd($1.reloaded) }
      },
      ofLists("sizes.corrected", "sizes corrected", "estimated sizes that were wrong (M-14)") {
        $0.sizes?.corrected ?? 0
      },
    ]

  // MARK: - Entries referred to in code

  /// The hitch time in motion per second of the measured time (M-5).
  public static let hitchTimeRatio = Metric(
    "hitchTimeRatio", "hitch time ratio", .msPerS,
    "hitch time per second of the measured time (M-5)", .interactions, of: .all, isHeadline: true
  ) { $0.ratio.map { .millisecondsPerSecond($0) } }.ofSmoothness.bounded { bounds, context in
    HitchTimeRatio(hitchTime: bounds.hitchTime, duration: context.duration).map {
      .millisecondsPerSecond($0.millisecondsPerSecond)
    }
  }.with(\.path, "hitchTime")
  /// The hitch time in the measured time (M-2, M-3).
  public static let hitchTime = Metric(
    "hitchTime", "hitch time", .ns, "hitch time in the measured time (M-2, M-3)", .interactions,
    of: .all, isHeadline: true
  ) { time($0.hitchTime) }.ofSmoothness.bounded { bounds, _ in .time(bounds.hitchTime) }
  /// The number of hitches in the whole recording (M-4).
  public static let hitches = Metric(
    "hitches", "hitches", .count, "frames with hitch time (M-4)", of: .all
  ) { $0.isEvaluated ? count($0.counts.hitches) : nil }.ofSmoothness
  package static let hitchesInMotion = inMotion(of: hitches, isHeadline: true) {
    $0.isEvaluated ? count($0.surface?.hitchesInMotion) : nil
  }
  /// The longest hitch of the whole recording (M-4).
  public static let longestHitch = Metric(
    "longestHitch", "longest hitch", .ns, "hitch time of the longest hitch (M-4)", isHeadline: true
  ) { time($0.surface?.longestHitch) }.ofSmoothness
  package static let presented = Metric(
    "presented", "frames presented", .count, "presented frames", better: .higher, of: .all
  ) { count($0.counts.presented) }
  private static let dropped = Metric(
    "dropped", "frames dropped", .count, "frames that were never presented", of: .all
  ) { count($0.counts.dropped) }
  private static let lateWithoutHitch = Metric(
    "lateWithoutHitch", "late without hitch", .count,
    "late frames that cost no refresh (M-2)", of: .all
  ) { count($0.counts.lateWithoutHitch) }
  private static let refreshesMissed = Metric(
    "refreshesMissed", "refreshes missed", .count, "refreshes missed by hitches (M-7)", of: .all,
    isHeadline: true
  ) { count($0.counts.refreshesMissed) }.ofSmoothness
  /// The number of commits that ended after their deadline (M-1).
  public static let deadlineMisses = Metric(
    "deadlineMisses", "deadline misses", .count, "commits that ended after their deadline (M-1)",
    of: .all, isHeadline: true
  ) { count($0.counts.deadlineMisses) }.bounded { bounds, _ in count(bounds.deadlineMisses) }
  package static let commitP50 = commit(.p50)
  /// The length of commits that 95% do not exceed (M-8).
  public static let commitP95 = commit(.p95, isHeadline: true)
  /// The percentiles on both sides of `commitP95`; none of other metrics.
  package var neighbors: [Metric] {
    self == .commitP95 ? [Self.commit(.p90), Self.commit(.p99)] : []
  }
  package static let slackP5 = Metric(
    "slack", part: "p5", "slack p5", .ns, "time from commit end to the deadline, 5th percentile",
    better: .higher
  ) { time($0.surface?.slackP5) }
  package static let headroom = Metric(
    "headroom", "headroom", .ns,
    "idle time of the main thread from commit to deadline, summed (M-13)", better: .higher,
    isHeadline: true
  ) { time($0.surface?.headroom) }
  package static let mainBusyBetweenCommits = Metric(
    "mainBusyBetweenCommits", "main busy between commits", .ns,
    "main-thread work from one commit to the next, summed (M-12)"
  ) { time($0.surface?.mainBusyBetweenCommits) }
  package static let mainBusy = Metric(
    "mainBusy", "main busy", .ns, "work of the main thread without waits (M-11)", .interactions,
    of: .work
  ) { time($0.work?.mainBusy) }
  package static let backgroundBusy = Metric(
    "backgroundBusy", "background busy", .ns, "work of all other threads of the app (M-11)",
    better: .neutral, .interactions, of: .work
  ) { time($0.work?.backgroundBusy) }
  package static let blankRatio = Metric(
    "lists.blank.ratio", "blank time ratio", .msPerS,
    "blank time per second of the measured time, the maximum over the lists (M-27)",
    .interactions, of: .lists
  ) { context in
    context.lists.compactMap(\.blank?.ratio).max().map { .millisecondsPerSecond($0) }
  }.ofTheAppAlone.with(\.path, "lists.blank")
  package static let mainShare = Metric(
    "main", "main share", .share, "main busy, as a part of the work of all threads (M-11)",
    better: .neutral, .interactions, of: .work
  ) { share($0.work?.mainShare) }
  package static let parallelism = Metric(
    "parallelism", "parallelism", .factor,
    "work of all threads, divided by the time with any (M-11)",
    better: .higher, .interactions, of: .work
  ) { $0.work?.parallelism.map { .factor($0) } }
  /// The CPU time of the main thread per frame, if the trace has it (M-25).
  public static let mainCPUPerFrame = Metric(
    "mainCpuPerFrame", "main CPU time per frame", .ns,
    "CPU time of the main thread per frame in the measured time (M-25)", .interactions, of: .work
  ) { context in
    guard let thread = context.knownThread, let frames = context.framesInMotion, frames > 0 else {
      return nil
    }
    return .time(TimeSpan(nanoseconds: thread.ran.nanoseconds / Int64(frames)))
  }.ofTheAppAlone
  package static let commitBlockedPerFrame = Metric(
    "commitBlocked", part: "perFrame", "blocked time in commits per frame", .ns,
    "time for which commits were blocked, without waits for the display, per commit (M-25)",
    .interactions, isHeadline: true
  ) { time($0.surface?.blockedInCommits?.perFrame) }.ofTheAppAlone
  package static let commitBlockedLongest = Metric(
    "commitBlocked", part: "longest", "longest blocked time in a commit", .ns,
    "longest blocked time of one commit (M-25)", .interactions, isHeadline: true
  ) { time($0.surface?.blockedInCommits?.longest) }.ofTheAppAlone
  package static let mainCPU = Metric(
    "mainCpu", "main CPU time", .ns, "CPU time of the main thread (M-25)", .interactions, of: .work
  ) { time($0.knownThread?.ran) }.ofTheAppAlone
  package static let mainReady = Metric(
    "mainReady", "main ready without a core", .ns,
    "time for which the main thread was ready without a core (M-25)", .interactions, of: .work
  ) { context in time(context.knownThread.flatMap { $0.readyShare == nil ? nil : $0.ready }) }
  .ofTheAppAlone
  package static let mainReadyShare = Metric(
    "mainReady", "share of main ready without a core", .share,
    "ready time, as a part of the measured time (M-25)", .interactions, of: .work
  ) { share($0.knownThread?.readyShare) }.ofTheAppAlone
  package static let hitchesPerSecond = Metric(
    "hitchesPerSecond", "hitches per second", .perS,
    "hitches in motion per second of the measured time", .interactions
  ) { context in
    guard context.isEvaluated, let surface = context.surface, context.duration > .zero else {
      return nil
    }
    return .perSecond(Double(surface.hitchesInMotion) / context.duration.seconds)
  }.ofSmoothness
  package static let mainBusyPerSecond = Metric(
    "mainBusy", "main busy per second", .msPerS, "main busy per second of the measured time",
    .interactions
  ) { $0.perSecond($0.work?.mainBusy) }
  package static let backgroundBusyPerSecond = Metric(
    "backgroundBusy", "background busy per second", .msPerS,
    "background busy per second of the measured time", better: .neutral, .interactions
  ) { $0.perSecond($0.work?.backgroundBusy) }

  /// The metrics of frames that a comparison shows, in its order.
  package static let ofFrames: [Metric] = [
    hitchTimeRatio, hitchTime, hitchesInMotion, deadlineMisses, longestHitch, presented, commitP50,
    commitP95, slackP5, headroom,
  ]
  /// The metrics of work that a comparison shows.
  package static let ofWork: [Metric] = [
    mainBusyBetweenCommits, mainBusy, mainCPUPerFrame, backgroundBusy, mainShare, parallelism,
  ]
  /// The metrics that a comparison adds if its sides have different lengths.
  package static let perSecond: [Metric] = [
    hitchesPerSecond, mainBusyPerSecond, backgroundBusyPerSecond,
  ]
  /// The metrics that every form reports for each surface, in a stable order.
  package static let headline: [Metric] = all.filter(\.isHeadline)

  // MARK: - Families

  private static func time(_ span: TimeSpan?) -> MetricValue? { span.map { .time($0) } }
  private static func count(_ value: Int?) -> MetricValue? { value.map { .count(Double($0)) } }
  private static func share(_ value: Double?) -> MetricValue? { value.map { .share($0) } }

  private enum Percentile: String, CaseIterable {
    case p50, p90, p95, p99, max

    func value(in percentiles: Percentiles) -> TimeSpan {
      switch self {
      case .p50: percentiles.p50
      case .p90: percentiles.p90
      case .p95: percentiles.p95
      case .p99: percentiles.p99
      case .max: percentiles.max
      }
    }

    var words: String {
      switch self {
      case .p50: "median"
      case .p90, .p95, .p99: "\(rawValue.dropFirst())th percentile"
      case .max: "maximum"
      }
    }
  }

  private static func percentile(
    _ path: String, _ label: String, _ documentation: String, _ percentile: Percentile,
    isHeadline: Bool = false, _ values: @escaping @Sendable (MetricContext) -> Percentiles?
  ) -> Metric {
    Metric(
      path, part: percentile.rawValue, "\(label) \(percentile.rawValue)", .ns,
      "\(documentation), \(percentile.words)", isHeadline: isHeadline
    ) { time(values($0).map(percentile.value)) }.with(\.isPercentileOfFrames, true)
  }

  private static func percentiles(
    _ path: String, _ label: String, _ documentation: String,
    _ values: @escaping @Sendable (MetricContext) -> Percentiles?
  ) -> [Metric] {
    Percentile.allCases.map { percentile(path, label, documentation, $0, values) }
  }

  private static func commit(_ kind: Percentile, isHeadline: Bool = false) -> Metric {
    percentile(
      "commit", "commit", "time from commit start to commit end", kind, isHeadline: isHeadline
    ) { $0.surface?.commit }
  }

  private static func framesPerSecond(
    _ path: String, _ label: String, _ documentation: String, isHeadline: Bool = false,
    _ value: @escaping @Sendable (FrameRates) -> Double?
  ) -> Metric {
    Metric(
      "framesPerSecond.\(path)", label, .perS, "\(documentation) (M-10)", better: .higher,
      .interactions, isHeadline: isHeadline
    ) {
      ($0.surface?.frameRates).flatMap(value).map { .perSecond($0) }
    }.ofSmoothness
  }

  private static func ledger(
    _ part: String, _ label: String, _ documentation: String, better: Direction = .lower,
    _ value: @escaping @Sendable (RefreshLedger) -> TimeSpan
  ) -> Metric {
    Metric(
      "ledger", part: part, label, .ns, "\(documentation), as time (M-23)", better: better,
      .interactions
    ) { time(($0.surface?.ledger).map(value)) }.ofSmoothness
  }

  /// A metric of the whole recording in the measured time alone.
  private static func inMotion(
    of whole: Metric, isHeadline: Bool = false,
    _ value: @escaping @Sendable (MetricContext) -> MetricValue?
  ) -> Metric {
    Metric(
      "\(whole.path)InMotion", "\(whole.label) in motion", whole.unit,
      "\(whole.documentation), in the measured time", .interactions, isHeadline: isHeadline, value
    ).with(\.needsFrames, whole.needsFrames).with(\.nameInRecording, whole.name)
  }

  private static func counts(
    inMotionOf whole: Metric, _ value: @escaping @Sendable (FrameCounts) -> Int?
  ) -> Metric {
    inMotion(of: whole) { count(($0.surface?.countsInMotion).flatMap(value)) }
  }

  private static func ofLists(
    _ path: String, _ label: String, _ documentation: String,
    _ value: @escaping @Sendable (ListAnalysis) -> Int
  ) -> Metric {
    Metric("lists.\(path)", label, .count, documentation, of: .lists) { context in
      context.sum(overLists: value).map { .count($0) }
    }.ofTheAppAlone
  }
}

// MARK: - Names

extension Metric {
  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  package static func named(_ name: String) -> Metric? { byName[name] }

  /// The same metric in the measured time, or `nil` if this one does not cover the whole recording.
  package var inMotion: Metric? { Self.all.first { $0.nameInRecording == name } }

  /// A Boolean value indicating whether a limit is a lower bound.
  package var higherIsBetter: Bool { better == .higher }

  /// -1 if lower is better, 1 if higher is better, otherwise 0.
  package var goodSign: Int {
    switch better {
    case .lower: -1
    case .higher: 1
    case .neutral: 0
    }
  }

  package var isShare: Bool { unit == .share }

  /// A Boolean value indicating whether values can be less than zero: times relative to a deadline.
  package var canBeNegative: Bool { path.hasPrefix("overrun.") || path.hasPrefix("slack.") }

  package func isKnown(of subject: MetricSubject) -> Bool {
    switch (subject, subjects) {
    case (.primary, _), (.surface, _), (_, .all), (.interaction, .work): true
    case (.interaction, _), (.state, _): false
    }
  }

  package func number(in context: MetricContext) -> Double? { value(context)?.number }

  /// Returns whether both have the same name.
  public static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Analysis {
  /// Returns the value of a metric in its unit, or `nil` if it is unknown or if `subject` lacks it.
  ///
  /// - Parameters:
  ///   - metric: The metric, such as `.hitchTime`, whose values are nanoseconds.
  ///   - subject: The part of the recording.
  public func value(of metric: Metric, for subject: MetricSubject = .primary) -> Double? {
    guard metric.isKnown(of: subject) else { return nil }
    return MetricContext(of: subject, in: self).flatMap(metric.number)
  }
}
