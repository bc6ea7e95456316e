import ScrollTraceModel

/// A metric that a budget can limit, by its name in the JSON report.
///
/// The one table of them: to add a metric, add its line to `all`.
public struct BudgetMetric: Hashable, Sendable {
  /// In what it is measured.
  public enum Unit: String, Sendable {
    /// Milliseconds in each second.
    case ratio = "ms/s"
    /// Milliseconds; the names of these end in `Ns`, since reports give nanoseconds.
    case time = "ms"
    /// Counts, shares and factors.
    case number = ""
  }

  /// Of what a metric is known.
  public enum Reach: Sendable {
    /// Of surfaces, interactions and states.
    case everything
    /// Of surfaces and interactions: it speaks of work.
    case work
    /// Of whole surfaces only.
    case surfaces
  }

  /// Its name in the JSON report.
  public let name: String
  /// In what it is measured.
  public let unit: Unit
  /// Whether a higher value is the better one.
  public let higherIsBetter: Bool
  /// Of what it is known.
  public let reach: Reach
  /// What the source calls it, where it is one of the numbers that a source tells itself.
  public let told: String?
  /// Its value; `nil` where it is not known.
  let value: @Sendable (MetricFacts) -> Double?

  private init(
    _ name: String, _ unit: Unit, _ reach: Reach = .everything, higherIsBetter: Bool = false,
    _ value: @escaping @Sendable (MetricFacts) -> Double?
  ) {
    self.name = name
    self.unit = unit
    self.reach = reach
    self.higherIsBetter = higherIsBetter
    told = nil
    self.value = value
  }

  /// The number that a source tells itself under the name `told`, in its unit.
  ///
  /// Where the name says that frames are counted for each second, or that it is a score or the part of
  /// frames in time, a higher value is the better one.
  private init(told: String) {
    name = "told." + told
    unit = .number
    reach = .surfaces
    higherIsBetter = ["fps", "FPS", "frameRate", "score", "hz_frame_percentage"].contains {
      told.contains($0)
    }
    self.told = told
    value = { _ in nil }
  }

  /// All metrics, in the order of the JSON report.
  public static let all: [BudgetMetric] =
    [
      BudgetMetric("hitchTimeRatioMsPerS", .ratio) { $0.ratio },
      BudgetMetric("hitchTimeNs", .time) { $0.hitchTime?.milliseconds },
      BudgetMetric("hitches", .number) { $0.isJudged ? Double($0.counts.hitches) : nil },
      count("deadlineMisses") { $0.deadlineMisses },
      count("refreshesMissed") { $0.refreshesMissed },
      count("presented", higherIsBetter: true) { $0.presented },
      count("dropped") { $0.dropped }, count("stuffed") { $0.lateWithoutHitch },
      BudgetMetric("hitchesInMotion", .number, .surfaces) {
        $0.isJudged ? ($0.surface?.hitchesInside).map(Double.init) : nil
      },
      countInMotion("deadlineMisses") { $0.deadlineMisses },
      countInMotion("refreshesMissed") { $0.refreshesMissed },
      countInMotion("presented", higherIsBetter: true) { $0.presented },
      countInMotion("dropped") { $0.dropped }, countInMotion("stuffed") { $0.lateWithoutHitch },
      BudgetMetric("shownShare", .number, .surfaces, higherIsBetter: true) {
        $0.surface?.shownShare
      },
      BudgetMetric("hitchTimeOutsideNs", .time, .surfaces) {
        $0.surface?.hitchTimeOutside?.milliseconds
      },
      BudgetMetric("longestHitchNs", .time, .surfaces) { $0.surface?.longestHitch?.milliseconds },
      BudgetMetric("longestHitchInMotionNs", .time, .surfaces) {
        $0.surface?.longestHitchInside?.milliseconds
      },
      BudgetMetric("stalls.count", .number, .surfaces) {
        ($0.surface?.stalls?.count).map(Double.init)
      },
      BudgetMetric("stalls.longestNs", .time, .surfaces) {
        $0.surface?.stalls?.longest.milliseconds
      },
    ] + percentiles("overrunNs") { $0.surface?.overrun }
    + percentiles("commitNs") { $0.surface?.commit }
    + percentiles("paceNs") { $0.surface?.pace }
    + [
      BudgetMetric("slackP5Ns", .time, .surfaces, higherIsBetter: true) {
        $0.surface?.slackP5?.milliseconds
      },
      BudgetMetric("headroomNs", .time, .surfaces, higherIsBetter: true) {
        $0.surface?.headroom?.milliseconds
      },
      BudgetMetric("mainWorkAreaNs", .time, .surfaces) { $0.surface?.mainWorkArea?.milliseconds },
      BudgetMetric("mainBusyNs", .time, .work) { $0.knownWork?.mainBusy?.milliseconds },
      BudgetMetric("backgroundBusyNs", .time, .work) { $0.knownWork?.backgroundBusy.milliseconds },
      BudgetMetric("mainShare", .number, .work) { $0.work?.mainShare },
      BudgetMetric("parallelism", .number, .work, higherIsBetter: true) { $0.work?.parallelism },
      BudgetMetric("backgroundWhileLateNs", .time, .surfaces) {
        $0.backgroundWhileLate?.milliseconds
      },
      BudgetMetric("longTasks.count", .number, .surfaces) {
        ($0.longTasks?.count).map(Double.init)
      },
      BudgetMetric("longTasks.blockingNs", .time, .surfaces) {
        $0.longTasks?.blocking.milliseconds
      },
    ] + lists

