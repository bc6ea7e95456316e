/// What a cell is called for as long as it exists, whichever item it shows.
public struct ViewID: Hashable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// The cell with the number `rawValue`.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
