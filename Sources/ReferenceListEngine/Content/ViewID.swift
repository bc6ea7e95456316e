/// What a cell is called for as long as it exists, whichever item it shows.
package struct ViewID: Hashable, Sendable {
  /// The number.
  package let rawValue: UInt64

  /// The cell with the number `rawValue`.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
