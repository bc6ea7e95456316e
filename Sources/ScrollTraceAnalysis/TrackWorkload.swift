import ScrollTraceModel

/// When the tracks of a trace were busy, computed once and asked for many windows.
struct TrackWorkload {
  /// The busy time of each track, in the trace's order.
  let timelines: [BusyTimeline]
  /// The host's main track.
  let main: TrackID?
  /// The host's other tracks.
  let background: [TrackID]
  /// The tracks of other processes.
  let foreign: [TrackID]
  /// The union of the host's tracks.
  private let union: BusyTimeline
  /// The sum of the background tracks, where there are many.
  private let backgroundLoad: LoadTimeline?

  /// The most background tracks that are asked one by one; the sum of more is worked out once.
  private static let fewTracks = 64

  /// The workload of all tracks of `trace`.
  init(of trace: Trace) {
    timelines = trace.tracks.map { BusyTimeline(of: $0.spans) }
    main = trace.mainTrack
    var background: [TrackID] = []
    var foreign: [TrackID] = []
    for (id, track) in trace.numberedTracks where id != trace.mainTrack {
      if trace.processes[track.process.index].isHost {
        background.append(id)
      } else {
        foreign.append(id)
      }
    }
    self.background = background
    self.foreign = foreign
    let host = background + (main.map { [$0] } ?? [])
    let all = timelines
    union = BusyTimeline(union: host.map { all[$0.index] })
    backgroundLoad =
      background.count > Self.fewTracks
      ? LoadTimeline(sum: background.map { all[$0.index] }) : nil
  }

  /// Main-thread busy time in `window`; `nil` without a main track.
  func mainBusy(in window: TimeRange) -> TimeSpan? {
    main.map { timelines[$0.index].busy(in: window) }
  }

  /// Background busy time in `window`, summed over tracks.
  func backgroundBusy(in window: TimeRange) -> TimeSpan {
    if let backgroundLoad { return backgroundLoad.busy(in: window) }
    return background.reduce(into: .zero) { $0 += timelines[$1.index].busy(in: window) }
  }

  /// The sums of M-11 over a set of windows.
  func sums(in windows: TimeRangeSet) -> WorkSums {
    WorkSums(
      mainBusy: main.map { timelines[$0.index].busy(in: windows) },
      backgroundBusy: windows.ranges.reduce(into: .zero) { $0 += backgroundBusy(in: $1) },
      unionBusy: union.busy(in: windows))
  }
}
