import ScrollTraceModel

/// A snapshot that was applied to a list, and the cells it discarded.
struct AppliedSnapshot {
  let range: TimeRange
  /// A Boolean value indicating whether items that stayed lost their cells, although the snapshot
  /// changed others.
  let isWholeReload: Bool
  /// The number of items that got another cell, according to the host.
  let reloaded: Int
  /// The number of displayed items whose cells were prepared again.
  var preparedAgain = 0

  init(_ range: TimeRange, _ measures: SnapshotMeasures) {
    self.range = range
    reloaded = measures.reloaded
    let hasChanges = measures.inserted > 0 || measures.deleted > 0
    isWholeReload = measures.kind == "reload" && (hasChanges || reloaded == 0)
  }

  /// A Boolean value indicating whether the snapshot can have discarded cells.
  var isReload: Bool { isWholeReload || reloaded > 0 }

  /// Returns a Boolean value indicating whether `cell` was prepared again because of the snapshot.
  func discarded(_ cell: PreparedCell) -> Bool {
    guard isReload, let leftView = cell.leftView else { return false }
    return leftView >= range.start
      && cell.range.start - range.end <= FindingThresholds.reloadTime.value
  }
}
