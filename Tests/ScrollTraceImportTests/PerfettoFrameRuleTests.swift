import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// What frames of Android's frame timeline become where a trace is out of the ordinary.
@Suite struct PerfettoFrameRuleTests {
  private static func frames(
    of process: Int, from start: Int, every refreshInterval: Int, count: Int
  ) -> [Proto] {
    (0..<count).flatMap { number in
      let (time, cookie) = (start + number * refreshInterval, process * 1000 + number)
      return [
        PerfettoMade.frame(3, at: time, cookie: cookie, token: number, process: process),
        PerfettoMade.frameEnd(at: time + refreshInterval, cookie: cookie),
      ]
    }
  }

  @Test func `apps that start at different times do not shorten the refresh interval`() throws {
    let trace = try PerfettoMade.trace(
      Self.frames(of: 5, from: 1_000_000, every: 16_666_667, count: 20)
        + Self.frames(of: 6, from: 6_000_000, every: 16_666_667, count: 18))
    #expect(trace.surfaces.map(\.name) == ["process 5", "process 6"])
    for surface in trace.surfaces {
      #expect(surface.frames[0].refreshInterval?.nanoseconds == 16_666_667)
    }
  }

  @Test func `a frame is dropped if all of its windows dropped it, in any order`() async {
    await forEachCase(
      of: [
        [4, 1], [1, 4], [4, 4], [4, 5], [5, 4], [4, 0], [0, 4], [2, 4, 5],
      ], oneCase)
    @Sendable func oneCase(presentations: [Int]) throws {
      let trace = try PerfettoMade.trace(
        zip(1..., presentations).flatMap { cookie, presentation in
          [
            PerfettoMade.frame(
              4, at: 1000, cookie: cookie, token: 7, process: 5, presentation: presentation),
            PerfettoMade.frameEnd(at: 2000 + cookie, cookie: cookie),
          ]
        })
      let isShown = presentations.contains { $0 == 1 || $0 == 2 }
      let isDropped = presentations.allSatisfy { $0 == 4 }
      #expect(trace.surfaces[0].frames.count == 1)
      #expect(
        trace.surfaces[0].frames[0].outcome
          == (isShown ? .presented : isDropped ? .dropped : .unknown))
    }
  }

  @Test func `frames whose end is missing are reported`() throws {
    let trace = try PerfettoMade.trace([
      PerfettoMade.frame(4, at: 1000, cookie: 1, token: 1, process: 5, presentation: 1),
      PerfettoMade.frame(4, at: 2000, cookie: 1, token: 2, process: 5, presentation: 1),
      PerfettoMade.frameEnd(at: 2500, cookie: 1),
      PerfettoMade.frame(4, at: 3000, cookie: 3, token: 3, process: 5, presentation: 1),
    ])
    #expect(trace.surfaces[0].frames.count == 3)
    #expect(
      trace.notices.contains(.source("begins in the frame timeline whose end is missing: 2")))
  }

  @Test func `the host has its name although it has no work of its own`() throws {
    let trace = try PerfettoMade.trace(
      [[2: [1: [1: 5, 3: "com.example.feed"]]]]
        + Self.frames(of: 5, from: 1000, every: 16_666_667, count: 3))
    #expect(trace.processes.filter(\.isHost).map(\.name) == ["com.example.feed"])
  }

  @Test func `frames of another app are its own, also if nothing of its work is recorded`() throws {
    let frames =
      Self.frames(of: 5, from: 1000, every: 16_666_667, count: 4)
      + Self.frames(of: 6, from: 1000, every: 16_666_667, count: 3)
    func processes(_ packets: [Proto]) throws -> [UInt64?] {
      let trace = try PerfettoMade.trace(packets)
      return trace.surfaces.map { surface in
        surface.frames.first?.track.map {
          trace.processes[trace.tracks[$0.index].process.index].systemID
        }
      }
    }
    #expect(
      try processes([PerfettoMade.lines([(1000, 5, "B|5|draw"), (2000, 5, "E|5")])] + frames)
        == [5, 6])
    // Where no thread is known, none is made up.
    #expect(try processes(frames) == [nil, nil])
  }

  /// A page of Chromium that was shown four times, and the thread of its writer, `name` of process 6.
  private static func page(withThread name: String) -> [Proto] {
    let tracks: [Proto] = [
      PerfettoMade.thread(60, process: 6, 6, name: name),
      PerfettoMade.thread(70, process: 7, 8, name: "CrRendererMain"), [60: [1: 71, 5: 70]],
    ]
    return (0..<4).reduce(into: tracks) { packets, number in
      packets += [
        PerfettoMade.event(
          1, at: 1000 + number * 100,
          [11: 71, 23: "PipelineReporter", 1075: [1: 1, 4: .number(number)]]),
        PerfettoMade.event(2, at: 1050 + number * 100, [11: 71]),
        PerfettoMade.event(3, at: 1060, [11: 60, 23: "tick"]),
      ]
    }
  }

  @Test
  func `a page is the host if the app on screen is a browser, but never one of two`() async {
    await forEachCase(of: [("CrBrowserMain", UInt64(7), UInt64(8)), ("main", 6, 6)]) {
      try oneCase($0, $1, $2)
    }
    @Sendable func oneCase(_ thread: String, _ host: UInt64, _ main: UInt64) throws {
      let trace = try PerfettoMade.trace(
        Self.page(withThread: thread)
          + Self.frames(of: 6, from: 1000, every: 16_666_667, count: 3))
      #expect(trace.surfaces.map(\.name) == ["Display", "process 6"])
      #expect(trace.processes.filter(\.isHost).map(\.systemID) == [host])
      #expect(trace.tracks.filter(\.isMain).map(\.systemID) == [main])
    }
  }

  @Test func `a page is the host if the app on screen is unknown`() throws {
    let trace = try PerfettoMade.trace(Self.page(withThread: "main"))
    #expect(trace.processes.filter(\.isHost).map(\.systemID) == [7])
  }

  @Test func `a page's report says that the compositor scrolls it, without input`() throws {
    var packets: [Proto] = [
      PerfettoMade.thread(70, process: 7, 8, name: "CrRendererMain"), [60: [1: 71, 5: 70]],
    ]
    for number in 1...4 {
      let report: Proto.Content = [1: 2, 4: .number(number), 6: 0, 7: 1, 8: 1]
      packets += [
        PerfettoMade.event(
          1, at: number * 10_000_000, [11: 71, 23: "PipelineReporter", 1075: report]),
        PerfettoMade.event(2, at: number * 10_000_000 + 5_000_000, [11: 71]),
      ]
    }
    let scroll: Proto.Content = [10: "data", 11: [10: "type", 6: "scroll"]]
    packets += [
      PerfettoMade.event(1, at: 41_000_000, [11: 70, 23: "EventDispatch", 4: scroll]),
      PerfettoMade.event(2, at: 41_500_000, [11: 70]),
    ]
    let trace = try PerfettoMade.trace(packets)
    #expect(trace.interactions.map(\.start.nanoseconds) == [10_000_000])
    #expect(trace.interactions.map { $0.end?.nanoseconds } == [45_000_000])
  }
}
