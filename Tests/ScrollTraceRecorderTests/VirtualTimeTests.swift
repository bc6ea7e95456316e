import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Virtual time: the same calls give the same bytes.
struct VirtualTimeTests {
  static func options() -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.session = SessionIdentifier(high: 1, low: 2)
    options.processID = 1
    options.processName = "Feed"
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    return options
  }

  static func scroll(_ recorder: TraceRecorder) {
    let display = recorder.registerSurface(
      named: "panel", options: SurfaceOptions(tolerance: 1_000_000, isOnRefreshGrid: true))
    let decoder = recorder.makeSimulatedThread(id: 2, name: "decode 1")
    let feed = recorder.registerList(named: "feed")
    recorder.withInteraction(.drag, surface: display) {
      for index in 0..<200 {
        let time = Int64(index) * 1000
        recorder.setTime(time)
        let frame = recorder.beginFrame(
          FrameTiming(start: time, deadline: time + 800), surface: display)
        frame.phases {
          $0.layout {
            recorder.setTime(time + 100)
            recorder.withCellStep(
              .prepare, CellDetails(list: feed, item: ItemID(index), kind: "post")
            ) {
              recorder.setTime(time + 200)
            }
          }
        }
        decoder.recordSpan("decode", .image, from: time + 50, to: time + 900, item: 4)
        frame.end()
        frame.markPresented(at: time + 1000)
      }
    }
  }

  @Test func `identical calls in virtual time give identical bytes`() async {
    await forEachCase(of: RoundTripTests.SinkKind.allCases, oneCase)
    @Sendable func oneCase(kind: RoundTripTests.SinkKind) throws {
      let first = try RoundTripTests.record(kind, options: Self.options(), Self.scroll)
      let second = try RoundTripTests.record(.memory, options: Self.options(), Self.scroll)
      #expect(first == second)
      let walker = try StrictWalker(first)
      #expect(walker.events.filter { $0.name == "decode" }.allSatisfy { $0.type == 4 })
      #expect(
        walker.events.first { $0.category == "scrolltrace.surface" }?.arguments
          == ["tolerance": .unsigned(1_000_000), "grid": .bool(true)])
    }
  }

  @Test func `a simulated thread nests spans at given times`() throws {
    let walker = try StrictWalker(options: Self.options()) { recorder in
      let decoder = recorder.makeSimulatedThread(id: 2, name: "decode 1")
      recorder.setTime(100)
      decoder.withSpan("outer", .image) {
        decoder.recordSpan("first", from: 100, to: 200)
        decoder.recordSpan("second", from: 200, to: 300)
        decoder.recordSpan("crossing", from: 250, to: 400)
        recorder.setTime(300)
      }
      decoder.recordSpan("after", from: 300, to: 500)
    }
    let spans = walker.events.filter { $0.type == 4 }.map {
      "\($0.name) \($0.time)-\($0.tail ?? 0)"
    }
    #expect(spans == ["first 101-200", "second 200-300", "outer 100-300", "after 300-500"])
    #expect(walker.events.filter { $0.name == "crossing" }.map(\.type) == [5, 7])
  }

  @Test func `a span recorded after the fact on a real thread is asynchronous (F-6)`() throws {
    let walker = try StrictWalker(options: Self.options()) { recorder in
      recorder.recordSpan("load", .data, from: 10, to: 20, item: 3)
      recorder.recordSpan("load", .data, from: 15, to: 12)
    }
    #expect(walker.events.map(\.type) == [5, 7, 5, 7])
    #expect(walker.events.map(\.time) == [10, 20, 15, 15])
    #expect(walker.events[0].arguments == ["item": .unsigned(3)])
    #expect(walker.events[0].tail != walker.events[2].tail)
  }

  @Test func `the host's own clock is read for every event`() throws {
    var options = Self.options()
    options.clock = .custom { 4242 }
    let bytes = try RoundTripTests.record(options: options) { $0.mark("now") }
    #expect(try StrictWalker(bytes).events.map(\.time) == [4242])
  }
}
