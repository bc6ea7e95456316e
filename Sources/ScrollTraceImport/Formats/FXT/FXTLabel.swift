internal import ScrollTraceLayout
internal import ScrollTraceModel

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

  /// The role of the label's category.
  var role: Vocabulary.Role { Vocabulary.Role(rawValue: word >> 32) ?? .plain }
}
