package struct TraceSource: Equatable, Sendable {
  /// The path as the user gave it, or an empty string if there was none.
  package var path: String = ""
  /// The format's short name, such as `fxt` or `chrome-json`.
  package var format: String
  /// The size of the source on disk in bytes, or `nil` if unknown.
  package var byteCount: UInt64?
  /// Whether the host finished the recording, or `nil` if the format
  /// cannot say.
  package var wasClosed: Bool?
  /// Whether the trace's range is the whole recording. If `false`, the
  /// source lists events but not the length of the recording, so nothing can be measured against
  /// that time.
  package var hasKnownLength = true
  /// The ring of the recording, or `nil` if it keeps everything.
  package var ring: RecordingRing?
  /// The identifier of the recording as hexadecimal digits, or `nil` if the format has none.
  package var session: String?
  /// The wall time of the start in nanoseconds since 1970, or `nil` if unknown.
  package var startWall: Int64?
  /// The number of recordings that this one stands for, or `nil` if the source does not say so.
  package var weight: UInt64?
  /// The recorder's own cost, or `nil` if it was not measured.
  package var recorderCost: RecorderCost?
}

/// A complete and valid recording.
///
/// ```swift
/// let trace = try TraceFile.open("run.fxt")
/// for track in trace.tracks where track.isMain {
///   for span in track.spans where trace.name(of: span) == "configure" {
///     print(span.range.length.milliseconds)
///   }
/// }
/// ```
///
/// Collections are views of what was read: they copy nothing.
public struct Trace: Sendable {
  package var source: TraceSource
  /// The path of the file, or an empty string if there was none.
  public var path: String { source.path }
  /// The short name of the format, such as `fxt` or `chrome-json`.
  public var format: String { source.format }
  /// The range from the first to the last recorded time.
  public internal(set) var range: TimeRange
  package internal(set) var strings: StringTable
  package let labels: LabelTable
  package let arguments: ArgumentTable
  /// The processes, in order of appearance.
  package let processes: [TraceProcess]
  /// The tracks, in order of appearance.
  public internal(set) var tracks: [Track]
  /// The surfaces, sorted by name.
  public internal(set) var surfaces: [Surface]
  /// The marks, sorted by time.
  public let marks: [Mark]
  /// The spans that do not belong to a thread's stack, sorted by start.
  package let asyncSpans: [AsyncSpan]
  /// The points of flows, sorted by time.
  package let flows: [FlowPoint]
  /// The counters, in order of appearance.
  public let counters: [Counter]
  package internal(set) var stackTree: StackTree
  /// The samples, in order of appearance.
  package internal(set) var samples: [SampleSeries]
  /// The interactions, sorted by start.
  public let interactions: [Interaction]
  /// The changes of states, sorted by time.
  public let states: [StateChange]
  /// The losses, sorted by reason.
  package let losses: [Loss]
  /// The spans that were open when the recording stopped.
  package internal(set) var openSpans: [OpenSpan]
  /// The facts that a reader of the report should know about the trace.
  package internal(set) var notices: [Notice]
  /// The number of spans that were counted and are not in the tracks, if only their number was wanted.
  private(set) var countedSpanCount = 0

  package var spanCount: Int { tracks.reduce(countedSpanCount) { $0 + $1.spans.count } }

  /// A Boolean value indicating whether nothing was lost and the recording is not known to be
  /// truncated.
  public var isComplete: Bool { losses.isEmpty && source.wasClosed != false }

  package func extended(to time: Timestamp) -> Trace {
    var copy = self
    copy.range = TimeRange(start: range.start, end: max(range.end, time))
    return copy
  }

  /// Returns the trace without what only its own report shows: spans, marks, samples and names. Its
  /// source, length, losses, states and numbers stay.
  ///
  /// - Parameter keepsFrames: Whether frames stay too.
  package func digest(keepsFrames: Bool) -> Trace {
    Trace(
      source: source, range: range, strings: StringTable(), labels: LabelTable(),
      arguments: ArgumentTable(), processes: [], tracks: [],
      surfaces: keepsFrames ? surfaces : [], marks: [], asyncSpans: [], flows: [], counters: [],
      stackTree: StackTree(), samples: [], interactions: [], states: states, losses: losses,
      openSpans: [], notices: notices)
  }

  /// The host's main track, or `nil` if unknown.
  package var mainTrack: TrackID? {
    tracks.firstIndex { $0.isMain && processes[$0.process.index].isHost }.map(TrackID.init(index:))
  }

  /// The tracks with their handles, in order of appearance.
  package var numberedTracks: [(id: TrackID, track: Track)] {
    tracks.enumerated().map { (TrackID(index: $0.offset), $0.element) }
  }

  /// The surfaces with their handles, sorted by name.
  package var numberedSurfaces: [(id: SurfaceID, surface: Surface)] {
    surfaces.enumerated().map { (SurfaceID(index: $0.offset), $0.element) }
  }

  /// Returns the track's name, or one made from its number if it has none.
  package func displayName(of track: TrackID) -> String { tracks[track.index].displayName }

  /// Returns the process's name, or one made from its number if it has none.
  package func displayName(of process: ProcessID) -> String {
    let process = processes[process.index]
    return process.name.isEmpty ? "process \(process.systemID)" : process.name
  }

  package func category(of id: LabelID) -> String { strings[labels[id].category] }

  package func name(of id: LabelID) -> String { strings[labels[id].name] }

  // MARK: - Names

  /// Returns the name of a span of this trace, such as `configure`.
  public func name(of span: WorkSpan) -> String { name(of: span.label) }

  /// Returns the name of a mark of this trace, such as `willDisplay`.
  public func name(of mark: Mark) -> String { name(of: mark.label) }

  /// Returns the name of a counter of this trace, and of its series if it has several.
  public func name(of counter: Counter) -> String {
    let series = strings[counter.series]
    return name(of: counter.label) + (series.isEmpty ? "" : "/\(series)")
  }

  /// Returns the category of a span of this trace, such as `scrolltrace.cell`.
  public func category(of span: WorkSpan) -> String { category(of: span.label) }

  /// Returns the category of a mark of this trace, such as `scrolltrace.cell`.
  public func category(of mark: Mark) -> String { category(of: mark.label) }

  /// Returns an argument of a span of this trace as text, or `nil` if the span has none of that name.
  public func argument(_ name: String, of span: WorkSpan) -> String? {
    text(of: name, in: span.arguments)
  }

  /// Returns an argument of a mark of this trace as text, or `nil` if the mark has none of that name.
  public func argument(_ name: String, of mark: Mark) -> String? {
    text(of: name, in: mark.arguments)
  }

  private func text(of name: String, in list: ArgumentListID) -> String? {
    strings.firstID(of: name).flatMap { arguments.value(of: $0, in: list) }.flatMap(displayText)
  }

  /// The value as the source writes it; `nil` for the value that stands for none.
  package func displayText(of value: ArgumentValue) -> String? {
    switch value {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let id): strings[id]
    case .null: nil
    }
  }
}
