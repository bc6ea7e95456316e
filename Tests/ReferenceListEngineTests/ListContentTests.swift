import ReferenceListEngine
import Testing

/// Items and places.
@Suite struct ListContentTests {
  static let content = ListContent(feedOf: 50, seed: 9)

  @Test func `rows in view are those that overlap it`() {
    var edges: [Millipoints] = [0]
    for item in Self.content.items { edges.append(edges[edges.count - 1] + item.kind.height) }
    #expect(Self.content.height == edges[50])
    for top in stride(from: Millipoints(-300_000), to: Self.content.height + 300_000, by: 37_000) {
      let bottom = top + 500_000
      let expected = (0..<50).filter { edges[$0] < bottom && edges[$0 + 1] > top }
      #expect(Array(Self.content.positions(from: top, to: bottom)) == expected)
    }
    // A row that only touches the view is not in it.
    #expect(Self.content.positions(from: edges[3], to: edges[4]) == 3..<4)
  }

  @Test func `an item is neither its position nor its view`() {
    let items = Self.content.items
    #expect(Set(items.map(\.id)).count == 50)
    for (position, item) in items.enumerated() { #expect(item.id.rawValue != UInt64(position)) }
    #expect(Set(items.map(\.kind)).count == 2)
  }
}
