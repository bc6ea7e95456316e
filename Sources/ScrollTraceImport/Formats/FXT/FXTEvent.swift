internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The parts common to all events.
struct FXTEvent {
  let type: FXT.EventType
  let time: Timestamp
  let thread: UInt32
  let label: FXTLabel
  /// The last word of the record: an id, or the end of a complete event.
  let tail: UInt64
  /// Whether the event has no name, so that an end closes the innermost
  /// span.
  let isUnnamed: Bool
  let arguments: FXTArguments

  var offset: UInt64 { arguments.offset }
}

/// A label with the role of its category, in one word.
struct FXTLabel {
  private let word: UInt64

  init(_ label: LabelID, _ role: Vocabulary.Role) {
    word = UInt64(label.rawValue) | role.rawValue << 32
  }

  /// The cache key of a label: the references in the upper half of an event's header, and the epoch
  /// of the tables.
  @inline(__always)
  static func key(epoch: UInt32, header: UInt64) -> UInt64 {
    UInt64(epoch) << 32 | header >> 32
  }

  var id: LabelID { LabelID(rawValue: UInt32(truncatingIfNeeded: word)) }

  /// Whether the label has no role in the vocabulary.
  var isPlain: Bool { word >> 32 == 0 }

  var role: Vocabulary.Role { Vocabulary.Role(rawValue: word >> 32) ?? .plain }
}
