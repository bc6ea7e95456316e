import ScrollTraceModel
import Testing

@Suite struct LimitTests {
  @Test func `names of equal beginnings and ends are told apart`() {
    var table = StringTable()
    let names = (0..<3000).map { "aaaaaaaa" + String(repeating: "b", count: $0) + "cccccccc" }
    let ids = names.map { table.intern($0) }
    #expect(Set(ids).count == names.count)
    #expect(ids.map { table[$0] } == names)
  }
}
