package import ScrollTraceRecorder

/// A view that displays one item at a time.
package struct Cell: Equatable, Sendable {
  /// How much of its item a cell displays.
  package enum Content: Equatable, Sendable {
    /// The item's data is being loaded.
    case placeholder
    /// The data is loaded, and its image is not decoded yet.
    case undecoded
    case final
  }

  package let view: ViewID
  /// The registration that created it.
  package let registration: UInt64
  /// The kind of items it can display.
  package let kind: ItemKind
  package let item: ItemID
  package var position: Int
  /// How much of the item it displays.
  package var content: Content
  /// Whether another item's content was written into it.
  package var isWrong = false
  /// Whether it has been displayed since it was prepared.
  package var wasShown = false
}
