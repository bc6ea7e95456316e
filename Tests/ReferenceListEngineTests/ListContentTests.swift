import ScrollTraceRecorder
import ReferenceListEngine
import Testing

@Suite struct ListContentTests {
  @Test func `an item is identified by neither its position nor its view`() {
    let items = ListContent(feedOf: 50, seed: 9).items
    #expect(Set(items.map(\.id)).count == 50)
    for (position, item) in items.enumerated() { #expect(item.id.number != UInt64(position)) }
    #expect(Set(items.map(\.kind)).count == 2)
  }
}
