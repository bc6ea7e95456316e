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
    for hitch in surface.hitches where hitch.kind != .render {
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

/// What the main thread waited for, by what woke it or what ended when it went on.
private struct WaitedFor {
  /// The thread, and the work that it was in; empty if nobody knows.
  private(set) var names: [String] = []

  /// How long before the end of a wait the work that ended it can have ended.
  private static let mostDelay: Int64 = 1_000_000

  private let trace: Trace
  private let timelines: [BusyTimeline]

  init(of context: FindingContext, _ attributions: [Attribution]) {
    trace = context.trace
    timelines = context.workload.timelines
    guard let main = trace.mainTrack else { return }
    var sums: [String: Int64] = [:]
    var counts: [String: Int] = [:]
    for attribution in attributions {
      let window = attribution.window
      let states = trace.tracks[main.index].threadStates
      var index = states.firstIndex(endingAfter: window.start.nanoseconds)
      while index < states.count, states.starts[index] < window.end.nanoseconds {
        let isWait = states.states[index] == .blocked && index + 1 < states.count
        if isWait, let waker = states.waker(at: index + 1), waker != main {
          let time = states.ends[index] - states.starts[index]
          let name = name(of: waker, at: states.ends[index])
          sums[name, default: 0] = sums[name, default: 0].saturatingAdd(time)
          counts[name] = attributions.count
        }
        index += 1
      }
      if states.isEmpty, let cause = attribution.blockedIn.first,
        let wait = range(of: cause, on: main, in: window),
        let name = coveringWork(wait, main)
      {
        counts[name, default: 0] += 1
        sums[name, default: 0] = sums[name, default: 0].saturatingAdd(window.length.nanoseconds)
      }
    }
    // What fits a single wait of many fits by chance.
    names = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(1).map(\.key)
      .filter { counts[$0, default: 0] * 2 >= attributions.count }
  }

  /// The longest span of the main thread in `window` in which it was blocked.
  private func range(
    of cause: Attribution.Cause, on main: TrackID, in window: TimeRange
  ) -> TimeRange? {
    let spans = trace.tracks[main.index].spans
    return timelines[main.index].spanIndexes(in: window).indexes.map { spans[$0] }
      .filter { trace.name(of: $0.label) == cause.name }
      .max { $0.range.length < $1.range.length }?.range
  }

  /// The work of another thread of the host that lasted for most of `window` and ended as it did.
  private func coveringWork(_ window: TimeRange, _ main: TrackID) -> String? {
    var best: (name: String, overlap: Int64)?
    for (id, track) in trace.numberedTracks
    where id != main && trace.processes[track.process.index].isHost {
      let spans = track.spans
      for index in timelines[id.index].spanIndexes(in: window).indexes {
        let overlap =
          min(spans.times[index].end, window.end.nanoseconds)
          - max(spans.times[index].start, window.start.nanoseconds)
        guard overlap >= window.length.nanoseconds / 2,
          abs(spans.times[index].end - window.end.nanoseconds) <= Self.mostDelay,
          overlap > best?.overlap ?? 0
        else { continue }
        best = ("\(trace.displayName(of: id)) in \(trace.name(of: spans.labels[index]))", overlap)
      }
    }
    return best?.name
  }

  private func name(of track: TrackID, at instant: Int64) -> String {
    let spans = trace.tracks[track.index].spans
    let window = TimeRange(
      start: Timestamp(clamping: max(0, instant - Self.mostDelay)),
      end: Timestamp(clamping: instant))
    let indexes = timelines[track.index].spanIndexes(in: window).indexes
    let thread = trace.displayName(of: track)
    guard let last = indexes.last else { return thread }
    return "\(thread) in \(trace.name(of: spans.labels[last]))"
  }
}
