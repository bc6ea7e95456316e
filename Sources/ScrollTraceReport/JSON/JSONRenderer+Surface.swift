import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONRenderer {
  func surface(_ surface: SurfaceAnalysis, of run: Analysis) -> JSONValue {
    let start = run.trace.range.start
    let thresholds = run.options.thresholds
    var members: [(String, JSONValue)] = [
      ("name", .string(surface.name)),
      ("basis", .string(surface.basis.rawValue)),
      ("toleranceNs", .nanoseconds(surface.tolerance)),
      ("refreshIntervals", .array(surface.refreshIntervals.map(refreshInterval))),
      ("frames", .frames(surface.counts, isEvaluated: surface.isEvaluated)),
    ]
    members += JSONValue.ledger(surface.ledger)
    members += hitchTimes(surface, by: thresholds)
    let context = MetricContext(surface, in: run)
    for metric in [Metric.hitchesPerSecond, .mainCPUPerFrame] {
      members.append((metric.name, .value(metric.value(context))))
    }
    members.append(("assumingAlwaysMoving", estimate(surface.assumingAlwaysMoving)))
    members += [
      ("overrunNs", .percentiles(surface.overrun)),
      ("commitNs", .percentiles(surface.commit)),
      (
        "commitBlockedNs",
        surface.blockedInCommits.map {
          .object([("perFrame", .nanoseconds($0.perFrame)), ("longest", .nanoseconds($0.longest))])
        } ?? .null
      ),
      ("frameSpacingNs", .percentiles(surface.frameSpacing)),
      ("framesPerSecond", framesPerSecond(surface.frameRates)),
      ("slackNs", surface.slackP5.map { .object([("p5", .nanoseconds($0))]) } ?? .null),
      ("headroomNs", .nanoseconds(surface.headroom)),
      ("mainBusyBetweenCommitsNs", .nanoseconds(surface.mainBusyBetweenCommits)),
      ("latenessHistogram", .array(surface.latenessHistogram.map(lateness))),
      ("deadlineUtilization", .array(surface.deadlineUtilization.map(deadlineUtilization))),
      ("hitchStreaks", .array(surface.hitchStreaks.map { streak($0, from: start) })),
      (
        "interactions",
        .array(surface.interactions.map { interaction($0, from: start, by: thresholds) })
      ),
      ("states", .array(surface.states.map { state($0, by: thresholds) })),
      ("causes", .array(surface.causes.map { causeSummary($0, of: surface, from: start) })),
      ("hitches", .array(surface.hitches.map { hitch($0, from: start, run.samples?.timeline) })),
    ]
    if includesSeries {
      members.append(
        ("mainWorkPerFrame", .array(surface.mainWork.map { mainWork($0, from: start) })))
    }
    return .object(members)
  }

  private func hitchTimes(
    _ surface: SurfaceAnalysis, by thresholds: RatingThresholds
  ) -> [(String, JSONValue)] {
    let times =
      JSONValue.hitchTime(surface.hitchTime, surface.ratio)
      + JSONValue.rating(surface.rated(by: thresholds))
    return times.prefix(1) + [
      ("hitchTimeOutsideInteractionsNs", .nanoseconds(surface.hitchTimeOutsideInteractions)),
      ("hitchTimeEstimated", .bool(surface.isEstimated)),
      ("longestHitchNs", .nanoseconds(surface.longestHitch)),
      ("thread", .thread(surface.thread)),
      ("bounds", bounds(of: surface)),
      ("threadInHitches", .thread(surface.threadInHitches)),
      ("hitchesInMotion", .count(surface.knownHitchesInMotion)),
      ("deadlineMissesInMotion", .count(surface.countsInMotion.deadlineMisses)),
      ("refreshesMissedInMotion", .count(surface.countsInMotion.refreshesMissed)),
      ("droppedInMotion", .count(surface.countsInMotion.dropped)),
      ("lateWithoutHitchInMotion", .count(surface.countsInMotion.lateWithoutHitch)),
      ("longestHitchInMotionNs", .nanoseconds(surface.longestHitchInMotion)),
      (
        "stalls",
        surface.stalls.map {
          .object([("count", .count($0.count)), ("longestNs", .nanoseconds($0.longest))])
        } ?? .null
      ),
      (
        "measuredTime",
        .object([
          ("kind", .string(surface.measuredTime.kind.rawValue)),
          (
            "durationNs",
            surface.measuredTime.kind == .recording && surface.measuredTime.duration == .zero
              ? .null : .nanoseconds(surface.measuredTime.duration)
          ),
        ])
      ),
    ] + times.dropFirst()
  }

  private func bounds(of surface: SurfaceAnalysis) -> JSONValue {
    guard let bounds = surface.lowerBounds, let hitchTime = surface.hitchTime else { return .null }
    let minimum = HitchTimeRatio(
      hitchTime: bounds.hitchTime, duration: surface.measuredTime.duration)
    return .object([
      ("hitchTimeNs", .array([.nanoseconds(bounds.hitchTime), .nanoseconds(hitchTime)])),
      (
        "hitchTimeRatioMsPerS",
        .array([
          .number(minimum?.millisecondsPerSecond), .number(surface.ratio?.millisecondsPerSecond),
        ])
      ),
      (
        "deadlineMisses",
        bounds.deadlineMisses.map {
          .array([.count($0), .count(surface.counts.deadlineMisses)])
        } ?? .null
      ),
    ])
  }

  private func estimate(_ estimate: AlwaysMovingEstimate?) -> JSONValue {
    guard let estimate else { return .null }
    return .object([
      ("hitchTimeNs", .nanoseconds(estimate.hitchTime)),
      ("hitchTimeRatioMsPerS", .number(estimate.ratio?.millisecondsPerSecond)),
      ("hitches", .count(estimate.hitchCount)),
      ("longestHitchNs", .nanoseconds(estimate.longestHitch)),
      ("durationNs", .nanoseconds(estimate.duration)),
    ])
  }

  private func framesPerSecond(_ rates: FrameRates?) -> JSONValue {
    .object([
      ("average", .number(rates?.average)),
      ("slowest1Percent", .number(rates?.slowest1Percent)),
      ("slowest01Percent", .number(rates?.slowest01Percent)),
    ])
  }

  private func refreshInterval(_ count: IntervalCount) -> JSONValue {
    .object([
      ("refreshIntervalNs", .nanoseconds(count.refreshInterval)), ("frames", .count(count.frames)),
    ])
  }

  private func lateness(_ bucket: LatenessBucket) -> JSONValue {
    .object([("refreshesLate", .string(bucket.refreshesLate)), ("count", .count(bucket.count))])
  }

  private func deadlineUtilization(_ bucket: DeadlineUtilizationBucket) -> JSONValue {
    .object([
      ("utilization", .string(bucket.label)), ("count", .count(bucket.count)),
      ("late", .bool(bucket.isLate)),
    ])
  }

  private func streak(_ streak: HitchStreak, from start: Timestamp) -> JSONValue {
    .object([
      ("startNs", .nanoseconds(streak.start, from: start)), ("frames", .count(streak.frames)),
      ("steady", .bool(streak.isSteady)), ("frameSpacingNs", .nanoseconds(streak.spacing)),
    ])
  }

  private func interaction(
    _ interaction: InteractionAnalysis, from start: Timestamp, by thresholds: RatingThresholds
  ) -> JSONValue {
    .object(
      [
        ("kind", .string(interaction.kind)), ("name", .string(interaction.name)),
        ("startNs", .nanoseconds(interaction.range.start, from: start)),
        ("endNs", .nanoseconds(interaction.range.end, from: start)),
        ("finished", .bool(interaction.isFinished)),
        ("frames", .frames(interaction.counts, isEvaluated: interaction.hitchTime != nil)),
      ] + JSONValue.hitchTime(interaction.hitchTime, interaction.ratio)
        + JSONValue.rating(interaction.rated(by: thresholds))
        + JSONValue.ledger(interaction.sums.ledger) + [
          ("work", .object(JSONValue.work(interaction.work)))
        ])
  }

  private func state(_ state: StateAnalysis, by thresholds: RatingThresholds) -> JSONValue {
    .object(
      [
        ("key", .string(state.key)), ("value", .string(state.value)),
        ("durationNs", .nanoseconds(state.duration)),
        ("frames", .frames(state.counts, isEvaluated: state.hitchTime != nil)),
        ("thread", .thread(state.thread)),
      ] + JSONValue.hitchTime(state.hitchTime, state.ratio)
        + JSONValue.rating(state.rated(by: thresholds)) + JSONValue.ledger(state.ledger))
  }

  /// A hitch and what its time was spent on. Times are relative to `start`.
  func hitch(_ hitch: Hitch, from start: Timestamp, _ samples: SampleTimeline?) -> JSONValue {
    let attribution = hitch.attribution
    return .object(
      [
        ("frame", hitch.frame.map { .unsigned($0) } ?? .null),
        ("startNs", .nanoseconds(hitch.start, from: start)),
        ("deadlineNs", .nanoseconds(hitch.deadline, from: start)),
        ("targetNs", .nanoseconds(hitch.target, from: start)),
        ("presentedNs", .nanoseconds(hitch.presented, from: start)),
        ("hitchNs", .nanoseconds(hitch.length)),
        ("hitchInMotionNs", .nanoseconds(hitch.lengthInMotion)),
        ("overrunNs", .nanoseconds(hitch.overrun)),
        ("estimated", .bool(hitch.isEstimated)),
        ("refreshesMissed", .count(hitch.refreshesMissed)),
        ("kind", .string(hitch.kind.rawValue)),
        ("severity", .name(hitch.severity?.rawValue)),
        ("frozen", .bool(hitch.isFrozen)),
        ("sourceLabel", .name(hitch.sourceLabel)),
        ("delayedByFrame", hitch.delayedByFrame.map { .unsigned($0) } ?? .null),
        ("causes", .array((attribution?.causes ?? []).map(cause))),
      ] + JSONValue.rest(of: attribution) + [
        ("stacks", .stacks(hitch.chargedAttribution?.window, samples))
      ])
  }

  /// A cause of a hitch.
  func cause(_ cause: Attribution.Cause) -> JSONValue {
    .object([
      ("category", .string(cause.category)), ("name", .string(cause.name)),
      ("item", .name(cause.item)), ("selfNs", .nanoseconds(cause.selfTime)),
      ("share", .number(cause.share)),
    ])
  }

  private func causeSummary(
    _ cause: CauseSummary, of surface: SurfaceAnalysis, from start: Timestamp
  ) -> JSONValue {
    .object(
      JSONValue.causeMembers(cause.kind) + [
        ("hitchTimeNs", .nanoseconds(cause.hitchTime)),
        ("share", .number(surface.share(of: cause.hitchTime))),
        ("hitches", .count(cause.hitchCount)),
        ("items", .count(cause.itemCount)), ("timeNs", .nanoseconds(cause.time)),
        ("worstFrame", cause.worstFrame.map { .unsigned($0) } ?? .null),
        ("worstAtNs", .nanoseconds(cause.worstAt, from: start)),
      ])
  }

  private func mainWork(_ row: MainWork, from start: Timestamp) -> JSONValue {
    .array([
      .nanoseconds(row.time, from: start), .nanoseconds(row.busy), .nanoseconds(row.available),
    ])
  }
}
