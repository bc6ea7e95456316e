import ScrollTraceModel

extension FindingID {
  package static let machineOverloaded = FindingID("machineOverloaded")
  package static let backgroundHoldsCores = FindingID("backgroundHoldsCores")
  package static let blockedOnMainThread = FindingID("blockedOnMainThread")
  package static let lateStart = FindingID("lateStart")
}

/// Late frames whose thread was ready to run and had no core (M-25).
///
/// If threads of the host itself held the cores, advice to move work to the background would make it
/// worse: that is `BackgroundHoldsCores`.
struct MachineOverloaded: FindingRule {
  static let id = FindingID.machineOverloaded
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.offCoreShare, FindingThresholds.offCoreHitchShare,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    CoreHolders.groups(in: context).filter { !$0.holders.isHost }.map { group, holders in
      // Spans cannot show other programs.
      group.finding(Self.id, threads: holders.isSchedule ? holders.names : [])
    }
  }
}

/// Late frames whose thread had no core because the host's own threads held them (M-25).
struct BackgroundHoldsCores: FindingRule {
  static let id = FindingID.backgroundHoldsCores

  func findings(in context: FindingContext) -> [Finding] {
    CoreHolders.groups(in: context).filter(\.holders.isHost).map { group, holders in
      var finding = group.finding(Self.id, threads: holders.names)
      finding.details.isCertain = holders.isSchedule
      return finding
    }
  }
}

/// Late frames whose thread was blocked inside its work (M-25).
struct BlockedOnMainThread: FindingRule {
  static let id = FindingID.blockedOnMainThread

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      OffCoreGroup(.blocked, of: surface) { $0.blocked }.map { group in
        var finding = group.finding(
          Self.id, threads: WaitedFor(of: context, group.attributions).names)
        var sums: [WorkName: TimeSpan] = [:]
        for cause in group.attributions.lazy.flatMap(\.blockedIn) {
          sums[WorkName(category: cause.category, name: cause.name), default: .zero] +=
            cause.selfTime
        }
        finding.details.work =
          sums.max {
            ($0.value, $1.key.category, $1.key.name ?? "")
              < ($1.value, $0.key.category, $0.key.name ?? "")
          }?.key
        let faults = group.attributions.reduce(Int64(0)) {
          $0.saturatingAdd($1.thread?.diskFaults ?? 0)
        }
        finding.details.of = faults > 0 ? Int(clamping: faults) : nil
        return finding
      }
    }
  }
}

/// Late frames whose commit began long after the frame's time had (M-16).
struct LateStart: FindingRule {
  static let id = FindingID.lateStart

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      OffCoreGroup(.lateStart, of: surface) { $0.lateStart }?.finding(Self.id, threads: [])
    }
  }
}

/// Hitches in whose windows one state of the thread filled a good part.
private struct OffCoreGroup {
  /// The time before each of the hitches, once for those that one frame delayed.
  private(set) var attributions: [Attribution] = []
  private var group = HitchGroup()
  private let surface: SurfaceAnalysis
  private let isMainCause: Bool

  /// The windows of the hitches.
  var windows: TimeRangeSet { TimeRangeSet(union: attributions.map(\.window)) }

  /// Creates the group of a surface, or `nil` if it is too small.
  init?(
    _ kind: CauseSummary.Kind, of surface: SurfaceAnalysis, time: (Attribution) -> TimeSpan
  ) {
    self.surface = surface
    isMainCause = surface.causes.first?.kind == kind
    for hitch in surface.hitches where !hitch.isAfterCommit {
      guard let attribution = hitch.chargedAttribution else { continue }
      let part = time(attribution)
      if FindingContext.isPart(
        FindingThresholds.offCoreShare.value, part, of: attribution.window.length)
      {
        group.add(hitch, part)
        if attributions.last?.window != attribution.window { attributions.append(attribution) }
      }
    }
    let all = surface.hitches.reduce(TimeSpan.zero) { $0 + $1.lengthInMotion }
    let least = FindingThresholds.offCoreHitchShare.value
    if attributions.isEmpty || all > .zero && !FindingContext.isPart(least, group.inMotion, of: all)
    {
      return nil
    }
  }

  func finding(_ id: FindingID, threads: [String]) -> Finding {
    var details = Finding.Details()
    details.time = windows.length
    details.threads = threads
    details.isMainCause = isMainCause
    return Finding(
      id: id, subject: .surface(surface.name), evidence: group.evidence(total: group.total),
      details: details)
  }
}

/// The threads that ran while the main thread had no core.
private struct CoreHolders {
  /// The busiest threads, most first.
  private(set) var names: [String] = []
  /// A Boolean value indicating whether the host's own threads ran for most of the known time.
  private(set) var isHost = false
  /// A Boolean value indicating whether the scheduler says who ran. Spans may sleep.
  let isSchedule: Bool

  /// Returns the surfaces' hitches without a core, each with who held the cores.
  static func groups(
    in context: FindingContext
  ) -> [(group: OffCoreGroup, holders: CoreHolders)] {
    context.evaluatedSurfaces.compactMap { surface in
      OffCoreGroup(.notScheduled, of: surface) { $0.notScheduled }.map {
        ($0, CoreHolders(of: context, in: $0.windows))
      }
    }
  }

  init(of context: FindingContext, in windows: TimeRangeSet) {
    let (trace, workload) = (context.trace, context.workload)
    let hasSchedule = trace.tracks.contains { !$0.threadStates.isEmpty }
    isSchedule = hasSchedule
    var found: [(name: String, isHost: Bool, time: TimeSpan)] = []
    for (id, track) in trace.numberedTracks where id != trace.mainTrack {
      let time =
        hasSchedule
        ? workload.threads[id.index]?.times(in: windows).running ?? .zero
        : workload.timelines[id.index].busy(in: windows)
      guard time > .zero else { continue }
      let isHost = trace.processes[track.process.index].isHost
      let process = trace.displayName(of: track.process)
      let name = trace.displayName(of: id)
      found.append((isHost || process == name ? name : "\(name) of \(process)", isHost, time))
    }
    let sorted = found.stablySorted { ($1.time, $0.name) < ($0.time, $1.name) }
    names = sorted.prefix(3).map(\.name)
    let all = found.reduce(TimeSpan.zero) { $0 + $1.time }
    let host = found.reduce(TimeSpan.zero) { $0 + ($1.isHost ? $1.time : .zero) }
    // Spans cannot show other programs: the host's threads must have filled a core by themselves.
    isHost =
      hasSchedule
      ? FindingContext.isPart(0.5, host, of: all)
      : FindingContext.isPart(1, host, of: windows.length)
  }
}
