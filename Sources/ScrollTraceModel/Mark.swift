/// Something that happened at an instant.
package struct Mark: Hashable, Sendable {
  /// When.
  package let time: Timestamp
  /// On which track.
  package let track: TrackID
  /// Category and name.
  package let label: LabelID
  /// Further values.
  package let arguments: ArgumentListID
}

/// One point of an arrow between pieces of work, for example from a request to its load.
package struct FlowPoint: Hashable, Sendable {
  /// Which part of the arrow this is.
  package enum Kind: UInt8, Sendable {
    /// Where the arrow starts.
    case start
    /// A station on the way.
    case step
    /// Where it ends.
    case end
  }

  /// When.
  package let time: Timestamp
  /// On which track.
  package let track: TrackID
  /// Category and name.
  package let label: LabelID
  /// What joins the points of one arrow.
  package let id: UInt64
  /// Begin, step or end.
  package let kind: Kind
}

/// Samples of one number over time.
package struct Counter: Sendable {
  /// Category and name.
  package let label: LabelID
  /// Which value of the counter; empty where it has only one.
  package let series: StringID
  /// Which of several counters of this name; 0 where there is one.
  package let id: UInt64
  /// When each sample was taken, ascending, in nanoseconds of the trace's clock.
  package internal(set) var times: [Int64] = []
  /// The samples.
  package internal(set) var values: [Double] = []
}

/// A key that holds a value from a moment on (M-18).
package struct StateChange: Hashable, Sendable {
  /// From when on the value holds.
  package let time: Timestamp
  /// The state's name, for example `screen`.
  package let key: String
  /// The new value, or `nil` if the state was cleared.
  package let value: String?

  /// The state `key` holds `value` from `time` on; a `nil` value clears it.
  package init(time: Timestamp, key: String, value: String?) {
    self.time = time
    self.key = key
    self.value = value
  }
}

/// A range in which the display is owed a frame at every refresh.
package struct Interaction: Hashable, Sendable {
  /// drag, deceleration, animation, reorder, paging, refresh, or the host's word.
  package let kind: String
  /// A name of this one, empty where it has none.
  package let name: String
  /// When it began.
  package let start: Timestamp
  /// When it ended, or `nil` if the trace ends first.
  package let end: Timestamp?
  /// The surface that moves; `nil` for all.
  package let surface: SurfaceID?

  /// An interaction from `begin` on.
  package init(
    kind: String, name: String = "", start: Timestamp, end: Timestamp?, surface: SurfaceID? = nil
  ) {
    self.kind = kind
    self.name = name
    self.start = start
    self.end = end.map { max(start, $0) }
    self.surface = surface
  }
}

/// A span that had begun and not ended when the recording stopped.
package struct OpenSpan: Hashable, Sendable {
  /// On which track.
  package let track: TrackID
  /// Category and name.
  package let label: LabelID
  /// The item that was worked on.
  package let item: ArgumentValue?
  /// Since when.
  package let since: Timestamp
  /// The latest instant it can fill, or `nil` if it was still open when the recording stopped.
  ///
  /// A source that writes a start and loses its end says nothing of the time after the next event of
  /// the track, or after the end of the span around it.
  package internal(set) var until: Timestamp?
  /// A Boolean value indicating whether the source may have lost its end.
  let mayHaveEnded: Bool
}

/// Work or waiting that belongs to no thread's stack, such as a request under way.
///
/// It may overlap anything and counts as no track's work.
package struct AsyncSpan: Hashable, Sendable {
  /// The track that began it.
  package let track: TrackID
  /// From when to when.
  package let range: TimeRange
  /// Category and name.
  package let label: LabelID
  /// Further values.
  package let arguments: ArgumentListID
}
