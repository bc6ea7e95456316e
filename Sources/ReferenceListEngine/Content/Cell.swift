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

/// The identifier of a cell, regardless of the item it displays.
package struct ViewID: Hashable, Sendable {
  package let rawValue: UInt64
}

/// The cells that display nothing, by kind. The last one returned is taken first.
struct ReusePool {
  private var views: [[ViewID]] = Array(repeating: [], count: ItemKind.allCases.count)

  var count: Int { views.reduce(0) { $0 + $1.count } }

  func count(of kind: ItemKind) -> Int { views[kind.rawValue].count }

  /// The waiting cells, in no particular order.
  var waiting: [ViewID] { views.flatMap { $0 } }

  mutating func take(_ kind: ItemKind) -> ViewID? { views[kind.rawValue].popLast() }

  mutating func put(_ view: ViewID, _ kind: ItemKind) { views[kind.rawValue].append(view) }
}
