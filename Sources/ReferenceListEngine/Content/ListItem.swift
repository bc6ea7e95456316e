package import ScrollTraceRecorder

/// One entry of the list.
package struct ListItem: Hashable, Sendable {
  /// What it is called.
  package let id: ItemID
  /// What it consists of.
  package let kind: ItemKind
  /// The size of its data as it is loaded, in bytes.
  package let bytes: Int64

  /// The height of a cell that sizes itself for it: about that of its kind, the same at every time.
  package var ownHeight: Millipoints {
    var random = SeededNumbers(seed: id.number &* 0x51ED)
    return kind.height / 100 * (60 + Int64(random.next(below: 81)))
  }
}
