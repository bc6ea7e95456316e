import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONRenderer {
  /// One surface of `run`.
  func surface(_ surface: SurfaceAnalysis, of run: Analysis) -> JSONValue {
    let start = run.trace.range.begin
    let profile = run.options.profile
    var members: [(String, JSONValue)] = [
      ("name", .string(surface.name)),
      ("basis", .string(surface.basis.rawValue)),
      ("toleranceNs", .nanoseconds(surface.tolerance)),
      ("intervalsNs", .array(surface.intervals.map(interval))),
      ("frames", .frames(surface.counts, isJudged: surface.isJudged)),
      ("shownShare", .number(surface.shownShare)),
    ]
    members += hitchTimes(surface, in: profile)
    members += JSONValue.rated(surface.rated(by: profile), surface.ledger)
    members.append(("ifAlwaysMoving", assumption(surface.ifMoving)))
    members += [
      ("overrunNs", .percentiles(surface.overrun)),
      ("commitNs", .percentiles(surface.commit)),
      ("paceNs", .percentiles(surface.pace)),
      ("slackP5Ns", .nanoseconds(surface.slackP5)),
      ("headroomNs", .nanoseconds(surface.headroom)),
      ("mainWorkAreaNs", .nanoseconds(surface.mainWorkArea)),
      ("latenessHistogram", .array(surface.latenessHistogram.map(lateness))),
      ("deadlineUse", .array(surface.deadlineUse.map(deadlineUse))),
      ("runsOfHitches", .array(surface.runs.map { hitchRun($0, from: start) })),
      (
        "intervals",
        .array(surface.interactions.map { interaction($0, from: start, in: profile) })
      ),
      ("states", .array(surface.states.map { state($0, in: profile) })),
      ("causes", .array(surface.causes.map { causeSummary($0, of: surface, from: start) })),
      ("hitches", .array(surface.hitches.map { hitch($0, from: start) })),
    ]
    if includesSeries {
      members.append(
        ("mainWorkPerFrame", .array(surface.mainWork.map { mainWork($0, from: start) })))
    }
    return .object(members)
  }

  private func hitchTimes(
    _ surface: SurfaceAnalysis, in profile: BandProfile
  ) -> [(String, JSONValue)] {
    let times = JSONValue.hitchTime(surface.hitchTime, surface.ratio, in: profile)
    return times.prefix(1) + [
      ("hitchTimeOutsideNs", .nanoseconds(surface.hitchTimeOutside)),
      ("hitchTimeEstimated", .bool(surface.isEstimated)),
      ("longestHitchNs", .nanoseconds(surface.longestHitch)),
      ("hitchesInMotion", .count(surface.isJudged ? surface.hitchesInside : nil)),
      ("deadlineMissesInMotion", .count(surface.countsInMotion.deadlineMisses)),
      ("refreshesMissedInMotion", .count(surface.countsInMotion.refreshesMissed)),
      ("presentedInMotion", .count(surface.countsInMotion.presented)),
      ("droppedInMotion", .count(surface.countsInMotion.dropped)),
      ("stuffedInMotion", .count(surface.countsInMotion.lateWithoutHitch)),
      ("longestHitchInMotionNs", .nanoseconds(surface.longestHitchInside)),
      (
        "stalls",
        surface.stalls.map {
          .object([("count", .count($0.count)), ("longestNs", .nanoseconds($0.longest))])
        } ?? .null
      ),
      (
        "denominator",
        .object([
          ("kind", .string(surface.denominator.kind.rawValue)),
          (
            "durationNs",
            surface.denominator.kind == .recording && surface.denominator.duration == .zero
              ? .null : .nanoseconds(surface.denominator.duration)
          ),
        ])
      ),
    ] + times.dropFirst()
  }

  private func assumption(_ assumption: MovingAssumption?) -> JSONValue {
    guard let assumption else { return .null }
    return .object([
      ("hitchTimeNs", .nanoseconds(assumption.hitchTime)),
      ("hitchTimeRatioMsPerS", .number(assumption.ratio?.millisecondsPerSecond)),
      ("hitches", .count(assumption.hitchCount)),
      ("longestHitchNs", .nanoseconds(assumption.longestHitch)),
      ("durationNs", .nanoseconds(assumption.duration)),
    ])
  }

  private func interval(_ count: IntervalCount) -> JSONValue {
    .object([("intervalNs", .nanoseconds(count.interval)), ("frames", .count(count.frames))])
  }

  private func lateness(_ bucket: LatenessBucket) -> JSONValue {
    .object([("refreshesLate", .string(bucket.refreshesLate)), ("count", .count(bucket.count))])
  }

  private func deadlineUse(_ bucket: DeadlineUseBucket) -> JSONValue {
    .object([
      ("used", .string(bucket.label)), ("count", .count(bucket.count)),
      ("late", .bool(bucket.isLate)),
    ])
  }

  private func hitchRun(_ run: HitchRun, from start: Timestamp) -> JSONValue {
    .object([
      ("beginNs", .nanoseconds(run.begin, from: start)), ("frames", .count(run.frames)),
      ("steady", .bool(run.isSteady)), ("spacingNs", .nanoseconds(run.spacing)),
    ])
  }

  private func interaction(
    _ interaction: InteractionAnalysis, from start: Timestamp, in profile: BandProfile
  ) -> JSONValue {
    .object(
      [
        ("kind", .string(interaction.kind)), ("name", .string(interaction.name)),
        ("beginNs", .nanoseconds(interaction.range.begin, from: start)),
        ("endNs", .nanoseconds(interaction.range.end, from: start)),
        ("finished", .bool(interaction.isFinished)),
        ("frames", .frames(interaction.counts, isJudged: interaction.hitchTime != nil)),
      ] + JSONValue.hitchTime(interaction.hitchTime, interaction.ratio, in: profile)
        + JSONValue.rated(interaction.rated(by: profile), interaction.ledger) + [
          ("work", .object(JSONValue.work(interaction.work)))
        ])
  }

  private func state(_ state: StateAnalysis, in profile: BandProfile) -> JSONValue {
    .object(
      [
        ("key", .string(state.key)), ("value", .string(state.value)),
        ("durationNs", .nanoseconds(state.duration)),
        ("frames", .frames(state.counts, isJudged: state.hitchTime != nil)),
      ] + JSONValue.hitchTime(state.hitchTime, state.ratio, in: profile))
  }

  /// A hitch and what filled its time; times are counted from `start`.
  func hitch(_ hitch: Hitch, from start: Timestamp) -> JSONValue {
    let attribution = hitch.attribution
    return .object([
      ("frame", hitch.frame.map { .unsigned($0) } ?? .null),
      ("beginNs", .nanoseconds(hitch.begin, from: start)),
      ("deadlineNs", .nanoseconds(hitch.deadline, from: start)),
      ("targetNs", .nanoseconds(hitch.target, from: start)),
      ("presentedNs", .nanoseconds(hitch.presented, from: start)),
      ("hitchNs", .nanoseconds(hitch.length)),
      ("insideNs", .nanoseconds(hitch.lengthInside)),
      ("overrunNs", .nanoseconds(hitch.overrun)),
      ("estimated", .bool(hitch.isEstimated)),
      ("refreshesMissed", .count(hitch.refreshesMissed)),
      ("kind", .string(hitch.kind.rawValue)),
      ("severity", .name(hitch.severity?.rawValue)),
      ("frozen", .bool(hitch.isFrozen)),
      ("sourceLabel", .name(hitch.sourceLabel)),
      ("cascadeOf", hitch.cascadeOf.map { .unsigned($0) } ?? .null),
      ("causes", .array((attribution?.causes ?? []).map(cause))),
      ("waitingNs", .nanoseconds(attribution?.waiting)),
      ("idleNs", .nanoseconds(attribution?.idle)),
      ("unrecordedNs", .nanoseconds(attribution?.unrecorded)),
    ])
  }

  /// What filled a part of a window.
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
    var (category, name): (String?, String?) = (nil, nil)
    if case .work(let first, let second) = cause.kind { (category, name) = (first, second) }
    return .object([
      ("kind", .string(cause.kind.word)), ("category", .name(category)), ("name", .name(name)),
      ("hitchTimeNs", .nanoseconds(cause.hitchTime)),
      ("share", .number(surface.share(of: cause.hitchTime))), ("hitches", .count(cause.hitchCount)),
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
