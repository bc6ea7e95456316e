import ScrollTraceModel

/// A snapshot that was applied to a list, and the cells it threw away.
struct AppliedSnapshot {
  /// From when to when.
  let range: TimeRange
  /// Whether everything was loaded anew although items that stayed could have kept their cells.
  let isWholeReload: Bool
  /// The items, as the host says, that got another cell.
  let reloaded: Int
  /// The cells of items that had been in view and were prepared again for it.
  var preparedAgain = 0

  /// The snapshot applied in `range` that counts what `measures` counts.
  init(_ range: TimeRange, _ measures: SnapshotMeasures) {
    self.range = range
    reloaded = measures.reloaded
    let hasChanges = measures.inserted > 0 || measures.deleted > 0
    isWholeReload = measures.kind == "reload" && (hasChanges || reloaded == 0)
  }

  /// Whether it can have thrown cells away.
  var isReload: Bool { isWholeReload || reloaded > 0 }

  /// Whether `cell` was prepared again because of it.
  func threwAway(_ cell: PreparedCell) -> Bool {
    guard isReload, let leftView = cell.leftView else { return false }
    return leftView >= range.start && cell.range.start - range.end <= FindingThresholds.reloadTime
  }
}
