import ScrollTraceSummary

/// Finds the cells that a jump brought into view: they are more than a view away from the ones before, or
/// without positions, a whole view of items that had not been displayed.
struct JumpDetector {
  private var last: Int64?
  /// The window of the last jump.
  private var window: Int?
  /// The window of the list's first cells, which nothing precedes.
  private var firstWindow: Int??

  /// Returns a Boolean value indicating whether a late frame prepared `cell` after a jump.
  ///
  /// - Parameters:
  ///   - cell: The next cell of the list, in order of time.
  ///   - cellsInView: The largest number of cells displayed at once; 0 if unknown.
  ///   - newCells: The number of cells without a position in the same late frame whose items had not been
  ///     displayed.
  mutating func isAfterJump(_ cell: PreparedCell, cellsInView: Int, newCells: Int) -> Bool {
    let first = firstWindow ?? cell.window
    firstWindow = .some(first)
    guard cellsInView > 0 else { return false }
    guard let position = cell.position else {
      // Fewer cells are a line.
      let minimum = max(cellsInView, FindingThresholds.minimumView.value)
      return cell.isNew && cell.window != first && newCells >= minimum
    }
    let distance = WideInteger(position) - WideInteger(last ?? position)
    // A list may prepare a view of cells ahead.
    if distance.magnitude > 2 * WideInteger(cellsInView) { window = cell.window }
    last = position
    return window != nil && window == cell.window
  }
}
