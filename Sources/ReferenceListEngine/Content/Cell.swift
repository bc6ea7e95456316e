/// A view that shows one item, and after it another.
public struct Cell: Hashable, Sendable {
  /// How much of its item a cell shows.
  public enum Content: Hashable, Sendable {
    /// The item's data is on its way.
    case placeholder
    /// The data is there and its image is not a bitmap yet.
    case undecoded
    /// Everything.
    case final
  }

  /// What the view is called.
  public let view: ViewID
  /// The registration that made it.
  public let registration: UInt64
  /// The kind of items it can show.
  public let kind: ItemKind
  /// The item it shows.
  public let item: ItemID
  /// The item's position in the list.
  public var position: Int
  /// How much of the item it shows.
  public var content: Content
  /// Whether somebody wrote another item's content into it.
  public var isWrong = false
  /// Whether it has been in view since it was prepared.
  public var wasShown = false
}
