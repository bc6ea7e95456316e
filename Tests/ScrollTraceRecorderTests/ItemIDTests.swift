import ScrollTraceRecorder
import Testing

/// Identifiers of items are the same in every run and on every machine.
struct ItemIDTests {
  @Test func `an integer is recorded unchanged`() throws {
    let items = try StrictWalker { recorder in
      recorder.withSpan("decode", .image, item: 7) {}
      recorder.withSpan("decode", .image, item: ItemID(8 as Int)) {}
      recorder.mark("mark", item: ItemID(-1 as Int))
    }.events.map { $0.arguments["item"] }
    #expect(items == [.unsigned(7), .unsigned(8), .unsigned(.max)])
  }

  @Test func `a string and a UUID have numbers that never change`() {
    #expect(ItemID("") == ItemID(0xEFD0_1F60_BA99_2926 as UInt64))
    #expect(ItemID("post-1") == ItemID("post-1"))
    #expect(ItemID("post-1") != ItemID("post-2"))
    #expect(ItemID(high: 1, low: 2) == ItemID(high: 1, low: 2))
    #expect(ItemID(high: 1, low: 2) != ItemID(high: 2, low: 1))
    #expect(ItemID(high: 0, low: 1) != ItemID(high: 1, low: 0))
  }

  @Test func `a hundred thousand strings have as many numbers`() {
    #expect(Set((0..<100_000).map { ItemID("item \($0)") }).count == 100_000)
  }
}
