internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The parts common to all events.
struct FXTEvent {
  let type: FXT.EventType
  let time: Timestamp
  /// The number of the thread.
  let thread: UInt32
  let label: FXTLabel
  /// The last word of the record: an id, or the end of a complete event.
  let tail: UInt64
  /// Whether the event has no name, so that an end closes the innermost
  /// span.
  let isUnnamed: Bool
  let arguments: FXTArguments

  /// The offset of the record in the source.
  var offset: UInt64 { arguments.offset }
}
