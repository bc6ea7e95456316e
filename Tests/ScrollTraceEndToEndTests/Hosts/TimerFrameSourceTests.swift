import Dispatch
import ScrollTraceLayout
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

@Suite struct TimerFrameSourceTests {
  @Test func `an hour of frames does not drift`() {
    var timer = TimerFrameSource(refreshes: 60, phase: 5)
    #expect(timer.next(after: 3_600_000_000_005).start == 3_600_000_000_005)
    #expect(timer.next(after: 0).start == 3_600_016_666_671)
    var film = TimerFrameSource(refreshes: 60_000, per: 1_001_000_000_000, phase: 0)
    #expect(film.tick(1_001_000_000_000)?.start == 1_001_000_000_000)
    #expect(film.next(after: 1_001_000_000_000).start == 1_001_016_683_333)
  }

  @Test func `missed frames are skipped and counted, never caught up`() {
    var timer = TimerFrameSource(refreshes: 60, phase: 0)
    #expect(timer.tick(0)?.start == 0)
    #expect(timer.tick(10_000_000) == nil)
    #expect(timer.tick(60_000_000)?.start == 50_000_000)
    #expect(timer.skipped == 2)
    #expect(timer.tick(61_000_000) == nil)
    #expect(timer.tick(66_666_666)?.start == 66_666_666)
    #expect(timer.skipped == 2)
  }

  @Test func `a late loop makes the frame that is due, then waits for the next`() {
    var timer = TimerFrameSource(refreshes: 100, phase: 3_000_000)
    #expect(timer.next(after: 0).start == 3_000_000)
    #expect(timer.next(after: 3_000_000).start == 13_000_000)
    #expect(timer.next(after: 36_000_000).start == 33_000_000)
    #expect(timer.next(after: 36_000_000).start == 43_000_000)
    #expect(timer.skipped == 1)
  }

