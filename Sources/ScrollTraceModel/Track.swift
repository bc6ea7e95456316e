/// A process of the recorded system.
public struct TraceProcess: Hashable, Sendable {
  /// The system's process id.
  public let systemID: UInt64
  /// The process's name, empty where unknown.
  public var name: String
  /// Whether the frames come from this process; the work of others is reported apart.
  public var isHost: Bool
}

/// The handle of a process in `Trace.processes`.
public struct ProcessID: Hashable, Comparable, Sendable {
  /// The position in `Trace.processes`.
  public let index: Int

  init(index: Int) {
    self.index = index
  }

  /// Whether `left` comes before `right`.
  public static func < (left: ProcessID, right: ProcessID) -> Bool { left.index < right.index }
}

/// The handle of a track in `Trace.tracks`.
public struct TrackID: Hashable, Comparable, Sendable {
  /// The position in `Trace.tracks`.
  public let index: Int

  init(index: Int) {
    self.index = index
  }

  /// Whether `left` comes before `right`.
  public static func < (left: TrackID, right: TrackID) -> Bool { left.index < right.index }
}

/// A thread, queue or other executor, with the spans that ran on it.
public struct Track: Sendable {
  /// The system's thread id.
  public let systemID: UInt64
  /// The process the track belongs to.
  public let process: ProcessID
  /// The track's name, empty where unknown.
  public var name: String
  /// Whether this is the thread that makes the host's commits.
  public var isMain: Bool
  /// Whether the source records all work of this track, so that time without a span is idle time.
  public var isCompletelyRecorded: Bool
  /// The track's work, ascending by begin, outer spans before inner ones.
  public internal(set) var spans: SpanColumns
}

/// Spans of one track in columns: no object for each.
///
/// Spans are ascending by begin; of spans that begin together the longer one comes first. Spans
/// that a host gave after the fact may cross each other.
public struct SpanColumns: Sendable {
  /// When each span began, in nanoseconds of the trace's clock.
  public internal(set) var begins: [Int64] = []
  /// When each span ended, in nanoseconds of the trace's clock; never before its begin.
  public internal(set) var ends: [Int64] = []
  /// What each span is called.
  public internal(set) var labels: [LabelID] = []
  /// The argument list of each span; empty where no span of the track has arguments.
  public internal(set) var argumentLists: [ArgumentListID] = []

  /// Whether spans came so late that all must be sorted in the end.
  var isOutOfOrder = false
  /// How many places late spans were moved over so far.
  var movedCount = 0

  /// No spans.
  public init() {}

  /// How many spans there are.
  public var count: Int { begins.count }

  /// The arguments of the span at `index`.
  public func arguments(at index: Int) -> ArgumentListID {
    argumentLists.isEmpty ? .none : argumentLists[index]
  }

  /// The span at `index`, as a value.
  public subscript(index: Int) -> WorkSpan {
    WorkSpan(
      range: TimeRange(
        begin: Timestamp(clamping: begins[index]), end: Timestamp(clamping: ends[index])),
      label: labels[index], arguments: arguments(at: index))
  }
}

/// One piece of work on a track.
public struct WorkSpan: Hashable, Sendable {
  /// From when to when.
  public let range: TimeRange
  /// Category and name.
  public let label: LabelID
  /// Further values, such as the item that was worked on.
  public let arguments: ArgumentListID
}
