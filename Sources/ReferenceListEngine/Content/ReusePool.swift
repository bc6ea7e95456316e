/// The cells that display nothing, by kind. The last one returned is taken first.
struct ReusePool {
  private var views: [[ViewID]] = Array(repeating: [], count: ItemKind.allCases.count)

  /// The number of waiting cells.
  var count: Int { views.reduce(0) { $0 + $1.count } }

  /// The number of waiting cells for items of `kind`.
  func count(of kind: ItemKind) -> Int { views[kind.rawValue].count }

  /// The waiting cells, in no particular order.
  var waiting: [ViewID] { views.flatMap { $0 } }

  /// A cell for items of `kind`, or `nil` if there is none.
  mutating func take(_ kind: ItemKind) -> ViewID? {
    views[kind.rawValue].popLast()
  }

  /// Puts back a cell for items of `kind`.
  mutating func put(_ view: ViewID, _ kind: ItemKind) {
    views[kind.rawValue].append(view)
  }
}
