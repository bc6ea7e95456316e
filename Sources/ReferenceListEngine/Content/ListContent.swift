/// The items of the list and where each of them lies.
public struct ListContent: Sendable {
  /// The items in their order.
  public let items: [ListItem]
  /// Where each row begins, and at the end where the last row ends.
  let edges: [Millipoints]

  /// A feed of `count` items, made of `seed`: every other item or so is a photo.
  ///
  /// The newest item comes first and has the greatest number, so an item's number is never its
  /// position.
  public init(feedOf count: Int, seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    var items: [ListItem] = []
    var edges: [Millipoints] = [0]
    for position in 0..<max(1, count) {
      let kind: ItemKind = random.next(below: 2) == 0 ? .photo : .text
      let bytes =
        kind == .photo ? 60_000 + random.next(below: 180_000) : 300 + random.next(below: 900)
      items.append(
        ListItem(
          id: ItemID(rawValue: 10_000 + UInt64(max(1, count) - position)), kind: kind,
          bytes: Int64(bytes)))
      edges.append(edges[position] + kind.height)
    }
    self.items = items
    self.edges = edges
  }

  /// The height of all rows together.
  public var height: Millipoints { edges[edges.count - 1] }

  /// The positions of the rows that lie at least partly in the stretch from `top` to `bottom`.
  public func positions(from top: Millipoints, to bottom: Millipoints) -> Range<Int> {
    guard top < bottom, bottom > 0, top < height else { return 0..<0 }
    let first = firstEdge { $0 > top } - 1
    let end = firstEdge { $0 >= bottom }
    return max(0, first)..<min(items.count, end)
  }

  /// The position of the first edge for which `isBeyond` holds; edges ascend.
  private func firstEdge(where isBeyond: (Millipoints) -> Bool) -> Int {
    var (low, high) = (0, edges.count)
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(edges[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
