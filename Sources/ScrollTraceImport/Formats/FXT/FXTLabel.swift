internal import ScrollTraceModel

/// A label with its role, in one word.
struct FXTLabel {
  let word: UInt64

  init(_ label: LabelID, _ meaning: EventRole) {
    word = UInt64(label.rawValue) | meaning.rawValue << 32
  }

  init(word: UInt64) { self.word = word }

  /// The cache key of a label: the references in the upper half of an event's header, and the epoch
  /// of the tables.
  @inline(__always)
  static func key(epoch: UInt32, header: UInt64) -> UInt64 {
    UInt64(epoch) << 32 | header >> 32
  }

  var id: LabelID { LabelID(rawValue: UInt32(truncatingIfNeeded: word)) }

  /// A Boolean value indicating whether the label has no role in the vocabulary.
  var isPlain: Bool { word >> 32 == 0 }

  /// The role of the label's category.
  var meaning: EventRole { EventRole(rawValue: word >> 32) ?? .plain }
}