  @Test
  func `a timer records start and refresh interval, and deadline and target only if configured`() {
    var plain = TimerFrameSource(refreshes: 50, phase: 0)
    #expect(plain.tick(0) == FrameTiming(start: 0, refreshInterval: 20_000_000))
    var display = TimerFrameSource(
      refreshes: 50, phase: 0, deadline: 20_000_000, target: 40_000_000)
    #expect(
      display.tick(21_000_000)
        == FrameTiming(
          start: 20_000_000, deadline: 40_000_000, target: 60_000_000, refreshInterval: 20_000_000))
  }

  @Test func `at any rate, now lies between a frame and the next`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<10_000 {
      let period = Int64.random(in: 1...2_000_000_000, using: &random)
      let refreshes = Int.random(in: 1...Int(period), using: &random)
      func time() -> RecorderTime {
        .nanoseconds(.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random))
      }
      let (phase, now) = (time(), time())
      var timer = TimerFrameSource(refreshes: refreshes, per: .nanoseconds(period), phase: phase)
      let woken = timer.tick(now)
      let tick = try #require(woken)
      let (begin, interval) = (try #require(tick.start), try #require(tick.refreshInterval))
      let next = try #require(timer.next(after: now).start)
      let isRight = begin <= now && now < next && begin + interval == next
      // A grid has whole periods at its phase.
      var fresh = TimerFrameSource(refreshes: refreshes, per: .nanoseconds(period), phase: phase)
      let isOnGrid = fresh.next(after: phase).start == phase
      try #require(isRight && isOnGrid, "\(refreshes) per \(period) from \(phase) at \(now)")
    }
  }

  @Test func `invalid times and rates never make it fail`() {
    let extremes: [RecorderTime] = [
      .nanoseconds(.min), .nanoseconds(.min + 1), -1, 0, 1, 1_000_000_007, .nanoseconds(.max - 1),
      .nanoseconds(.max),
    ]
    for phase in extremes {
      for period in extremes {
        for rate in extremes {
          var timer = TimerFrameSource(
            refreshes: Int(rate.nanoseconds), per: period, phase: phase, deadline: period,
            target: rate)
          for now in extremes {
            _ = timer.tick(now)
            _ = timer.next(after: now)
          }
        }
      }
    }
  }

  @Test func `a real-time dispatch timer has every frame on the grid, none twice`() throws {
    let recorder = try TraceRecorder(to: .memory)
    let first = recorder.now()
    var timer = TimerFrameSource(refreshes: 500, phase: first)
    let source = DispatchSource.makeTimerSource()
    let (fired, asked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    source.setEventHandler {
      fired.signal()
      asked.wait()
    }
    source.schedule(deadline: .now())
    source.resume()
    var begins: [RecorderTime] = []
    while begins.count < 20 {
      fired.wait()
      if let begin = timer.tick(recorder.now())?.start { begins.append(begin) }
      let now = recorder.now()
      var upcoming = timer
      let wait = (upcoming.next(after: now).start ?? now) - now
      source.schedule(deadline: .now() + .nanoseconds(Int(wait.nanoseconds)))
      asked.signal()
    }
    source.cancel()
    let points = begins.map { ($0 - first).nanoseconds / 2_000_000 }
    #expect(begins == points.map { first + .nanoseconds($0 * 2_000_000) })
    #expect(points == Set(points).sorted())
    let span = try #require(points.last) - points[0] + 1
    #expect(UInt64(span) == UInt64(points.count) + timer.skipped)
  }

  /// Frames of a loop on a grid of 10 ms, of which the fourth takes 24 ms.
  ///
  ///     ms      0    10   20   30   40   50   60   70
  ///     grid    |    |    |    |    |    |    |    |
  ///     begin   1    2    3    4         5    6    7
  ///     work    -    -    -    [==========]-  -
  private func record(_ timer: TimerFrameSource) throws -> AnalyzeRun {
    let host = try VirtualHost()
    var timer = timer
    var now: RecorderTime = 0
    let animation = host.recorder.beginInteraction(.animation)
    while now < 70_000_000 {
      let tick = timer.next(after: now)
      now = max(now, tick.start ?? 0)
      host.recorder.setTime(now)
      let frame = host.recorder.beginFrame(tick)
      now += frame.id == 4 ? 24_000_000 : 1_000_000
      host.recorder.setTime(now)
      frame.end()
    }
    host.set(80)
    host.recorder.endInteraction(animation)
    #expect(timer.skipped == 1)
    return try host.analyzed()
  }

  @Test func `M-3: without a deadline the gap between starts is evaluated`() throws {
    let surface = try record(TimerFrameSource(refreshes: 100, phase: 0)).surface
    surface.expect(["basis": "cadence"])
    // The begin at 40 ms is missing: one refresh in 80 ms.
    surface.expect([
      "hitchTimeNs": 10_000_000, "hitches.0.kind": "skippedRefresh", "hitchTimeRatioMsPerS": 125.0,
    ])
  }

  @Test func `M-2: with a deadline the commit is evaluated against it`() throws {
    let timer = TimerFrameSource(refreshes: 100, phase: 0, deadline: 10_000_000)
    let surface = try record(timer).surface
    surface.expect(["basis": "deadline"])
    // Due at 40 ms and done at 54: two refreshes late.
    surface.expect([
      "hitchTimeNs": 20_000_000, "frames.deadlineMisses": 1, "hitchTimeRatioMsPerS": 250.0,
    ])
  }

  @Test func `a wake-up starts the frame it is for, or none`() throws {
    let host = try VirtualHost()
    var timer = TimerFrameSource(refreshes: 100, phase: 0)
    for now in [0, 4_000_000, 11_000_000] as [RecorderTime] {
      host.recorder.setTime(now)
      host.recorder.beginFrame(from: &timer, now)?.end()
    }
    #expect(try host.analyzed().surface["frames"]["total"].integer == 2)
  }
}
