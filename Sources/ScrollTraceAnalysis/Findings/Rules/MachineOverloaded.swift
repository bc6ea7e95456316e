import ScrollTraceModel

/// Late frames whose thread was ready to run and had no core (M-25), if nothing else makes frames late:
/// otherwise that is a notice.
///
/// If threads of the host itself held the cores, advice to move work to the background would make it
/// worse: that is `BackgroundHoldsCores`.
struct MachineOverloaded: FindingRule {
  static let id = FindingID.machineOverloaded

  func findings(in context: FindingContext) -> [Finding] {
    guard !NoFreeCore.isBesideOthers(in: context) else { return [] }
    return NoFreeCore.groups(in: context).filter { !$0.holders.isHost }.map {
      finding(
        of: .surface($0.surface.name), $0.group.measures(total: $0.group.total),
        // Spans cannot show other programs.
        Evidence(group: $0.group, threads: $0.holders.isSchedule ? $0.holders.names : []),
        in: context, whole: $0.surface.hitchTime)
    }
  }

  private struct Evidence: FindingEvidence {
    let group: HitchGroup
    let threads: [String]

    var title: Phrase { "the machine was overloaded" }
    var sentence: Phrase {
      let held: Phrase = threads.isEmpty ? "" : "; the cores ran \(list: threads)"
      return group.withoutCore + held
    }
    var facts: Finding.Facts { [("threads", .names(threads))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "No change of the app's work removes this. Record on a machine with a free core, or gate on"
        + " CPU time (mainCpuPerFrameNs), which other programs hardly change."
    }
  }
}

/// Late frames whose thread had no core because the host's own threads held them (M-25).
struct BackgroundHoldsCores: FindingRule {
  static let id = FindingID.backgroundHoldsCores

  func findings(in context: FindingContext) -> [Finding] {
    guard !NoFreeCore.isBesideOthers(in: context) else { return [] }
    return NoFreeCore.groups(in: context).filter(\.holders.isHost).map {
      finding(
        of: .surface($0.surface.name), $0.group.measures(total: $0.group.total),
        Evidence(group: $0.group, threads: $0.holders.names, isCertain: $0.holders.isSchedule),
        in: context, whole: $0.surface.hitchTime)
    }
  }

  private struct Evidence: FindingEvidence {
    let group: HitchGroup
    let threads: [String]
    /// Whether the threads are known to have run, not only to have had spans.
    let isCertain: Bool

    var title: Phrase {
      isCertain
        ? "background threads held the cores that the main thread needed"
        : "background threads may have held the cores that the main thread needed"
    }
    var sentence: Phrase {
      let held: Phrase =
        threads.isEmpty
        ? ""
        : isCertain ? "; the cores ran \(list: threads)" : "; spans were open on \(list: threads)"
      return group.withoutCore + held
    }
    var facts: Finding.Facts { [("threads", .names(threads)), ("certain", .flag(isCertain))] }

    func fix(in toolkit: Toolkit?) -> Phrase {
      let run: Phrase = isCertain ? "Run" : "If they compute and do not sleep, run"
      return "\(run) at most (cores - 1) background jobs, at a lower priority, and only for items"
        + " that are about to be displayed. More background work makes this worse."
    }
  }
}

extension HitchGroup {
  fileprivate var withoutCore: Phrase {
    let frames: Phrase = count == 1 ? "this frame was" : "these \(count) frames were"
    return "while \(frames) made (\(windows)), the main thread had no core for \(total)"
  }
}

/// The hitches of a surface whose thread was ready and had no core, and who held them.
struct NoFreeCore {
  let surface: SurfaceAnalysis
  let group: HitchGroup
  let holders: CoreHolders

  /// The part of a late frame's time without a core from which the machine is to blame.
  /// A quarter of a late frame without a core is more than jitter.
  static let share = 0.25

  static func groups(in context: FindingContext) -> [NoFreeCore] {
    context.evaluatedSurfaces.compactMap { surface in
      HitchGroup(of: surface, minimum: share) { $0.notScheduled }.map {
        NoFreeCore(
          surface: surface, group: $0,
          holders: CoreHolders(of: context, in: TimeRangeSet(union: $0.ranges)))
      }
    }
  }

  /// The notices beside other findings.
  static func notices(in context: FindingContext) -> [AnalysisNotice] {
    guard isBesideOthers(in: context) else { return [] }
    return groups(in: context).map {
      .noFreeCore(surface: $0.surface.name, time: $0.group.total)
    }
  }

  /// Whether a rule before found something else that makes frames late. Idle time and late starts do not
  /// count: they follow from it.
  static func isBesideOthers(in context: FindingContext) -> Bool {
    context.found.contains {
      $0.measures.hitchTime > .zero && $0.id != .hitchesWhileIdle && $0.id != .lateStart
        && $0.id != .backgroundHoldsCores && $0.id != .machineOverloaded
    }
  }
}

/// The threads that ran while the main thread had no core.
struct CoreHolders {
  /// The busiest threads, largest first.
  private(set) var names: [String] = []
  /// A Boolean value indicating whether the host's own threads ran for most of the known time.
  private(set) var isHost = false
  /// A Boolean value indicating whether the scheduler says who ran. Spans may sleep.
  let isSchedule: Bool

  init(of context: FindingContext, in windows: TimeRangeSet) {
    let (trace, workload) = (context.trace, context.workload)
    let hasSchedule = trace.tracks.contains { !$0.threadStates.isEmpty }
    isSchedule = hasSchedule
    var found: [(name: String, isHost: Bool, time: TimeSpan)] = []
    for (id, track) in trace.numberedTracks where id != trace.mainTrack {
      let time =
        hasSchedule
        ? workload.threads[id.index]?.times(in: windows).ran ?? .zero
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
