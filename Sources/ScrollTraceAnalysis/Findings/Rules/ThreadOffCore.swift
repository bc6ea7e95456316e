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
/// worse.
struct MachineOverloaded: FindingRule {
  static let id = FindingID.machineOverloaded
  static let thresholds: [any NamedThreshold] = [OffCoreGroup.least]

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      OffCoreGroup(.notScheduled, of: surface) { $0.notScheduled }.flatMap { group in
        let holders = CoreHolders(of: context, in: group.windows)
        guard !holders.isHost else { return nil }
        return group.finding(Self.id, holders: holders.isSchedule ? holders.names : [])
      }
    }
  }
}

/// Late frames whose thread had no core because the host's own threads held them (M-25).
struct BackgroundHoldsCores: FindingRule {
  static let id = FindingID.backgroundHoldsCores

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      OffCoreGroup(.notScheduled, of: surface) { $0.notScheduled }.flatMap { group in
        let holders = CoreHolders(of: context, in: group.windows)
        guard holders.isHost else { return nil }
        var finding = group.finding(Self.id, holders: holders.names)
        finding.details.isCertain = holders.isSchedule
        return finding
      }
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
          Self.id, holders: WaitedFor(of: context, group.hitches).names)
        var sums: [WorkName: TimeSpan] = [:]
        for cause in group.hitches.lazy.compactMap(\.chargedAttribution).flatMap(\.blockedIn) {
          sums[WorkName(category: cause.category, name: cause.name), default: .zero] +=
            cause.selfTime
        }
        finding.details.work =
          sums.max {
            ($0.value, $1.key.category, $1.key.name ?? "")
              < ($1.value, $0.key.category, $0.key.name ?? "")
          }?.key
        let faults = group.hitches.reduce(Int64(0)) {
          $0.saturatingAdd($1.chargedAttribution?.thread?.diskFaults ?? 0)
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
      OffCoreGroup(.lateStart, of: surface) { $0.lateStart }?.finding(Self.id, holders: [])
    }
  }
}

/// Hitches in whose windows one state of the thread filled a good part.
private struct OffCoreGroup {
  static let least = Threshold(
    "offCoreShare", 0.25, source: "A quarter of a late frame without a core is more than jitter.")

  private(set) var hitches: [Hitch] = []
  private var total = TimeSpan.zero
  private let surface: SurfaceAnalysis
  private let isMainCause: Bool

  /// The windows of the hitches.
  var windows: TimeRangeSet {
    TimeRangeSet(union: hitches.compactMap { $0.chargedAttribution?.window })
  }

  /// Creates the group of a surface, or `nil` if it is empty.
  init?(
    _ kind: CauseSummary.Kind, of surface: SurfaceAnalysis, time: (Attribution) -> TimeSpan
  ) {
    self.surface = surface
    isMainCause = surface.causes.first?.kind == kind
    for hitch in surface.hitches where hitch.kind != .render {
      guard let attribution = hitch.chargedAttribution else { continue }
      let part = time(attribution)
      if FindingContext.isPart(Self.least.value, part, of: attribution.window.length) {
        hitches.append(hitch)
        total += part
      }
    }
    let hitchTime = hitches.reduce(TimeSpan.zero) { $0 + $1.lengthInMotion }
    let all = surface.hitches.reduce(TimeSpan.zero) { $0 + $1.lengthInMotion }
    if hitches.isEmpty || all > .zero && !FindingContext.isPart(0.05, hitchTime, of: all) {
      return nil
    }
  }

  func finding(_ id: FindingID, holders: [String]) -> Finding {
    let worst = hitches.max { ($0.length, $1.range.start) < ($1.length, $0.range.start) }
    var evidence = Finding.Evidence(count: hitches.count, total: total)
    evidence.hitches = hitches.count
    evidence.hitchTime = hitches.reduce(.zero) { $0 + $1.lengthInMotion }
    evidence.worst = worst.map {
      Finding.Occurrence(
        frame: $0.frame, time: $0.chargedAttribution?.window.start ?? $0.range.start)
    }
    var details = Finding.Details()
    details.time = windows.length
    details.threads = holders
    details.isMainCause = isMainCause
    return Finding(id: id, subject: .surface(surface.name), evidence: evidence, details: details)
  }
}

