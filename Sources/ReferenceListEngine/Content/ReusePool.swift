/// The cells that show nothing at the moment, by kind; the one put back last is taken first.
struct ReusePool {
  private var views: [[ViewID]] = Array(repeating: [], count: ItemKind.allCases.count)

  /// How many cells wait.
  var count: Int { views.reduce(0) { $0 + $1.count } }

  /// The cells that wait, in no particular order.
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
