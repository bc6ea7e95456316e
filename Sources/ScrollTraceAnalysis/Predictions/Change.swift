package import ScrollTraceModel

/// Something that could be done otherwise than it was recorded (M-17).
package enum ProposedChange: Hashable, Sendable {
  /// Cells are prepared one at a time in the spare time after short commits, before they are needed.
  case prepareCellsInSpareTime
  /// Each commit that needs no cell prepares the next one.
  case prepareCellsOneAhead
  /// Images become bitmaps on another thread, before the commit that shows them.
  case decodeInBackground
  /// Data is loaded on another thread, before the cell that shows it is prepared.
  case loadInBackground
  /// Cells are taken from the pool wherever one of their kind waits there.
  case reuseCells
  /// Items that change get their new content in the cell they have.
  case reconfigureItems
  /// Snapshots change only what is different; all other cells stay.
  case applyDifferences
  /// Some main-thread work costs so many percent of what it did.
  case cheaper(WorkName, percent: Int)
  /// The display refreshes at another rate, once in this time.
  case refreshInterval(TimeSpan)
}

/// The main-thread work of a category, or of one name in it.
package struct WorkName: Hashable, Sendable {
  /// The category.
  package let category: String
  /// The name; `nil` for all of the category.
  package let name: String?

  /// The work called `name` of `category`, or all of it.
  package init(category: String, name: String? = nil) {
    self.category = category
    self.name = name
  }
}
