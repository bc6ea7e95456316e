/// How far the data of an item is.
enum ItemState: Equatable, Sendable {
  /// It was asked for; `isAhead` before a cell needed it.
  case requested(isAhead: Bool)
  /// It is on this machine; `isUsed` once a cell has shown it.
  case loaded(isUsed: Bool)
}
