package import ScrollTraceModel

/// The running and waiting times of the tracks of a trace, computed once for many windows.
///
/// Busy time is running time: that of spans, without waiting (M-11).
struct TrackWorkload {
  /// The occupied time of each track, running or waiting, in the trace's order.
  let timelines: [BusyTimeline]
  /// The running time of each track, in the trace's order.
  let running: [BusyTimeline]
  /// What each track did by the system's own count, in the trace's order; `nil` if unknown.
  let threads: [ThreadTimeline?]
  let waits: WaitingLabels
  let names: WorkNames
  /// The time in which the main thread waited for the display, or `nil` if no span says that it did.
  private let displayWaits: BusyTimeline?
  /// The self time of each of the host's tracks by category, in the trace's order; none without details.
  let selfTimes: [[CategoryTime]]
  /// The host's main track, or `nil` if unknown.
  let main: TrackID?
  /// The host's other tracks.
  let background: [TrackID]
  /// The tracks of other processes.
  let foreign: [TrackID]
  /// Whether the trace contains any work of the host.
  private let hasWork: Bool
  /// The union of the host's tracks, or `nil` without details.
  private let union: UnionLoad?
  /// The sum of the background tracks, or `nil` if there are few.
  private let backgroundLoad: LoadTimeline?

  /// The number of background tracks up to which each is queried. For more, a sum is computed once.
  private static let fewTracks = 64

  /// Creates the workload of all tracks of `trace`.
  ///
  /// - Parameters:
  ///   - windows: The time whose self times count.
  ///   - timestamps: The starts and ends of all windows for which `sums` will be called, or `nil` for no
  ///     details: neither self times nor how parallel the work was.
  init(of trace: Trace, in windows: TimeRangeSet, timestamps: [Int64]?) {
    let main = trace.mainTrack
    self.main = main
    var background: [TrackID] = []
    var foreign: [TrackID] = []
    var timelines: [BusyTimeline] = []
    var selfTimes: [[CategoryTime]] = []
    let waits = WaitingLabels(of: trace)
    var sums = SelfTimeSums(of: trace, in: windows, waits: waits)
    self.waits = waits
    names = WorkNames(of: trace, on: main)
    for (id, track) in trace.numberedTracks {
      let isHost = trace.processes[track.process.index].isHost
      if id != main {
        if isHost { background.append(id) } else { foreign.append(id) }
      }
      if timestamps != nil, isHost || id == main {
        timelines.append(BusyTimeline(of: track.spans) { sums.add($0) })
        selfTimes.append(sums.finishTrack(track.spans))
      } else {
        timelines.append(BusyTimeline(of: track.spans.times))
        selfTimes.append([])
      }
    }
    let running = zip(timelines, trace.tracks).map { timeline, track in
      waits.isEmpty ? timeline : timeline.running(track.spans, waits)
    }
    threads = trace.tracks.map { ThreadTimeline(of: $0) }
    let forDisplay = waits.filter { WaitResolver.kind(ofName: trace.name(of: $0)) == .display }
    displayWaits = main.flatMap { main in
      forDisplay.isEmpty
        ? nil : timelines[main.index].innermost(trace.tracks[main.index].spans) { forDisplay[$0] }
    }
    self.timelines = timelines
    self.running = running
    self.selfTimes = selfTimes
    self.background = background
    self.foreign = foreign
    let host = background + (main.map { [$0] } ?? [])
    hasWork = host.contains { trace.tracks[$0.index].spans.count > 0 }
    union = timestamps.map { UnionLoad(of: host.map { running[$0.index] }, before: $0) }
    backgroundLoad =
      background.count > Self.fewTracks
      ? LoadTimeline(sum: background.map { running[$0.index] }) : nil
  }

  /// The spans of a track of `trace` that overlap a window, in order.
  func spans(of track: TrackID, in window: TimeRange, _ trace: Trace) -> [WorkSpan] {
    let spans = trace.tracks[track.index].spans
    return timelines[track.index].spanIndexes(in: window).indexes.map { spans[$0] }
  }

  /// Whether anything of what a track did is recorded.
  func knowsWork(of track: TrackID, _ trace: Trace) -> Bool {
    threads[track.index] != nil || trace.tracks[track.index].spans.count > 0
  }

  /// Whether spans say that the main thread waited for the display.
  var waitsForDisplay: Bool { displayWaits != nil }

  /// The time to spare of a commit before its deadline (M-13), negative if it missed it, or `nil` if unknown.
  func slack(of frame: Frame) -> TimeSpan? {
    guard frame.outcome != .notRequested, let end = frame.commitEnd, let deadline = frame.deadline
    else { return nil }
    return deadline - end + displayWait(inCommitOf: frame)
  }