  /// A count of frames.
  private static func count(
    _ name: String, higherIsBetter: Bool = false,
    _ value: @escaping @Sendable (FrameCounts) -> Int?
  ) -> BudgetMetric {
    BudgetMetric(name, .number, higherIsBetter: higherIsBetter) {
      value($0.counts).map(Double.init)
    }
  }

  /// The same count of the time of the ratio alone.
  private static func countInMotion(
    _ name: String, higherIsBetter: Bool = false,
    _ value: @escaping @Sendable (FrameCounts) -> Int?
  ) -> BudgetMetric {
    BudgetMetric("\(name)InMotion", .number, .surfaces, higherIsBetter: higherIsBetter) {
      ($0.surface?.countsInMotion).flatMap(value).map(Double.init)
    }
  }

  /// Those of the recording's lists, summed over them: counts of work, which hardly know chance.
  private static let lists: [BudgetMetric] = [
    ofLists("cells.prepared") { $0.cells.prepared },
    ofLists("cells.created") { $0.cells.created },
    ofLists("cells.registrationsWithoutReuse") { $0.cells.registrationsWithoutReuse },
    ofLists("cells.neverShown") { $0.cells.neverShown },
    ofLists("data.late") { $0.data.late },
    ofLists("data.lateResults") { $0.data.lateResults },
    ofLists("images.decodedOnMain.count") { $0.images.onMain.count },
    ofLists("images.decodedInCommits.count") { $0.images.inFrames.count },
    ofLists("images.placeholderCount") { $0.images.placeholders?.count ?? 0 },
    ofLists("images.cacheMisses") { $0.images.cacheMisses },
    ofLists("snapshots.reloaded") { list in
      list.snapshots.reduce(0) { $0.addingReportingOverflow($1.reloaded).partialValue }
    },
    ofLists("sizes.corrected") { $0.sizes?.corrected ?? 0 },
  ]

  private static func ofLists(
    _ name: String, _ value: @escaping @Sendable (ListAnalysis) -> Int
  ) -> BudgetMetric {
    BudgetMetric("lists.\(name)", .number, .surfaces) { $0.sum(overLists: value) }
  }

  /// The metric called `name`; `nil` where there is none.
  ///
  /// Behind `told.` stands the name of any number that a source may tell itself, such as
  /// `told.frameOverrunMsP99`.
  public static func named(_ name: String) -> BudgetMetric? {
    if let metric = all.first(where: { $0.name == name }) { return metric }
    guard name.hasPrefix("told."), 6...100 ~= name.utf8.count else { return nil }
    return BudgetMetric(told: String(name.dropFirst(5)))
  }

  /// The same of the time of the ratio alone, where this one is of the whole recording and there is
  /// such a one.
  var inMotion: BudgetMetric? {
    name == "longestHitchNs"
      ? Self.named("longestHitchInMotionNs") : Self.named("\(name)InMotion")
  }

  /// Whether it says how smooth the frames were, so that a run of which too little is known has no
  /// value that meets a limit (M-24).
  var needsFrames: Bool {
    ["hitch", "longestHitch", "refreshesMissed", "shownShare"].contains { name.hasPrefix($0) }
  }

  /// Whether it is a part of a whole, 0 ... 1.
  public var isShare: Bool { name == "shownShare" || name == "mainShare" }

  /// Whether `subject` has it.
  public func isKnown(of subject: BudgetSubject) -> Bool {
    switch (subject, reach) {
    case (.leading, _), (.surface, _), (_, .everything), (.interaction, .work): true
    case (.interaction, .surfaces), (.state, .surfaces), (.state, .work): false
    }
  }

  private static func percentiles(
    _ name: String, _ values: @escaping @Sendable (MetricFacts) -> Percentiles?
  ) -> [BudgetMetric] {
    let parts: [(String, @Sendable (Percentiles) -> TimeSpan)] = [
      ("p50", { $0.p50 }), ("p90", { $0.p90 }), ("p95", { $0.p95 }), ("p99", { $0.p99 }),
      ("max", { $0.max }),
    ]
    return parts.map { part, value in
      BudgetMetric("\(name).\(part)", .time, .surfaces) {
        values($0).map { value($0).milliseconds }
      }
    }
  }

  /// Metrics of one name are one metric.
  public static func == (left: BudgetMetric, right: BudgetMetric) -> Bool {
    left.name == right.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}
