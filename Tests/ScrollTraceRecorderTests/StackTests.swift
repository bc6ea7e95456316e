import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The stacks of open spans (F-5) and the order of begins (F-6).
struct StackTests {
  @Test func `a recording that stops inside spans lists the open ones with their start`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    let start = recorder.now()
    let frame = recorder.beginFrame(FrameTiming(deadline: 5), id: 12)
    try frame.phases {
      try $0.layout {
        try recorder.withCellStep(.configure, CellDetails(item: 0)) {
          let walker = try StrictWalker(path.read(), mayEndInPad: true)
          let open = walker.openSpans
          #expect(open.map(\.name) == ["display", "layout", "configure"])
          #expect(
            open.map(\.category) == ["scrolltrace.frame", "scrolltrace.phase", "scrolltrace.cell"])
          #expect(open.map(\.item) == [12, nil, 0])
          #expect(open.map(\.depth) == [3, 3, 3])
          #expect(open.allSatisfy { $0.start >= UInt64(start.nanoseconds) })
          #expect(walker.events.contains { $0.arguments["deadline"] == .signed(5) })
        }
      }
    }
    frame.end()
    #expect(try StrictWalker(path.read(), mayEndInPad: true).openSpans.isEmpty)
  }

  @Test func `spans deeper than 32 are counted, recorded and leave a clean stack`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    func nest(_ depth: UInt64) throws {
      try recorder.withSpan("nest", item: ItemID(depth)) {
        if depth < 39 { return try nest(depth + 1) }
        let open = try StrictWalker(path.read(), mayEndInPad: true).openSpans
        #expect(open.map(\.item) == (0..<32).map(UInt64.init))
        #expect(open.allSatisfy { $0.depth == 40 })
      }
    }
    try nest(0)
    try recorder.finish()
    let walker = try StrictWalker(path.read())
    #expect(walker.openSpans.isEmpty)
    #expect(walker.events.count == 40)
  }

  @Test func `a deep span ended twice is recorded once in its stack`() throws {
    let walker = try StrictWalker { recorder in
      let outer = (0..<40).map { recorder.beginSpan("outer", item: ItemID($0)) }
      let deep = recorder.beginSpan("deep", item: 40)
      recorder.endSpan(deep)
      recorder.withSpan("next", item: 41) { recorder.endSpan(deep) }
      #expect(recorder.losses.endedTwice == 1)
      for token in outer.reversed() { recorder.endSpan(token) }
    }
    #expect(walker.openSpans.isEmpty)
    #expect(walker.events.filter { $0.name == "deep" }.map(\.type) == [4])
    #expect(walker.events.filter { $0.name == "next" }.map(\.type) == [4])
    #expect(walker.events.filter { $0.name == "outer" }.count == 40)
  }

  @Test func `starts on one thread are strictly increasing although the clock stands still (F-6)`()
    throws
  {
    let walker = try StrictWalker(options: .with { $0.clock = .manual(start: 1000) }) { recorder in
      recorder.withSpan("a") {
        recorder.withSpan("b") {}
        recorder.withSpan("c") { recorder.withSpan("d") {} }
      }
      recorder.withSpan("e") {}
    }
    #expect(walker.events.sorted { $0.time < $1.time }.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(walker.events.map(\.time).max() == 1004)
  }
}
