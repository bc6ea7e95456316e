import ScrollTraceModel
import Testing

@Suite struct LimitTests {
  @Test func `surfaces beyond the limit are merged into one, and the loss is counted`() {
    var builder = TraceBuilder(format: "hostile")
    let count = TraceBuilder.maximumSurfaceCount
    for index in 0..<(count + 3) {
      let name = "\(index)"
      var frame = Frame(id: UInt64(index))
      frame.start = .zero
      builder.updateFrame(frame, of: builder.surface(name))
      #expect(builder.surface(name) == builder.surface(name))
    }
    let trace = builder.finish()
    #expect(trace.surfaces.count == count + 1)
    #expect(trace.surfaces.first { $0.name == TraceBuilder.overflowSurface }?.frames.count == 3)
    #expect(trace.losses.map(\.reason) == [.limitReached])
    #expect(trace.losses.first?.count == 3)
  }

  @Test func `a frame whose commit ends before it starts is lost, however it is added`() {
    var builder = TraceBuilder(format: "hostile")
    let surface = builder.surface("list")
    var frame = Frame(id: 1)
    frame.commitStart = Timestamp(nanoseconds: 10)
    frame.commitEnd = Timestamp(nanoseconds: 9)
    builder.addFrame(frame, of: surface)
    builder.updateFrame(frame, of: surface)
    let trace = builder.finish()
    #expect(trace.surfaces.map(\.frames.count) == [0])
    #expect(trace.losses.map(\.count) == [2])
  }

  @Test func `a long name is truncated, and the loss is counted`() {
    var builder = TraceBuilder(format: "hostile")
    let id = builder.string(String(repeating: "x", count: StringTable.maximumLength + 1))
    #expect(builder.name(of: id).utf8.count == StringTable.maximumLength)
    #expect(builder.finish().losses.map(\.reason) == [.limitReached])
  }

  @Test func `names with equal beginnings and ends stay distinct`() {
    var table = StringTable()
    let names = (0..<3000).map { "aaaaaaaa" + String(repeating: "b", count: $0) + "cccccccc" }
    let ids = names.map { table.intern($0) }
    #expect(Set(ids).count == names.count)
    #expect(ids.map { table[$0] } == names)
  }
}
