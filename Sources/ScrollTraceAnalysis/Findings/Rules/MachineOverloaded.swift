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
        PlainEvidence(
          title: "the machine was overloaded", sentence: $0.sentence,
          facts: [("threads", .names($0.holders.isSchedule ? $0.holders.names : []))],
          fix:
            "No change of the app's work removes this. Record on a machine with a free core, or gate on"
            + " CPU time (mainCpuPerFrameNs), which other programs hardly change."),
        in: context, whole: $0.surface.hitchTime)
    }
  }
}

/// Late frames whose thread had no core because the host's own threads held them (M-25).
///
/// If the source does not say whether the thread was ready, this is no notice beside other findings: work of a
/// thread that was off its core for most of a late frame is not what makes it late.
struct BackgroundHoldsCores: FindingRule {
  static let id = FindingID.backgroundHoldsCores

  func findings(in context: FindingContext) -> [Finding] {
    let isNotice = NoFreeCore.isBesideOthers(in: context)
    return NoFreeCore.groups(in: context).filter { $0.holders.isHost && !($0.isReady && isNotice) }
      .map {
        // Whether the threads are known to have held the cores.
        let isCertain = $0.holders.isSchedule && $0.isReady
        let run: Phrase =
          isCertain || $0.holders.fillCores ? "Run" : "If they compute and do not sleep, run"
        return finding(
          of: .surface($0.surface.name), $0.group.measures(total: $0.group.total),
          PlainEvidence(
            title: isCertain
              ? "background threads held the cores that the main thread needed"
              : "background threads may have held the cores that the main thread needed",
            sentence: $0.sentence,
            facts: [("threads", .names($0.holders.names)), ("certain", .flag(isCertain))],
            fix:
              "\(run) at most (cores - 1) background jobs, at a lower priority, and only for items"
              + " that are about to be displayed. More background work makes this worse."),
          in: context, whole: $0.surface.hitchTime)
      }
  }
}

/// The hitches of a surface whose thread was ready and had no core, and who held them.
struct NoFreeCore {
  let surface: SurfaceAnalysis
  let group: HitchGroup
  let holders: CoreHolders
  /// Whether the thread is known to have been ready: it may have waited if the source counts only the time on a core.
  let isReady: Bool

  /// The part of a late frame's time without a core from which the machine is to blame.
  /// A quarter of a late frame without a core is more than jitter.
  static let share = 0.25

  private init(
    of surface: SurfaceAnalysis, _ group: HitchGroup, isReady: Bool, in context: FindingContext
  ) {
    (self.surface, self.group, self.isReady) = (surface, group, isReady)
    holders = CoreHolders(of: context, in: TimeRangeSet(union: group.ranges))
  }

  /// How long the thread had no core, and what the other threads did meanwhile.
  fileprivate var sentence: Phrase {
    let frames: Phrase = group.count == 1 ? "this frame was" : "these \(group.count) frames were"
    return "while \(frames) made (\(group.windows)), the main thread"
      + " \(words: isReady ? "had no core" : "was off its core") for \(group.total)"
      + holders.meanwhile
  }

  static func groups(in context: FindingContext) -> [NoFreeCore] {
    context.evaluatedSurfaces.compactMap { surface -> NoFreeCore? in
      if let ready = HitchGroup(of: surface, minimum: share, time: \.notScheduled) {
        return NoFreeCore(of: surface, ready, isReady: true, in: context)
      }
      let offCore = HitchGroup(
        of: surface, minimum: FindingThresholds.offCoreWindowShare, time: \.notRunning)
      return offCore.map { NoFreeCore(of: surface, $0, isReady: false, in: context) }
        .flatMap { $0.holders.fillCores ? $0 : nil }
    }
  }

