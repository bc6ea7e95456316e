/// One entry of the list.
public struct ListItem: Hashable, Sendable {
  /// What it is called.
  public let id: ItemID
  /// What it consists of.
  public let kind: ItemKind
  /// The size of its data as it is loaded, in bytes.
  public let bytes: Int64

  /// The height of a cell that sizes itself for it: about that of its kind, the same at every time.
  public var ownHeight: Millipoints {
    var random = SeededNumbers(seed: id.rawValue &* 0x51ED)
    return kind.height / 100 * (60 + Int64(random.next(below: 81)))
  }
}
