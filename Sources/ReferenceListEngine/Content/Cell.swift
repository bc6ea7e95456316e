package import ScrollTraceRecorder

/// A view that shows one item, and after it another.
package struct Cell: Hashable, Sendable {
  /// How much of its item a cell shows.
  package enum Content: Hashable, Sendable {
    /// The item's data is on its way.
    case placeholder
    /// The data is there and its image is not a bitmap yet.
    case undecoded
    /// Everything.
    case final
  }

  /// What the view is called.
  package let view: ViewID
  /// The registration that made it.
  package let registration: UInt64
  /// The kind of items it can show.
  package let kind: ItemKind
  /// The item it shows.
  package let item: ItemID
  /// The item's position in the list.
  package var position: Int
  /// How much of the item it shows.
  package var content: Content
  /// Whether somebody wrote another item's content into it.
  package var isWrong = false
  /// Whether it has been in view since it was prepared.
  package var wasShown = false
}
