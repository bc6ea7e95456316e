import ScrollTraceModel

/// A number with one name in JSON, OpenMetrics, budgets, baselines and comparisons.
///
/// To add a metric, add one entry to ``all``.
package struct Metric: Hashable, Sendable {
  /// The unit of a metric.
  package enum Unit: String, Sendable, CaseIterable {
    /// Milliseconds per second. Names end in `MsPerS`.
    case msPerS = "ms/s"
    /// Nanoseconds. Names contain `Ns`. Text shows milliseconds.
    case ns
    /// A number of frames, tasks or cells.
    case count
    /// A part of a whole, 0 to 1. Names end in `Share`.
    case share
    /// A ratio of two durations.
    case factor
    /// A number per second.
    case perS = "1/s"
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
    /// Surfaces.
    case surfaces
    /// Surfaces, with the sum over all lists of the recording.
    case lists
  }

  /// The key in every machine-readable form.
  package let name: String
  /// The human-readable name.
  package let label: String
  package let unit: Unit
  package let better: Direction
  package let scope: Scope
  package let subjects: Subjects
  /// A Boolean value indicating whether every form reports the metric for each surface.
  package let isHeadline: Bool
  /// Returns the value, or `nil` if it is unknown.
  package let value: @Sendable (MetricContext) -> MetricValue?

  /// A Boolean value indicating whether the metric measures how smooth the frames were, so that a
  /// run of which too little is known cannot meet a limit for it (M-24).
  package private(set) var needsFrames = false

  /// A Boolean value indicating whether other programs on the machine hardly change the metric, so that
  /// it can be limited in a run whose main thread had no core (M-25).
  package private(set) var isIndependentOfLoad = false

  /// Returns the value that is left without the time in which the thread lacked a core (M-21), or `nil` if
  /// it is unknown; `nil` for metrics without such a bound.
  private var lowerBound: (@Sendable (LowerBounds, MetricContext) -> MetricValue?)?

  /// A Boolean value indicating whether the metric is of a surface's frames alone, not of work that
  /// several surfaces share.
  package var isOfFrames: Bool { subjects == .all || needsFrames }

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

  private init(
    _ name: String, _ label: String, _ unit: Unit, better: Direction = .lower,
    _ scope: Scope = .recording, of subjects: Subjects = .surfaces, isHeadline: Bool = false,
    _ value: @escaping @Sendable (MetricContext) -> MetricValue?
  ) {
    self.name = name
    self.label = label
    self.unit = unit
    self.better = better
    self.scope = scope
    self.subjects = subjects
    self.isHeadline = isHeadline
    self.value = value
  }

  /// The metric as one that measures how smooth the frames were.
  private var ofSmoothness: Metric {
    var metric = self
    metric.needsFrames = true
    return metric
  }

  /// The metric as one that other programs on the machine hardly change.
  private var ofTheAppAlone: Metric {
    var metric = self
    metric.isIndependentOfLoad = true
    return metric
  }

  /// The metric with a value without the time in which the thread lacked a core.
  private func bounded(
    _ bound: @escaping @Sendable (LowerBounds, MetricContext) -> MetricValue?
  ) -> Metric {
    var metric = self
    metric.lowerBound = bound
    return metric
  }

  // MARK: - The list

  /// All metrics, in the order of reports.
  package static let all: [Metric] =
    [
      hitchTimeRatio, hitchTime,
      Metric("hitches", "hitches", .count, of: .all) {
        $0.isEvaluated ? .count(Double($0.counts.hitches)) : nil
      }.ofSmoothness,
      hitchesInMotion, longestHitch,
      Metric("longestHitchInMotionNs", "longest hitch in motion", .ns, .interactions) {
        time($0.surface?.longestHitchInMotion)
      }.ofSmoothness,
      Metric(
        "hitchTimeOutsideInteractionsNs", "hitch time outside interactions", .ns
      ) { time($0.surface?.hitchTimeOutsideInteractions) }.ofSmoothness,
      Metric("frames", "frames", .count, better: .neutral, of: .all, isHeadline: true) {
        count($0.counts.total)
      }.ofTheAppAlone,
      deadlineMisses, inMotion("deadlineMisses", "deadline misses") { $0.deadlineMisses },
      Metric("refreshesMissed", "refreshes missed", .count, of: .all, isHeadline: true) {
        count($0.counts.refreshesMissed)
      }.ofSmoothness,
      inMotion("refreshesMissed", "refreshes missed") { $0.refreshesMissed }.ofSmoothness,
      presented,
      Metric("picturesInMotion", "pictures in motion", .count, better: .higher, .interactions) {
        count($0.surface?.ledger?.pictures)
      }.ofSmoothness,
      Metric("dropped", "frames dropped", .count, of: .all) { count($0.counts.dropped) },
      inMotion("dropped", "frames dropped") { $0.dropped },
      Metric("lateWithoutHitch", "late without hitch", .count, of: .all) {
        count($0.counts.lateWithoutHitch)
      },
      inMotion("lateWithoutHitch", "late without hitch") { $0.lateWithoutHitch },
      ledger("owed", "time in which pictures were expected", better: .neutral) { $0.owed },
      ledger("new", "time with a new picture", better: .higher) { $0.new },
      ledger("repeated", "time with an old picture") { $0.repeated },
      ledger("notRequested", "time without a request", better: .neutral) { $0.notRequested },
      ledger("settled", "time after settling", better: .neutral) { $0.settled },
      ledger("unknown", "unknown time in motion") { $0.unknown },
      Metric("stalls.count", "stalls", .count) { count($0.surface?.stalls?.count) },
      Metric("stalls.longestNs", "longest stall", .ns) { time($0.surface?.stalls?.longest) },
    ] + percentiles("overrunNs", "overrun") { $0.surface?.overrun }
    + [
      commitP50, percentile("commitNs", "commit", .p90) { $0.surface?.commit }, commitP95,
      percentile("commitNs", "commit", .p99) { $0.surface?.commit },
      percentile("commitNs", "commit", .max) { $0.surface?.commit },
    ] + percentiles("frameSpacingNs", "frame spacing") { $0.surface?.frameSpacing }
    + [
      framesPerSecond("average", "frames per second") { $0.average },
      framesPerSecond(
        "slowest1Percent", "frames per second of the slowest 1%", isHeadline: true
      ) { $0.slowest1Percent },
      framesPerSecond(
        "slowest01Percent", "frames per second of the slowest 0.1%", isHeadline: true
      ) { $0.slowest01Percent },
      slackP5, headroom, mainBusyBetweenCommits, mainBusy, backgroundBusy, mainShare, parallelism,
      Metric(
        "backgroundBusyDuringOverrunsNs", "background busy during overruns", .ns
      ) { time($0.backgroundBusyDuringOverruns) },
      Metric("longTasks.count", "long tasks", .count, .interactions) {
        count($0.longTasks?.count)
      },
      Metric("longTasks.totalBlockingNs", "total blocking time", .ns, .interactions) {
        time($0.longTasks?.blocking)
      },
      mainCPUPerFrame, commitBlockedPerFrame, commitBlockedLongest,
      mainCPU, mainReady, mainReadyShare,
      hitchesPerSecond, mainBusyPerSecond, backgroundBusyPerSecond,
      ofLists("cells.prepared", "cells prepared") { $0.cells.prepared },
      ofLists("cells.created", "cells created") { $0.cells.created },
      ofLists("cells.registrationsWithoutReuse", "registrations without reuse") {
        $0.cells.registrationsWithoutReuse
      },
      ofLists("cells.neverDisplayed", "cells never displayed") { $0.cells.neverDisplayed },
      ofLists("data.late", "late data") { $0.data.late },
      ofLists("data.staleResults", "stale results") { $0.data.staleResults },
      ofLists("images.decodedOnMain.count", "images decoded on main") { $0.images.onMain.count },
      ofLists("images.decodedInCommits.count", "images decoded in commits") {
        $0.images.inFrames.count
      },
      Metric("lists.blank.timeNs", "blank time", .ns, .interactions, of: .lists) { context in
        time(context.lists.compactMap(\.blank?.time).max())
      }.ofTheAppAlone,
      blankRatio,
      ofLists("images.neverFinal", "placeholders without content") { $0.images.neverFinal },
      ofLists("images.placeholderCount", "placeholders") { $0.images.placeholders?.count ?? 0 },
      ofLists("images.cacheMisses", "image cache misses") { $0.images.cacheMisses },
      ofLists("snapshots.reloaded", "items reloaded") { list in
        list.snapshots.reduce(0) { $0.saturatingAdd($1.reloaded) }
      },
      ofLists("sizes.corrected", "sizes corrected") { $0.sizes?.corrected ?? 0 },
    ]

  // MARK: - Entries referred to in code

  package static let hitchTimeRatio = Metric(
    "hitchTimeRatioMsPerS", "hitch time ratio", .msPerS, .interactions, of: .all, isHeadline: true
  ) { $0.ratio.map { .millisecondsPerSecond($0) } }.ofSmoothness.bounded { bounds, context in
    HitchTimeRatio(hitchTime: bounds.hitchTime, duration: context.duration).map {
      .millisecondsPerSecond($0.millisecondsPerSecond)
    }
  }
  package static let hitchTime = Metric(
    "hitchTimeNs", "hitch time", .ns, .interactions, of: .all, isHeadline: true
  ) { time($0.hitchTime) }.ofSmoothness.bounded { bounds, _ in .time(bounds.hitchTime) }
  package static let hitchesInMotion = Metric(
    "hitchesInMotion", "hitches in motion", .count, .interactions, isHeadline: true
  ) { $0.isEvaluated ? count($0.surface?.hitchesInMotion) : nil }.ofSmoothness
  package static let longestHitch = Metric(
    "longestHitchNs", "longest hitch", .ns, isHeadline: true
  ) { time($0.surface?.longestHitch) }.ofSmoothness
  package static let presented = Metric(
    "presented", "frames presented", .count, better: .higher, of: .all
  ) { count($0.counts.presented) }
  package static let deadlineMisses = Metric(
    "deadlineMisses", "deadline misses", .count, of: .all, isHeadline: true
  ) { count($0.counts.deadlineMisses) }.bounded { bounds, _ in count(bounds.deadlineMisses) }
  package static let commitP50 = percentile("commitNs", "commit", .p50) { $0.surface?.commit }
  package static let commitP95 = percentile("commitNs", "commit", .p95, isHeadline: true) {
    $0.surface?.commit
  }
  package static let slackP5 = Metric("slackNs.p5", "slack p5", .ns, better: .higher) {
    time($0.surface?.slackP5)
  }
  package static let headroom = Metric(
    "headroomNs", "headroom", .ns, better: .higher, isHeadline: true
  ) { time($0.surface?.headroom) }
  package static let mainBusyBetweenCommits = Metric(
    "mainBusyBetweenCommitsNs", "main busy between commits", .ns
  ) { time($0.surface?.mainBusyBetweenCommits) }
  package static let mainBusy = Metric("mainBusyNs", "main busy", .ns, .interactions, of: .work) {
    time($0.work?.mainBusy)
  }
  package static let backgroundBusy = Metric(
    "backgroundBusyNs", "background busy", .ns, better: .neutral, .interactions, of: .work
  ) { time($0.work?.backgroundBusy) }
  package static let blankRatio = Metric(
    "lists.blank.ratioMsPerS", "blank time ratio", .msPerS, .interactions, of: .lists
  ) { context in
    context.lists.compactMap(\.blank?.ratio).max().map { .millisecondsPerSecond($0) }
  }.ofTheAppAlone
  package static let mainShare = Metric(
    "mainShare", "main share", .share, better: .neutral, .interactions, of: .work
  ) { share($0.work?.mainShare) }
  package static let parallelism = Metric(
    "parallelism", "parallelism", .factor, better: .higher, .interactions, of: .work
  ) { $0.work?.parallelism.map { .factor($0) } }
  package static let mainCPUPerFrame = Metric(
    "mainCpuPerFrameNs", "main CPU time per frame", .ns, .interactions, of: .work
  ) { context in
    guard let thread = context.knownThread, let frames = context.framesInMotion, frames > 0 else {
      return nil
    }
    return .time(TimeSpan(nanoseconds: thread.running.nanoseconds / Int64(frames)))
  }.ofTheAppAlone
  package static let commitBlockedPerFrame = Metric(
    "commitBlockedNs.perFrame", "blocked time in commits per frame", .ns, .interactions,
    isHeadline: true
  ) { time($0.surface?.blockedInCommits?.perFrame) }.ofTheAppAlone
  package static let commitBlockedLongest = Metric(
    "commitBlockedNs.longest", "longest blocked time in a commit", .ns, .interactions,
    isHeadline: true
  ) { time($0.surface?.blockedInCommits?.longest) }.ofTheAppAlone
  package static let mainCPU = Metric(
    "mainCpuNs", "main CPU time", .ns, .interactions, of: .work
  ) { time($0.knownThread?.running) }.ofTheAppAlone
  package static let mainReady = Metric(
    "mainReadyNs", "main ready without a core", .ns, .interactions, of: .work
  ) { context in time(context.knownThread.flatMap { $0.readyShare == nil ? nil : $0.ready }) }
  .ofTheAppAlone
  package static let mainReadyShare = Metric(
    "mainReadyShare", "share of main ready without a core", .share, .interactions, of: .work
  ) { share($0.knownThread?.readyShare) }.ofTheAppAlone
  package static let hitchesPerSecond = Metric(
    "hitchesPerSecond", "hitches per second", .perS, .interactions
  ) { context in
    guard context.isEvaluated, let surface = context.surface, context.duration > .zero else {
      return nil
    }
    return .perSecond(Double(surface.hitchesInMotion) / context.duration.seconds)
  }.ofSmoothness
  package static let mainBusyPerSecond = Metric(
    "mainBusyMsPerS", "main busy per second", .msPerS, .interactions
  ) { $0.perSecond($0.work?.mainBusy) }
  package static let backgroundBusyPerSecond = Metric(
    "backgroundBusyMsPerS", "background busy per second", .msPerS, better: .neutral, .interactions
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
  }

  private static func percentile(
    _ name: String, _ label: String, _ percentile: Percentile, isHeadline: Bool = false,
    _ values: @escaping @Sendable (MetricContext) -> Percentiles?
  ) -> Metric {
    Metric(
      "\(name).\(percentile.rawValue)", "\(label) \(percentile.rawValue)", .ns,
      isHeadline: isHeadline
    ) { time(values($0).map(percentile.value)) }
  }

  private static func percentiles(
    _ name: String, _ label: String,
    _ values: @escaping @Sendable (MetricContext) -> Percentiles?
  ) -> [Metric] {
    Percentile.allCases.map { percentile(name, label, $0, values) }
  }

  private static func framesPerSecond(
    _ name: String, _ label: String, isHeadline: Bool = false,
    _ value: @escaping @Sendable (FrameRates) -> Double?
  ) -> Metric {
    Metric(
      "framesPerSecond.\(name)", label, .perS, better: .higher, .interactions,
      isHeadline: isHeadline
    ) {
      ($0.surface?.frameRates).flatMap(value).map { .perSecond($0) }
    }.ofSmoothness
  }

  private static func ledger(
    _ part: String, _ label: String, better: Direction = .lower,
    _ value: @escaping @Sendable (RefreshLedger) -> TimeSpan
  ) -> Metric {
    Metric("ledgerNs.\(part)", label, .ns, better: better, .interactions) {
      time(($0.surface?.ledger).map(value))
    }.ofSmoothness
  }

  private static func inMotion(
    _ name: String, _ label: String, _ value: @escaping @Sendable (FrameCounts) -> Int?
  ) -> Metric {
    Metric("\(name)InMotion", "\(label) in motion", .count, .interactions) {
      count(($0.surface?.countsInMotion).flatMap(value))
    }
  }

  private static func ofLists(
    _ name: String, _ label: String, _ value: @escaping @Sendable (ListAnalysis) -> Int
  ) -> Metric {
    Metric("lists.\(name)", label, .count, of: .lists) { context in
      context.sum(overLists: value).map { .count($0) }
    }.ofTheAppAlone
  }
}

// MARK: - Names

extension Metric {
  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// Returns the metric with a name, or `nil` if there is none.
  package static func named(_ name: String) -> Metric? { byName[name] }

  /// The same metric in the measured time, or `nil` if this one does not cover the whole recording.
  package var inMotion: Metric? {
    name == "longestHitchNs"
      ? Self.byName["longestHitchInMotionNs"] : Self.byName["\(name)InMotion"]
  }

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

  /// A Boolean value indicating whether the metric is a part of a whole.
  package var isShare: Bool { unit == .share }

  /// Returns whether `subject` has the metric.
  package func isKnown(of subject: MetricSubject) -> Bool {
    switch (subject, subjects) {
    case (.primary, _), (.surface, _), (_, .all), (.interaction, .work): true
    case (.interaction, _), (.state, _): false
    }
  }

  /// Returns the value in ``unit``, or `nil` if it is unknown.
  package func number(in context: MetricContext) -> Double? { value(context)?.number }

  /// Metrics with one name are one metric.
  package static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
