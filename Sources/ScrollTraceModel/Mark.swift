/// An event at a point in time.
package struct Mark: Equatable, Sendable {
  package let time: Timestamp
  package let track: TrackID
  package let label: LabelID
  package let arguments: ArgumentListID
}

/// One point of a flow between pieces of work, such as from a request to its load.
package struct FlowPoint: Equatable, Sendable {
  /// The position of a point in its flow.
  package enum Kind: UInt8, Sendable {
    /// The start of the flow.
    case start
    /// A point between start and end.
    case step
    /// The end of the flow.
    case end
  }

  package let time: Timestamp
  package let track: TrackID
  package let label: LabelID
  /// A number that identifies the flow.
  package let id: UInt64
  package let kind: Kind
}

/// The samples of a counter over time.
package struct Counter: Sendable {
  package let label: LabelID
  /// The name of one of several series, or empty if the counter has only one.
  package let series: StringID
  /// A number that distinguishes counters of the same name, or 0 if there is only one.
  package let id: UInt64
  /// The time of each sample, ascending, in nanoseconds on the trace's clock.
  package internal(set) var times: [Int64] = []
  package internal(set) var values: [Double] = []
}

/// A change of a state's value (M-18).
package struct StateChange: Equatable, Sendable {
  /// The time from which the value holds.
  package let time: Timestamp
  /// The state's name, such as `screen`.
  package let key: String
  /// The new value, or `nil` if the state was cleared.
  package let value: String?

  package init(time: Timestamp, key: String, value: String?) {
    self.time = time
    self.key = key
    self.value = value
  }
}

/// A range of time in which a frame is expected at every refresh.
package struct Interaction: Equatable, Sendable {
  /// The kind: drag, deceleration, animation, reorder, paging, refresh, or a custom word.
  package let kind: String
  /// The name, or an empty string if there is none.
  package let name: String
  package let start: Timestamp
  /// The end, or `nil` if the trace ends first.
  package let end: Timestamp?
  /// The surface that moves, or `nil` for all surfaces.
  package let surface: SurfaceID?

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

/// A span that was open when the recording stopped.
package struct OpenSpan: Equatable, Sendable {
  package let track: TrackID
  package let label: LabelID
  /// The item that the span was for, or `nil` if unknown.
  package let item: ArgumentValue?
  /// The start of the span.
  package let since: Timestamp
  /// The latest possible end, or `nil` if the span was still open when the recording stopped.
  ///
  /// If a source may lose the end of a span, the span can last at most until the next event of its
  /// track or the end of the span around it.
  package internal(set) var until: Timestamp?
  /// A Boolean value indicating whether the source may have lost the span's end.
  let mayHaveEnded: Bool
}

/// Work or waiting that does not belong to a thread's stack, such as a pending request.
///
/// It may overlap anything and does not count as work of a track.
package struct AsyncSpan: Equatable, Sendable {
  /// The track that started it.
  package let track: TrackID
  package let range: TimeRange
  package let label: LabelID
  package let arguments: ArgumentListID
  /// -1 if it is `track` or unknown.
  private let rawEndTrack: Int32

  init(
    track: TrackID, range: TimeRange, label: LabelID, arguments: ArgumentListID,
    endTrack: TrackID? = nil
  ) {
    self.track = track
    self.range = range
    self.label = label
    self.arguments = arguments
    rawEndTrack =
      endTrack == track ? -1 : endTrack.map { Int32(truncatingIfNeeded: $0.index) } ?? -1
  }

  /// The track on which the task that started it ended it, or `nil` if it is the same one, or if the
  /// source does not say that one task did both.
  package var endTrack: TrackID? { rawEndTrack >= 0 ? TrackID(index: Int(rawEndTrack)) : nil }
}
