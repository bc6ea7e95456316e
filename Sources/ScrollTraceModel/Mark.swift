/// Something that happened at an instant.
public struct Mark: Hashable, Sendable {
  /// When.
  public let time: Timestamp
  /// On which track.
  public let track: TrackID
  /// Category and name.
  public let label: LabelID
  /// Further values.
  public let arguments: ArgumentListID
}

/// One point of an arrow between pieces of work, for example from a request to its load.
public struct FlowPoint: Hashable, Sendable {
  /// Which part of the arrow this is.
  public enum Kind: UInt8, Sendable {
    /// Where the arrow starts.
    case begin
    /// A station on the way.
    case step
    /// Where it ends.
    case end
  }

  /// When.
  public let time: Timestamp
  /// On which track.
  public let track: TrackID
  /// Category and name.
  public let label: LabelID
  /// What joins the points of one arrow.
  public let id: UInt64
  /// Begin, step or end.
  public let kind: Kind
}

/// Samples of one number over time.
public struct Counter: Sendable {
  /// Category and name.
  public let label: LabelID
  /// Which value of the counter; empty where it has only one.
  public let series: StringID
  /// Which of several counters of this name; 0 where there is one.
  public let id: UInt64
  /// When each sample was taken, ascending, in nanoseconds of the trace's clock.
  public internal(set) var times: [Int64] = []
  /// The samples.
  public internal(set) var values: [Double] = []
}

/// A key that holds a value from a moment on (M-18).
public struct StateChange: Hashable, Sendable {
  /// From when on the value holds.
  public let time: Timestamp
  /// The state's name, for example `screen`.
  public let key: String
  /// The new value; `nil` where the state was cleared.
  public let value: String?

  /// The state `key` holds `value` from `time` on; a `nil` value clears it.
  public init(time: Timestamp, key: String, value: String?) {
    self.time = time
    self.key = key
    self.value = value
  }
}

/// A stretch in which the display is owed a frame at every refresh.
public struct Interaction: Hashable, Sendable {
  /// drag, deceleration, animation, reorder, paging, refresh, or the host's word.
  public let kind: String
  /// A name of this one, empty where it has none.
  public let name: String
  /// When it began.
  public let begin: Timestamp
  /// When it ended; `nil` where the trace ends first.
  public let end: Timestamp?
  /// The surface that moves; `nil` for all.
  public let surface: SurfaceID?

  /// An interaction from `begin` on.
  public init(
    kind: String, name: String = "", begin: Timestamp, end: Timestamp?, surface: SurfaceID? = nil
  ) {
    self.kind = kind
    self.name = name
    self.begin = begin
    self.end = end.map { max(begin, $0) }
    self.surface = surface
  }
}

/// A span that had begun and not ended when the recording stopped.
public struct OpenSpan: Hashable, Sendable {
  /// On which track.
  public let track: TrackID
  /// Category and name.
  public let label: LabelID
  /// The item that was worked on.
  public let item: ArgumentValue?
  /// Since when.
  public let since: Timestamp
}

/// Work or waiting that belongs to no thread's stack, such as a request under way.
///
/// It may overlap anything and counts as no track's work.
public struct AsyncSpan: Hashable, Sendable {
  /// The track that began it.
  public let track: TrackID
  /// From when to when.
  public let range: TimeRange
  /// Category and name.
  public let label: LabelID
  /// Further values.
  public let arguments: ArgumentListID
}
