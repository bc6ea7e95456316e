/// A process of the recorded system.
package struct TraceProcess: Hashable, Sendable {
  /// The system's process id.
  package let systemID: UInt64
  /// The process's name, empty where unknown.
  package var name: String
  /// Whether the frames come from this process; the work of others is reported apart.
  package var isHost: Bool
}

/// The handle of a process in `Trace.processes`.
package struct ProcessID: Hashable, Comparable, Sendable {
  /// The position in `Trace.processes`.
  package let index: Int

  init(index: Int) {
    self.index = index
  }

  /// Whether `left` comes before `right`.
  package static func < (left: ProcessID, right: ProcessID) -> Bool { left.index < right.index }
}

/// The handle of a track in `Trace.tracks`.
package struct TrackID: Hashable, Comparable, Sendable {
  /// The position in `Trace.tracks`.
  package let index: Int

  init(index: Int) {
    self.index = index
  }

  /// Whether `left` comes before `right`.
  package static func < (left: TrackID, right: TrackID) -> Bool { left.index < right.index }
}

/// A thread, queue or other executor, with the spans that ran on it.
package struct Track: Sendable {
  /// The system's thread id.
  package let systemID: UInt64
  /// The process the track belongs to.
  package let process: ProcessID
  /// The track's name, empty where unknown.
  package var name: String
  /// Whether this is the thread that makes the host's commits.
  package var isMain: Bool
  /// Whether the source records all work of this track, so that time without a span is idle time.
  package var isCompletelyRecorded: Bool
  /// The track's work, ascending by start, outer spans before inner ones.
  package internal(set) var spans: SpanColumns
  /// What a scheduler recorded of the thread; empty if the source has no scheduling records (M-25).
  package internal(set) var threadStates = ThreadStateColumns()
  /// The system's own counts of the thread, at instants; empty if the source has none (M-25).
  package internal(set) var threadTimes = ThreadTimeColumns()
}

/// Spans of one track in columns: no object for each.
///
/// Spans are ascending by start; of spans that begin together the longer one comes first. Spans
/// that a host gave after the fact may cross each other.
package struct SpanColumns: Sendable {
  /// When each span began, in nanoseconds of the trace's clock.
  package internal(set) var begins: [Int64] = []
  /// When each span ended, in nanoseconds of the trace's clock; never before its start.
  package internal(set) var ends: [Int64] = []
  /// What each span is called.
  package internal(set) var labels: [LabelID] = []
  /// The argument list of each span; empty where no span of the track has arguments.
  package internal(set) var argumentLists: [ArgumentListID] = []

  /// Whether spans came so late that all must be sorted in the end.
  var isOutOfOrder = false
  /// How many places late spans were moved over so far.
  var movedCount = 0

  /// No spans.
  package init() {}

  /// How many spans there are.
  package var count: Int { begins.count }

  /// The arguments of the span at `index`.
  package func arguments(at index: Int) -> ArgumentListID {
    argumentLists.isEmpty ? .none : argumentLists[index]
  }

  /// The span at `index`, as a value.
  package subscript(index: Int) -> WorkSpan {
    WorkSpan(
      range: TimeRange(
        start: Timestamp(clamping: begins[index]), end: Timestamp(clamping: ends[index])),
      label: labels[index], arguments: arguments(at: index))
  }
}

/// One piece of work on a track.
package struct WorkSpan: Hashable, Sendable {
  /// From when to when.
  package let range: TimeRange
  /// Category and name.
  package let label: LabelID
  /// Further values, such as the item that was worked on.
  package let arguments: ArgumentListID
}