  /// How long the main thread waited for the display in a commit that met its deadline: that is time to spare.
  func displayWait(inCommitOf frame: Frame) -> TimeSpan {
    guard let displayWaits, frame.track == nil || frame.track == main,
      let start = frame.commitStart, let end = frame.commitEnd, let deadline = frame.deadline,
      start < end, end <= deadline
    else { return .zero }
    return displayWaits.busy(in: TimeRange(start: start, end: end))
  }

  func backgroundBusy(in window: TimeRange) -> TimeSpan {
    if let backgroundLoad { return backgroundLoad.busy(in: window) }
    return background.reduce(into: .zero) { $0 += running[$1.index].busy(in: window) }
  }

  func backgroundBusy(in windows: TimeRangeSet) -> TimeSpan {
    windows.ranges.reduce(into: .zero) { $0 += backgroundBusy(in: $1) }
  }

  func sums(in windows: TimeRangeSet) -> WorkSums {
    let main = hasWork ? main : nil
    return WorkSums(
      mainBusy: main.map { running[$0.index].busy(in: windows) },
      mainWaiting: main.map { waiting(on: $0, in: windows) },
      backgroundBusy: hasWork ? backgroundBusy(in: windows) : nil,
      backgroundWaiting: hasWork ? backgroundWaiting(in: windows) : nil,
      unionBusy: union?.busy(in: windows) ?? .zero,
      mainThread: self.main.flatMap { thread($0, in: windows) })
  }

  private func backgroundWaiting(in windows: TimeRangeSet) -> TimeSpan {
    waits.isEmpty ? .zero : background.reduce(into: .zero) { $0 += waiting(on: $1, in: windows) }
  }

  /// What a track did in a set of windows by the system's own count, or `nil` if nothing is known.
  func thread(_ track: TrackID, in windows: TimeRangeSet) -> ThreadTimes? {
    guard let times = threads[track.index]?.times(in: windows), !times.isUnknown else { return nil }
    return times
  }

  func waiting(on track: TrackID, in windows: TimeRangeSet) -> TimeSpan {
    guard !waits.isEmpty else { return .zero }
    return timelines[track.index].busy(in: windows) - running[track.index].busy(in: windows)
  }

  /// Returns a reader for ascending windows.
  func cursor() -> Cursor {
    Cursor(
      main: main.map { BusyCursor(running[$0.index]) },
      background: backgroundLoad == nil
        ? background.map { BusyCursor(running[$0.index]) } : [],
      load: backgroundLoad)
  }

  /// Reads the busy times of ascending windows faster than individual queries.
  struct Cursor {
    fileprivate var main: BusyCursor?
    fileprivate var background: [BusyCursor]
    fileprivate let load: LoadTimeline?

    /// The main-thread busy time in a window, zero without a main track.
    mutating func mainBusy(in window: TimeRange) -> TimeSpan {
      TimeSpan(nanoseconds: main?.busy(in: window) ?? 0)
    }

    mutating func backgroundBusy(in window: TimeRange) -> TimeSpan {
      if let load { return load.busy(in: window) }
      var sum = TimeSpan.zero
      for index in background.indices {
        sum += TimeSpan(nanoseconds: background[index].busy(in: window))
      }
      return sum
    }
  }
}

extension Trace {
  /// The thread of another app that commits the frames of a surface, or `nil` if it is one of the host's, or nothing
  /// says which.
  func foreignTrack(of surface: SurfaceID) -> TrackID? {
    guard let track = surfaces.dropFirst(surface.index).first?.frames.first?.track,
      let main = mainTrack
    else { return nil }
    let process = tracks[track.index].process
    let isForeign = process != tracks[main.index].process && !processes[process.index].isHost
    return isForeign ? track : nil
  }

  /// The name of the thread that makes the frames of a surface, or `nil` if it is the main thread, or nothing
  /// says which.
  package func otherThread(of surface: SurfaceID) -> String? {
    guard let track = surfaces.dropFirst(surface.index).first?.frames.first?.track,
      isOtherThread(track)
    else { return nil }
    return tracks[track.index].displayName
  }

  /// Returns whether a track is a thread of the host other than the main thread, and has work of its own.
  func isOtherThread(_ track: TrackID) -> Bool {
    track != mainTrack && processes[tracks[track.index].process.index].isHost
      && tracks[track.index].spans.count > 0
  }
}

extension Trace {
  /// The process whose thread commits the frames of a surface, or `nil` if the source does not say which.
  func process(of surface: SurfaceID) -> ProcessID? {
    surfaces.dropFirst(surface.index).first?.frames.first?.track.map { tracks[$0.index].process }
  }

  /// Returns whether the frames of a surface are the display's own: no thread commits them, unlike those of others.
  func isOfDisplayAlone(_ surface: Surface) -> Bool {
    !surface.isOfThread && surfaces.contains(where: \.isOfThread)
  }
}

extension Surface {
  /// Whether the source says which thread committed the frames; that of a display's own frames is none.
  var isOfThread: Bool { frames.first?.track != nil }
}
