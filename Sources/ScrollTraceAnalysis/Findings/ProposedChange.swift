package import ScrollTraceModel

/// A change whose effect on a recording can be predicted (M-17).
package enum ProposedChange: Equatable, Sendable {
  /// Prepare cells one at a time after short commits, before they are needed.
  case prepareWhenIdle
  /// Prepare the next cell in each commit that needs none.
  case prepareOneAhead
  /// Decode images on another thread, before the commit that displays them.
  case decodeInBackground
  /// Load data on another thread, before the cell that displays it is prepared.
  case loadInBackground
  /// Take cells from the pool whenever one of their kind waits there.
  case reuseCells
  /// Give items that change their new content in the cell they have.
  case reconfigureItems
  /// Let snapshots change only what is different, and keep all other cells.
  case applyDifferences
  /// Let main-thread work take this percentage of its time.
  case speedup(WorkName, percent: Int)
  /// Refresh the display at this interval.
  case refreshInterval(TimeSpan)
}
