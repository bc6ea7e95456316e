import ScrollTraceSummary

/// Finds the cells that a jump brought into view: they are more than a view away from the ones before.
struct JumpDetector {
  private var last: Int64?
  /// The window of the last jump.
  private var window: Int?

  /// Returns a Boolean value indicating whether a late frame prepared `cell` after a jump.
  ///
  /// - Parameters:
  ///   - cell: The next cell of the list, in order of time.
  ///   - cellsInView: The largest number of cells displayed at once; 0 if unknown.
  mutating func isAfterJump(_ cell: PreparedCell, cellsInView: Int) -> Bool {
    guard let position = cell.position, cellsInView > 0 else { return false }
    let distance = WideInteger(position) - WideInteger(last ?? position)
    // A list may prepare a view of cells ahead.
    if distance.magnitude > 2 * WideInteger(cellsInView) { window = cell.window }
    last = position
    return window != nil && window == cell.window
  }
}
