import ScrollTraceModel

/// The preparation of one cell.
struct PreparedCell {
  let range: TimeRange
  let arguments: ArgumentListID
  /// The window of a hitch that contains it, or `nil` if there is none.
  let window: Int?
  /// A Boolean value indicating whether the cell was prepared before it was needed.
  let isAhead: Bool
  /// A Boolean value indicating whether the cell was created, not reused.
  let isCreated: Bool
  /// The position of its item in the list, or `nil` if unknown.
  let position: Int64?
  /// The position of its list among the drafts.
  var list: Int
  /// The time the item last left the view, the preparation's start if it was still displayed, or
  /// `nil` if it had not been displayed.
  var leftView: Timestamp?

  /// A Boolean value indicating whether the item had not been displayed before, and was not prepared ahead.
  var isNew: Bool { leftView == nil && !isAhead }

  /// A late frame of a list.
  struct FrameOfList: Hashable {
    let list: Int
    let window: Int?
  }

  /// The late frame in which it was prepared.
  var frameOfList: FrameOfList { FrameOfList(list: list, window: window) }
}
