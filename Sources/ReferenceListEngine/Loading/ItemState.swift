/// How far the data of an item is.
enum ItemState: Hashable, Sendable {
  /// It was asked for.
  case requested
  /// It is there; `isDecoded` where its image is a bitmap, `isUsed` once a cell has shown it.
  case loaded(isDecoded: Bool, isUsed: Bool)
}
