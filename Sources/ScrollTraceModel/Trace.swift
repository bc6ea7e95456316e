/// Where a trace comes from.
package struct TraceSource: Hashable, Sendable {
  /// The path as the user gave it; empty where there was none.
  package var path: String = ""
  /// The format's short name, for example `fxt` or `chrome-json`.
  package var format: String
  /// The size of the source in bytes as it lies on disk, or `nil` if unknown.
  package var byteCount: UInt64?
  /// Whether the recording was closed by its host, or `nil` if the format cannot say.
  package var wasClosed: Bool?
  /// Whether the trace's range is all that was recorded; `false` where the source lists what happened
  /// and does not say how long anyone looked, so that nothing can be measured against that time.
  package var tellsLength = true
  /// The ring the recording was made in, or `nil` if it keeps everything.
  package var ring: RecordingRing?
  /// What the recorder itself cost, or `nil` if that was not measured.
  package var recorderCost: RecorderCost?

  /// A source of the format named `format`.
  package init(format: String) {
    self.format = format
  }
}

/// A recording, whole and valid: what `TraceBuilder.finish` makes and everything else reads.
public struct Trace: Sendable {
  /// Where it comes from.
  package var source: TraceSource
  /// From the first to the last instant of anything recorded.
  package internal(set) var range: TimeRange
  /// All names.
  package let strings: StringTable
  /// All labels.
  package let labels: LabelTable
  /// All arguments.
  package let arguments: ArgumentTable
  /// All processes, in order of appearance.
  package let processes: [TraceProcess]
  /// All tracks, in order of appearance.
  package let tracks: [Track]
  /// All surfaces, ascending by name.
  package let surfaces: [Surface]
  /// All marks, ascending by time.
  package let marks: [Mark]
  /// All spans that belong to no thread's stack, ascending by start.
  package let asyncSpans: [AsyncSpan]
  /// All points of flows, ascending by time.
  package let flows: [FlowPoint]
  /// All counters, in order of appearance.
  package let counters: [Counter]
  /// All interactions, ascending by start.
  package let interactions: [Interaction]
  /// All changes of states, ascending by time.
  package let states: [StateChange]
  /// What was lost, ascending by cause.
  package let losses: [Loss]
  /// What had not ended when the recording stopped.
  package let openSpans: [OpenSpan]
  /// The numbers that the source tells itself, in its order.
  package let aggregates: [Aggregate]
  /// What a reader of the report should know about the trace.
  package let notices: [Notice]

  /// Whether nothing was lost and the recording is not known to have been cut off.
  public var isComplete: Bool { losses.isEmpty && source.wasClosed != false }

  /// The trace with a range that holds `time` too.
  package func extended(to time: Timestamp) -> Trace {
    var copy = self
    copy.range = TimeRange(start: range.start, end: max(range.end, time))
    return copy
  }

  /// The host's main track, or `nil` if none is known.
  package var mainTrack: TrackID? {
    tracks.firstIndex { $0.isMain && processes[$0.process.index].isHost }.map(TrackID.init(index:))
  }

  /// The tracks with their handles, in order of appearance.
  package var numberedTracks: [(id: TrackID, track: Track)] {
    tracks.enumerated().map { (TrackID(index: $0.offset), $0.element) }
  }

  /// The surfaces with their handles, ascending by name.
  package var numberedSurfaces: [(id: SurfaceID, surface: Surface)] {
    surfaces.enumerated().map { (SurfaceID(index: $0.offset), $0.element) }
  }

  /// The track's name, or one made of its number where it has none.
  package func displayName(of track: TrackID) -> String {
    let track = tracks[track.index]
    return track.name.isEmpty ? "thread \(track.systemID)" : track.name
  }

  /// The process's name, or one made of its number where it has none.
  package func displayName(of process: ProcessID) -> String {
    let process = processes[process.index]
    return process.name.isEmpty ? "process \(process.systemID)" : process.name
  }

  /// The category of the label `id`.
  package func category(of id: LabelID) -> String { strings[labels[id].category] }

  /// The name of the label `id`.
  package func name(of id: LabelID) -> String { strings[labels[id].name] }
}
