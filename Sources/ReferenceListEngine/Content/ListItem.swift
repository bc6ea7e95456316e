/// One entry of the list.
public struct ListItem: Hashable, Sendable {
  /// What it is called.
  public let id: ItemID
  /// What it consists of.
  public let kind: ItemKind
  /// The size of its data as it is loaded, in bytes.
  public let bytes: Int64
}
