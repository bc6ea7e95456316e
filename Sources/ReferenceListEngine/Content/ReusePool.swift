/// The cells that display nothing, by kind. The last one returned is taken first.
struct ReusePool {
  private var views: [[ViewID]] = Array(repeating: [], count: ItemKind.allCases.count)

  var count: Int { views.reduce(0) { $0 + $1.count } }

  func count(of kind: ItemKind) -> Int { views[kind.rawValue].count }

  /// The waiting cells, in no particular order.
  var waiting: [ViewID] { views.flatMap { $0 } }

  mutating func take(_ kind: ItemKind) -> ViewID? {
    views[kind.rawValue].popLast()
  }

  mutating func put(_ view: ViewID, _ kind: ItemKind) {
    views[kind.rawValue].append(view)
  }
}
