/// An event at a point in time. ``Trace/name(of:)`` returns its name.
public struct Mark: Equatable, Sendable {
  /// The time of the event.
  public let time: Timestamp
  package let track: TrackID
  package let label: LabelID
  package internal(set) var arguments: ArgumentListID
}

/// One point of a flow between pieces of work, such as from a request to its load.
package struct FlowPoint: Equatable, Sendable {
  /// The position of a point in its flow.
  package enum Kind: UInt8, Sendable {
    case start
    /// A point between start and end.
    case step
    case end
  }

  package let time: Timestamp
  package let track: TrackID
  package let label: LabelID
  package let id: UInt64
  package let kind: Kind
}