  /// The notices beside other findings.
  static func notices(in context: FindingContext) -> [AnalysisNotice] {
    guard isBesideOthers(in: context) else { return [] }
    return groups(in: context).filter(\.isReady).map {
      .noFreeCore(surface: $0.surface.name, time: $0.group.total, meanwhile: $0.holders.meanwhile)
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
  /// The host's threads of one name, or one thread of another process.
  struct Holder {
    let name: String
    var threads: [TrackID] = []
    var isHost = true
    var time = TimeSpan.zero
    /// The function that most of the samples of its threads are in, or `nil` if there are none.
    var function: WorkName?
  }

  /// Two cores, less what others run on them: few devices have no more.
  private static let manyCores = 1.5

  /// The names of the busiest threads, largest first.
  private(set) var names: [String] = []
  /// The same with their work: `4 threads named worker in 'crunch' and db`.
  private var busiest: Phrase = ""
  /// Whether the host's own threads ran for most of the known time.
  private(set) var isHost = false
  /// Whether counts or samples say that the host's own threads ran on several cores.
  private(set) var fillCores = false
  /// Whether the scheduler says who ran. Spans may sleep.
  let isSchedule: Bool

  init(of context: FindingContext, in windows: TimeRangeSet) {
    let trace = context.trace
    isSchedule = trace.tracks.contains { !$0.threadStates.isEmpty }
    var found: [String: Holder] = [:]
    var (all, host, known) = (TimeSpan.zero, TimeSpan.zero, TimeSpan.zero)
    for (id, track) in trace.numberedTracks where id != trace.mainTrack {
      let isHost = trace.processes[track.process.index].isHost
      let ran = context.workload.threads[id.index]?.times(in: windows).ran ?? .zero
      let code =
        isHost && !isSchedule ? SampleTimeline(of: id, in: trace)?.code(in: windows) : nil
      let counted = max(ran, code?.time ?? .zero)
      // The time in which the thread had spans says nothing if there is a schedule.
      let spans =
        isSchedule ? .zero : context.workload.timelines[id.index].busy(in: windows)
      guard max(counted, spans) > .zero else { continue }
      all += max(counted, spans)
      host += isHost ? max(counted, spans) : .zero
      known += isHost ? counted : .zero
      let process = trace.displayName(of: track.process)
      var name = trace.displayName(of: id)
      if !isHost, process != name { name += " of \(process)" }
      var holder = found[name] ?? Holder(name: name)
      holder.threads.append(id)
      holder.isHost = holder.isHost && isHost
      holder.time += counted > .zero ? counted : spans
      holder.function = holder.function ?? code?.work
      found[name] = holder
    }
    let sorted = found.values.sorted { ($1.time, $0.name) < ($0.time, $1.name) }.prefix(3)
    names = sorted.map(\.name)
    busiest = "\(list: sorted.map { $0.phrase(in: windows, context) })"
    // Spans cannot show other programs: the host's threads must have filled a core by themselves.
    isHost = isSchedule ? host.isPart(0.5, of: all) : host.isPart(1, of: windows.length)
    fillCores = isHost && known.isPart(Self.manyCores, of: windows.length)
  }

  /// What the threads did, as the end of a sentence; spans cannot show other programs.
  var meanwhile: Phrase {
    if busiest.isEmpty { return "" }
    if isSchedule { return "; the cores ran \(busiest)" }
    return isHost ? "; \(busiest) had work meanwhile" : ""
  }
}

extension CoreHolders.Holder {
  /// The threads with the work that most of their time is in, if they are the host's and it is known.
  fileprivate func phrase(in windows: TimeRangeSet, _ context: FindingContext) -> Phrase {
    let name = Phrase(thread: self.name, count: threads.count)
    guard isHost else { return name }
    if let function { return name + " in \(function)" }
    let work = ThreadWork(of: threads, in: windows, context)
      .filling(min(time, windows.length).scaled(by: 0.5))
    return name + ThreadWork.longest(of: work).phrase { " in \(context.workload.names[$0])" }
  }
}
