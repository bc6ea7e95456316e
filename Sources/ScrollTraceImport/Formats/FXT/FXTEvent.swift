internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The parts that all events have.
struct FXTEvent {
  let type: FXT.EventType
  let time: Timestamp
  /// The number of the thread.
  let thread: UInt32
  let label: FXTLabel
  /// The word at the record's end: an id, or the end of a complete event.
  let tail: UInt64
  /// Whether the event has no name, so that an end means the innermost span.
  let isUnnamed: Bool
  let offset: UInt64
}
