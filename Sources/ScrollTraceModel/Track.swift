/// A process of the recorded system.
package struct TraceProcess: Equatable, Sendable {
  package let systemID: UInt64
  /// The process's name, or an empty string if unknown.
  package var name: String
  /// Whether the frames come from this process. The work of other
  /// processes is reported separately.
  package var isHost: Bool
}

/// The handle of a process in `Trace.processes`.
@usableFromInline package struct ProcessID: Hashable, Comparable, Sendable {
  /// The position in `Trace.processes`.
  @usableFromInline package let index: Int

  package init(index: Int) {
    self.index = index
  }

  @inlinable package static func < (left: ProcessID, right: ProcessID) -> Bool {
    left.index < right.index
  }
}

/// The handle of a track in `Trace.tracks`.
@usableFromInline package struct TrackID: Hashable, Comparable, Sendable {
  /// The position in `Trace.tracks`.
  @usableFromInline package let index: Int

  @inlinable package init(index: Int) {
    self.index = index
  }

  @inlinable package static func < (left: TrackID, right: TrackID) -> Bool {
    left.index < right.index
  }
}

/// A thread, queue or other executor, and the spans that ran on it.
public struct Track: Sendable {
  package let systemID: UInt64
  package let process: ProcessID
  /// The track's name, or an empty string if unknown.
  public package(set) var name: String
  /// A Boolean value indicating whether this thread makes the host's commits.
  public package(set) var isMain: Bool
  /// Whether the source records all work of this track, so that time
  /// without a span is idle.
  package var isCompletelyRecorded: Bool
  /// The track's work, sorted by start, with outer spans before inner ones.
  public internal(set) var spans: SpanColumns
  /// What a scheduler recorded of the thread; empty if the source has no scheduling records (M-25).
  package internal(set) var threadStates = ThreadStateColumns()
  /// The system's own counts of the thread, at instants; empty if the source has none (M-25).
  package internal(set) var threadTimes = ThreadTimeColumns()

  /// The track's name, or one made from its number if it has none.
  package var displayName: String { name.isEmpty ? "thread \(systemID)" : name }
}
