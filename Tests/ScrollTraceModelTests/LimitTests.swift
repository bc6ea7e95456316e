import ScrollTraceModel
import Testing

@Suite struct LimitTests {
  @Test func `a long name is cut, and the loss is counted`() {
    var builder = TraceBuilder(format: "hostile")
    let id = builder.string(String(repeating: "x", count: StringTable.maximumLength + 1))
    #expect(builder.name(of: id).utf8.count == StringTable.maximumLength)
    #expect(builder.finish().losses.map(\.cause) == [.limitReached])
  }

  @Test func `names of equal beginnings and ends are told apart`() {
    var table = StringTable()
    let names = (0..<3000).map { "aaaaaaaa" + String(repeating: "b", count: $0) + "cccccccc" }
    let ids = names.map { table.intern($0) }
    #expect(Set(ids).count == names.count)
    #expect(ids.map { table[$0] } == names)
  }
}
