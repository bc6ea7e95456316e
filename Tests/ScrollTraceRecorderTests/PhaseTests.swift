import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Phases that follow one another without a gap.
struct PhaseTests {
  @Test func `a phase starts at the time the previous one ends`() throws {
    let walker = try StrictWalker { recorder in
      for _ in 0..<2_000 {
        let frame = recorder.beginFrame()
        var phase = frame.beginPhase("update")
        phase = frame.switchPhase(phase, to: "layout")
        phase = frame.switchPhase(phase, to: "commit")
        frame.end(endingPhase: phase)
      }
    }
    let spans = walker.events.filter { $0.type == 4 }
    #expect(walker.chunks.filter { $0.flags & 2 == 0 }.count > 4)
    #expect(spans.count == 8_000)
    for start in stride(from: 0, to: spans.count, by: 4) {
      let frame = spans[start..<start + 4]
      #expect(frame.map(\.name) == ["update", "layout", "commit", "display"])
      let (update, layout, commit) = (spans[start], spans[start + 1], spans[start + 2])
      #expect(update.time < layout.time && layout.time < commit.time)
      #expect(try #require(update.tail) <= layout.time && layout.time <= commit.time)
      #expect(try layout.time - #require(update.tail) <= 1)
      #expect(try commit.time - #require(layout.tail) <= 1)
      #expect(commit.tail == spans[start + 3].tail)
    }
    #expect(walker.openSpans.isEmpty)
  }

  @Test func `in virtual time phases meet exactly`() throws {
    let spans = try StrictWalker(options: .with { $0.clock = .manual(start: 100) }) { recorder in
      let frame = recorder.beginFrame()
      recorder.setTime(200)
      var phase = frame.beginPhase("update")
      recorder.setTime(300)
      phase = frame.switchPhase(phase, to: "commit")
      recorder.setTime(400)
      frame.end(endingPhase: phase)
    }.events.filter { $0.type == 4 }
    #expect(spans.map(\.time) == [200, 300, 100])
    #expect(spans.map(\.tail) == [300, 400, 400])
  }

  @Test func `a phase that was open when recording stopped is on the stack`() throws {
    let walker = try StrictWalker { recorder in
      let frame = recorder.beginFrame()
      for _ in 0..<3 {
        let phase = frame.beginPhase("update")
        _ = frame.switchPhase(phase, to: "commit")
      }
    }
    #expect(walker.openSpans.map(\.name) == ["display", "commit", "commit", "commit"])
    #expect(walker.events.filter { $0.type == 4 }.map(\.name) == ["update", "update", "update"])
  }

  @Test func `if recording is switched off, a phase ends and no other starts`() throws {
    let walker = try StrictWalker { recorder in
      let frame = recorder.beginFrame()
      var phase = frame.beginPhase("update")
      recorder.isEnabled = false
      phase = frame.switchPhase(phase, to: "layout")
      recorder.isEnabled = true
      phase = frame.switchPhase(phase, to: "commit")
      frame.end(endingPhase: phase)
    }
    #expect(walker.events.filter { $0.type == 4 }.map(\.name) == ["update", "commit", "display"])
    #expect(walker.openSpans.isEmpty)
  }

  @Test func `deeper than the stack a phase is still replaced by the next`() throws {
    let walker = try StrictWalker { recorder in
      let frame = recorder.beginFrame()
      let outer = (0..<40).map { _ in recorder.beginSpan("outer") }
      var phase = frame.beginPhase("update")
      phase = frame.switchPhase(phase, to: "commit")
      recorder.endSpan(phase)
      for token in outer.reversed() { recorder.endSpan(token) }
      frame.end()
    }
    #expect(walker.events.filter { $0.category == "scrolltrace.phase" }.map(\.type) == [4, 4])
    #expect(walker.events.filter { $0.type == 4 }.count == 43)
    #expect(walker.openSpans.isEmpty)
  }

  @Test func `the first phase starts with the commit, without reading the clock again`() throws {
    let spans = try StrictWalker(options: .with { $0.clock = .manual(start: 100) }) { recorder in
      let frame = recorder.beginFrame(FrameTiming(deadline: 5))
      recorder.setTime(200)
      var phase = frame.beginPhase("update", atFrameStart: true)
      phase = frame.switchPhase(phase, to: "commit")
      recorder.setTime(300)
      frame.end(endingPhase: phase)
    }.events.filter { $0.type == 4 }
    #expect(spans.map(\.name) == ["update", "commit", "display"])
    // Begins of one thread differ (F-6).
    #expect(spans.map(\.time) == [101, 200, 100])
    #expect(spans.map(\.tail) == [200, 300, 300])
  }
}
