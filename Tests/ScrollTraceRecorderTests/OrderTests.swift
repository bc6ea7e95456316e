import ScrollTraceLayout
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Spans that end in another order than they should, or too often.
struct OrderTests {
  @Test func `a span ended twice closes no other span`() throws {
    let walker = try StrictWalker { recorder in
      let twice = recorder.beginSpan("twice")
      recorder.endSpan(twice)
      let next = recorder.beginSpan("next")
      recorder.endSpan(twice)
      recorder.endSpan(next)
      #expect(recorder.losses.endedTwice == 1)
      #expect(recorder.losses.total == 0)
    }
    #expect(walker.events.map(\.name) == ["twice", "next"])
    #expect(walker.events.map(\.type) == [4, 4])
    #expect(walker.openSpans.isEmpty)
  }

  @Test
  func `a span closed by its enclosing span becomes asynchronous, and can end once (F-2)`() throws {
    let walker = try StrictWalker { recorder in
      let outer = recorder.beginSpan("outer")
      let inner = recorder.beginSpan("inner", item: 5)
      recorder.endSpan(outer)
      recorder.withSpan("between") {}
      recorder.endSpan(inner)
      #expect(recorder.losses.endedTwice == 0)
      recorder.endSpan(inner)
      #expect(recorder.losses.endedTwice == 1)
    }
    #expect(walker.events.filter { $0.type == 4 }.map(\.name) == ["outer", "between"])
    let pair = walker.events.filter { $0.name == "inner" }
    #expect(pair.map(\.type) == [5, 7])
    #expect(pair[0].tail == pair[1].tail)
    #expect(pair[0].arguments == ["item": .unsigned(5)])
    #expect(walker.openSpans.isEmpty)
  }

  @Test func `a frame and an interaction ended twice are recorded once`() throws {
    let events = try StrictWalker { recorder in
      let drag = recorder.beginInteraction(.drag)
      let frame = recorder.beginFrame()
      frame.end()
      frame.end()
      recorder.endInteraction(drag)
      recorder.endInteraction(drag)
      #expect(recorder.losses.endedTwice == 2)
    }.events
    #expect(events.filter { $0.category == "scrolltrace.frame" && $0.type == 4 }.count == 1)
    #expect(events.filter { $0.category == "scrolltrace.interaction" }.map(\.type) == [5, 7])
  }

  @Test func `a closure whose enclosing span ends inside it causes no overlap`() throws {
    let walker = try StrictWalker { recorder in
      let outer = recorder.beginSpan("outer")
      var left: [SpanToken] = []
      recorder.withSpan("closure") {
        recorder.endSpan(outer)
        // As deep as the closure was, so that depth alone would not tell.
        left = [recorder.beginSpan("new outer"), recorder.beginSpan("new inner")]
      }
      for token in left.reversed() { recorder.endSpan(token) }
    }
    #expect(walker.events.filter { $0.name == "closure" }.map(\.type) == [5, 7])
    #expect(
      walker.events.filter { $0.type == 4 }.map(\.name) == ["outer", "new inner", "new outer"])
    #expect(walker.openSpans.isEmpty)
  }

  @Test func `in whatever order spans end, none is lost and complete events nest`() async {
    await forEachCase(of: ExtraCases.some(12, of: 0..<40 as Range<UInt64>), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      var count = 0
      let walker = try StrictWalker { recorder in
        var open: [SpanToken] = []
        for step in 0..<4_000 as Range<UInt64> {
          switch UInt64.random(in: 0..<10, using: &random) {
          case 0..<4 where open.count < 40:
            open.append(recorder.beginSpan("plain"))
          case 4 where open.count < 40:
            open.append(recorder.beginSpan("with item", item: ItemID(step)))
          case 5 where !open.isEmpty:
            let place = Int.random(in: 0..<open.count, using: &random)
            recorder.endSpan(open.remove(at: place))
            count += 1
          case 6:
            recorder.withSpan("closure") {
              if let token = open.popLast() {
                recorder.endSpan(token)
                count += 1
              }
            }
            count += 1
          default:
            guard let token = open.popLast() else { continue }
            recorder.endSpan(token)
            count += 1
          }
        }
        for token in open.reversed() { recorder.endSpan(token) }
        count += open.count
      }
      let complete = walker.events.filter { $0.type == 4 }.sorted { $0.time < $1.time }
      #expect(complete.count + walker.events.filter { $0.type == 5 }.count == count)
      #expect(walker.openSpans.isEmpty)
      var ends: [UInt64] = []
      for span in complete {
        let end = try #require(span.tail)
        while let outer = ends.last, outer <= span.time { ends.removeLast() }
        #expect(ends.last.map { end <= $0 } ?? true)
        ends.append(end)
      }
    }
  }

  @Test func `an end after the recording's writes nothing and is counted`() throws {
    let recorder = try TraceRecorder(to: .memory)
    let frame = recorder.beginFrame()
    let phase = frame.beginPhase("update", atFrameStart: true)
    let span = recorder.beginSpan("late")
    try recorder.finish()
    let before = recorder.recordedBytes
    recorder.endSpan(span)
    frame.end(endingPhase: phase)
    let losses = recorder.losses
    #expect(losses.outOfSpace == 0 && losses.recordTooLarge == 0)
    let walker = try StrictWalker(try #require(recorder.recordedBytes))
    #expect(walker.events.filter { $0.type == 4 }.isEmpty)
    #expect(walker.openSpans.map(\.name) == ["display", "update", "late"])
    #expect(before?.count == recorder.recordedBytes?.count)
  }

  @Test func `names beyond the table of headers keep their text`() throws {
    let texts = (0..<2_000).map { "name \($0 * 7_919)" }
    let bytes = try RoundTripTests.record { recorder in
      let names = texts.map(recorder.registerName)
      for _ in 0..<3 {
        for name in names { recorder.withSpan(name) {} }
      }
    }
    #expect(try StrictWalker(bytes).events.map(\.name) == texts + texts + texts)
  }
}
