import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// A feed with four stalls, written once with async functions and once without: both stall at the same
/// times for the same reasons, so the reports must agree.
@Suite struct AsyncTwinTests {
  /// A list in virtual time.
  private struct Feed {
    static let refresh: Int64 = 16_666_667
    static let frameCount: Int64 = 60

    let recorder: TraceRecorder

    init() throws {
      var options = RecorderOptions()
      options.clock = .manual(start: 0)
      recorder = try TraceRecorder(to: .memory, options: options)
    }

    func work(_ milliseconds: Int64, since start: Int64) {
      recorder.setTime(start + milliseconds * 1_000_000)
    }

    /// Draws frame `number`, whose time came at `tick` and whose row is decoded if it `isStalled`;
    /// returns when it was done.
    func draw(_ number: Int64, at tick: Int64) -> Int64 {
      recorder.setTime(tick)
      let frame = recorder.beginFrame(
        FrameTiming(
          start: tick, deadline: tick + Self.refresh, target: tick + 2 * Self.refresh,
          refreshInterval: Self.refresh))
      frame.phases {
        $0.layout {
          recorder.withCellStep(.configure, CellDetails(item: ItemID(UInt64(number)))) {
            work(2, since: tick)
            switch number {
            case 10: recorder.withImageStep(.decode, item: ItemID(10)) { work(42, since: tick) }
            case 40: recorder.withDataStep(.load, item: ItemID(40)) { work(31, since: tick) }
            default: work(3, since: tick)
            }
          }
          if number == 50 { recorder.withSpan("measure text") { work(24, since: tick) } }
        }
      }
      let last = Self.end(of: number)
      frame.phases { $0.draw { work(last + 1, since: tick) } }
      frame.end()
      let done = tick + (last + 1) * 1_000_000
      let refreshes = (done - tick + Self.refresh - 1) / Self.refresh
      frame.markPresented(at: tick + (1 + refreshes) * Self.refresh)
      return done
    }

    private static func end(of number: Int64) -> Int64 { [10: 42, 40: 31, 50: 24][number] ?? 3 }

    /// What the app does between two frames, which once takes three refreshes; returns when it is done.
    func think(_ number: Int64, at time: Int64) -> Int64 {
      guard number == 25 else { return time }
      recorder.setTime(time)
      recorder.withSpan("parse response") { work(50, since: time) }
      return time + 50_000_000
    }

    /// The tick after `time`.
    static func tick(after time: Int64) -> Int64 { (time / refresh + 1) * refresh }

    func analyzed() throws -> Analysis {
      try recorder.finish()
      let bytes = try #require(recorder.recordedBytes)
      return TraceAnalyzer().analyze(try TraceFile.read(bytes))
    }
  }

  /// A server that takes its time, so that who asks it is suspended.
  private actor Server {
    private var answers = 0

    func answer() async -> Int {
      await Task.yield()
      answers += 1
      return answers
    }
  }

  private static func synchronous() throws -> Analysis {
    let feed = try Feed()
    var tick = Feed.refresh
    let drag = feed.recorder.beginInteraction(.drag)
    for number in 1...Feed.frameCount {
      let done = feed.draw(number, at: tick)
      tick = Feed.tick(after: feed.think(number, at: done))
    }
    feed.recorder.endInteraction(drag)
    return try feed.analyzed()
  }

  /// The same with tasks that suspend before and inside of each frame's turn.
  private static func suspending(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Analysis {
    let feed = try Feed()
    let server = Server()
    var tick = Feed.refresh
    await feed.recorder.withInteraction(.drag) {
      for number in 1...Feed.frameCount {
        await feed.recorder.withSpan("wait for rows", .waiting, item: ItemID(UInt64(number))) {
          _ = await server.answer()
        }
        let done = feed.draw(number, at: tick)
        await feed.recorder.withDataStep(.load, item: ItemID(UInt64(number))) {
          _ = await server.answer()
        }
        tick = Feed.tick(after: feed.think(number, at: done))
      }
    }
    return try feed.analyzed()
  }

  @MainActor private static func onMainActor() async throws -> Analysis { try await suspending() }

  private static func hitches(of analysis: Analysis) throws -> [String] {
    let surface = try #require(analysis.surfaces.first)
    return surface.hitches.map { hitch in
      let causes = hitch.chargedAttribution?.causes.first
      return "\(hitch.kind) \(hitch.frame ?? 0): \(hitch.length.nanoseconds)"
        + " missed \(hitch.refreshesMissed ?? 0)"
        + " \(causes.map { "\($0.category)/\($0.name) \($0.item ?? "-") \($0.selfTime.nanoseconds)" } ?? "none")"
    }
  }

  private static func summaries(of analysis: Analysis) throws -> [String] {
    try #require(analysis.surfaces.first).causes.map {
      "\($0.kind) \($0.hitchTime.nanoseconds) \($0.hitchCount)"
    }
  }

  @Test func `an async app on the main actor has the hitches and causes of its twin`() async throws
  {
    try await compare(Self.onMainActor())
  }

  @Test func `an actor that goes from thread to thread has the hitches and causes of its twin`()
    async throws
  {
    let actor = MovingActor()
    let analysis = try await actor.run { try await Self.suspending(isolation: $0) }
    // Both threads, perhaps others that a task reached, and a track for the commits of all.
    #expect(analysis.trace.tracks.count >= 3)
    try await compare(analysis)
  }

  @Test func `an app whose tasks move between threads has the hitches and causes of its twin`()
    async throws
  {
    try await compare(Self.suspending())
  }

  private func compare(_ suspending: Analysis) async throws {
    let twin = try Self.synchronous()
    let expected = try Self.hitches(of: twin)
    #expect(expected.count == 4)
    for (hitch, cause) in zip(
      expected, ["image/decode 10", "parse response", "data/load 40", "measure text"])
    {
      #expect(hitch.contains(cause))
    }
    #expect(try Self.hitches(of: suspending) == expected)
    #expect(try Self.summaries(of: suspending) == Self.summaries(of: twin))
    #expect(suspending.findings == twin.findings)
    #expect(suspending.work.sums == twin.work.sums)
    #expect(suspending.work.longTasks?.count == twin.work.longTasks?.count)
    #expect(suspending.notices == twin.notices)
  }
}
