/// Where a trace comes from.
public struct TraceSource: Hashable, Sendable {
  /// The path as the user gave it; empty where there was none.
  public var path: String = ""
  /// The format's short name, for example `fxt` or `chrome-json`.
  public var format: String
  /// The size of the source in bytes as it lies on disk; `nil` where unknown.
  public var byteCount: UInt64?
  /// Whether the recording was closed by its host; `nil` where the format cannot say.
  public var wasClosed: Bool?
  /// Whether the trace's range is all that was recorded; `false` where the source lists what happened
  /// and does not say how long anyone looked, so that nothing can be measured against that time.
  public var tellsLength = true
  /// The ring the recording was made in; `nil` where it keeps everything.
  public var ring: RecordingRing?
  /// What the recorder itself cost; `nil` where that was not measured.
  public var recorderCost: RecorderCost?

  /// A source of the format named `format`.
  public init(format: String) {
    self.format = format
  }
}

/// A recording, whole and valid: what `TraceBuilder.finish` makes and everything else reads.
public struct Trace: Sendable {
  /// Where it comes from.
  public var source: TraceSource
  /// From the first to the last instant of anything recorded.
  public internal(set) var range: TimeRange
  /// All names.
  public let strings: StringTable
  /// All labels.
  public let labels: LabelTable
  /// All arguments.
  public let arguments: ArgumentTable
  /// All processes, in order of appearance.
  public let processes: [TraceProcess]
  /// All tracks, in order of appearance.
  public let tracks: [Track]
  /// All surfaces, ascending by name.
  public let surfaces: [Surface]
  /// All marks, ascending by time.
  public let marks: [Mark]
  /// All spans that belong to no thread's stack, ascending by begin.
  public let asyncSpans: [AsyncSpan]
  /// All points of flows, ascending by time.
  public let flows: [FlowPoint]
  /// All counters, in order of appearance.
  public let counters: [Counter]
  /// All interactions, ascending by begin.
  public let interactions: [Interaction]
  /// All changes of states, ascending by time.
  public let states: [StateChange]
  /// What was lost, ascending by cause.
  public let losses: [Loss]
  /// What had not ended when the recording stopped.
  public let openSpans: [OpenSpan]
  /// The numbers that the source tells itself, in its order.
  public let aggregates: [Aggregate]
  /// What a reader of the report should know about the trace.
  public let notices: [Notice]

  /// Whether nothing was lost and the recording is not known to have been cut off.
  public var isComplete: Bool { losses.isEmpty && source.wasClosed != false }

  /// The trace with a range that holds `time` too.
  package func extended(to time: Timestamp) -> Trace {
    var copy = self
    copy.range = TimeRange(begin: range.begin, end: max(range.end, time))
    return copy
  }

  /// The host's main track; `nil` where none is known.
  public var mainTrack: TrackID? {
    tracks.firstIndex { $0.isMain && processes[$0.process.index].isHost }.map(TrackID.init(index:))
  }

  /// The tracks with their handles, in order of appearance.
  public var numberedTracks: [(id: TrackID, track: Track)] {
    tracks.enumerated().map { (TrackID(index: $0.offset), $0.element) }
  }

  /// The surfaces with their handles, ascending by name.
  public var numberedSurfaces: [(id: SurfaceID, surface: Surface)] {
    surfaces.enumerated().map { (SurfaceID(index: $0.offset), $0.element) }
  }

  /// The track's name, or one made of its number where it has none.
  public func displayName(of track: TrackID) -> String {
    let track = tracks[track.index]
    return track.name.isEmpty ? "thread \(track.systemID)" : track.name
  }

  /// The process's name, or one made of its number where it has none.
  public func displayName(of process: ProcessID) -> String {
    let process = processes[process.index]
    return process.name.isEmpty ? "process \(process.systemID)" : process.name
  }

  /// The category of the label `id`.
  public func category(of id: LabelID) -> String { strings[labels[id].category] }

  /// The name of the label `id`.
  public func name(of id: LabelID) -> String { strings[labels[id].name] }
}
