import ScrollTraceModel

/// The preparation of one cell, to find out why it was made.
struct PreparedCell {
  /// From when to when.
  let range: TimeRange
  /// What it says of itself.
  let arguments: ArgumentListID
  /// The window of a hitch that holds it.
  let window: Int?
  /// Whether it came before the cell was needed.
  let isAhead: Bool
  /// Whether the cell was made, not taken from the pool.
  let isCreated: Bool
  /// The position of its list among the drafts.
  var list: Int
  /// When the item last left the view: the preparation's begin where it still was in view, `nil` where
  /// it was not seen before.
  var leftView: Timestamp?
}