/// The threads that ran while the main thread had no core.
private struct CoreHolders {
  /// The busiest threads, most first.
  private(set) var names: [String] = []
  /// A Boolean value indicating whether most of what is known to have run was the host's own.
  private(set) var isHost = false
  /// A Boolean value indicating whether the scheduler says who ran. Spans may sleep.
  let isSchedule: Bool

  init(of context: FindingContext, in windows: TimeRangeSet) {
    let trace = context.trace
    let hasSchedule = trace.tracks.contains { !$0.threadStates.isEmpty }
    isSchedule = hasSchedule
    var found: [(name: String, isHost: Bool, time: TimeSpan)] = []
    for (id, track) in trace.numberedTracks where id != trace.mainTrack {
      let time =
        hasSchedule
        ? ThreadTimeline(of: track)?.times(in: windows).running ?? .zero
        : BusyTimeline(of: track.spans).busy(in: windows)
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

  init(of context: FindingContext, _ hitches: [Hitch]) {
    let trace = context.trace
    guard let main = trace.mainTrack else { return }
    var sums: [String: Int64] = [:]
    var counts: [String: Int] = [:]
    for attribution in hitches.lazy.compactMap(\.chargedAttribution) {
      let window = attribution.window
      let states = trace.tracks[main.index].threadStates
      var index = states.firstIndex(endingAfter: window.start.nanoseconds)
      while index < states.count, states.starts[index] < window.end.nanoseconds {
        let isWait = states.states[index] == .blocked && index + 1 < states.count
        if isWait, let waker = states.waker(at: index + 1), waker != main {
          let time = states.ends[index] - states.starts[index]
          let name = Self.name(of: waker, at: states.ends[index], in: trace)
          sums[name, default: 0] = sums[name, default: 0].saturatingAdd(time)
          counts[name] = hitches.count
        }
        index += 1
      }
      if states.isEmpty, let cause = attribution.blockedIn.first,
        let wait = Self.range(of: cause, on: main, in: window, trace),
        let name = Self.coveringWork(wait, main, in: trace)
      {
        counts[name, default: 0] += 1
        sums[name, default: 0] = sums[name, default: 0].saturatingAdd(window.length.nanoseconds)
      }
    }
    // What fits a single wait of many fits by chance.
    names = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(1).map(\.key)
      .filter { counts[$0, default: 0] * 2 >= hitches.count }
  }

  /// The longest span of the main thread in `window` in which it was blocked.
  private static func range(
    of cause: Attribution.Cause, on main: TrackID, in window: TimeRange, _ trace: Trace
  ) -> TimeRange? {
    let spans = trace.tracks[main.index].spans
    return BusyTimeline(of: spans).spanIndexes(in: window).indexes.map { spans[$0] }
      .filter { trace.name(of: $0.label) == cause.name }
      .max { $0.range.length < $1.range.length }?.range
  }

  /// The work of another thread of the host that lasted for most of `window` and ended as it did.
  private static func coveringWork(
    _ window: TimeRange, _ main: TrackID, in trace: Trace
  ) -> String? {
    var best: (name: String, overlap: Int64)?
    for (id, track) in trace.numberedTracks
    where id != main && trace.processes[track.process.index].isHost {
      let spans = track.spans
      let indexes = BusyTimeline(of: spans).spanIndexes(in: window).indexes
      for index in indexes {
        let overlap =
          min(spans.ends[index], window.end.nanoseconds)
          - max(spans.begins[index], window.start.nanoseconds)
        guard overlap >= window.length.nanoseconds / 2,
          abs(spans.ends[index] - window.end.nanoseconds) <= mostDelay, overlap > best?.overlap ?? 0
        else { continue }
        best = ("\(trace.displayName(of: id)) in \(trace.name(of: spans.labels[index]))", overlap)
      }
    }
    return best?.name
  }

  private static func name(of track: TrackID, at instant: Int64, in trace: Trace) -> String {
    let spans = trace.tracks[track.index].spans
    let window = TimeRange(
      start: Timestamp(clamping: max(0, instant - mostDelay)), end: Timestamp(clamping: instant))
    let indexes = BusyTimeline(of: spans).spanIndexes(in: window).indexes
    let thread = trace.displayName(of: track)
    guard let last = indexes.last else { return thread }
    return "\(thread) in \(trace.name(of: spans.labels[last]))"
  }
}
