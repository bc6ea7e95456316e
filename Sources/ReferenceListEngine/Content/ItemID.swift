/// What an item is called for as long as it exists, wherever in the list it stands.
public struct ItemID: Hashable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// The item with the number `rawValue`.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
