import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

@Suite struct GameLoopTests {
  /// Makes a frame for each time at which a swap returns; 3 ms are work.
  private func run(
    _ loop: inout GameLoop, on host: VirtualHost, from start: Double = 0, swaps: [Double],
    presented: [Double?] = []
  ) {
    host.set(start)
    for (index, swap) in swaps.enumerated() {
      let frame = loop.beginFrame()
      host.set((index == 0 ? start : swaps[index - 1]) + 3)
      loop.swap(frame) { host.set(swap) }
      if index < presented.count, let shown = presented[index] {
        frame.markPresented(at: VirtualHost.ms(shown))
      }
    }
  }

  //                        ms      0    10   20   30   40   50   60
  //                        begin   1    2    3              4    5
  //                        swap         1    2              3    4
  @Test func `M-3: a swap that waits two refreshes too long is a hitch of two`() throws {
    let host = try VirtualHost()
    var loop = GameLoop(host.recorder, refreshInterval: 10_000_000)
    run(&loop, on: host, swaps: [10, 20, 50, 60])
    loop.pause()
    let report = try host.analyzed()
    let surface = report.surface
    surface.expect([
      "basis": "cadence", "frames.total": 4, "hitchTimeNs": 20_000_000,
      "measuredTime.durationNs": 60_000_000, "hitches.0.kind": "skippedRefresh",
    ])
    // The work was done in 3 ms: the loop waited.
    surface.expect(["causes.0.kind": "render", "commitNs.max": 3_000_000])
  }

  @Test
  func `with vertical synchronization off no frame is late and none counts as on time`() throws {
    let host = try VirtualHost()
    var loop = GameLoop(host.recorder)
    run(&loop, on: host, swaps: [4, 8, 50, 54])
    loop.pause()
    let surface = try host.analyzed().surface
    surface.expect(["frames.total": 4])
    #expect(surface["hitchTimeNs"].isNull)
    surface.expect(["commitNs.max": 3_000_000])
  }

  //                        ms      0    10   20   30   40   50
  //                        swap         1    2    3    4    5
  //                        shown             1    2         3
  @Test func `presentation times are evaluated instead of swaps`() throws {
    let host = try VirtualHost()
    var loop = GameLoop(host.recorder, refreshInterval: 10_000_000)
    run(&loop, on: host, swaps: [10, 20, 30, 40, 50], presented: [20, 30, 50])
    loop.pause()
    try host.analyzed().surface.expect(["hitchTimeNs": 10_000_000, "hitches.0.frame": 3])
  }

  @Test func `a resting loop has no frames due, and starts anew`() throws {
    let host = try VirtualHost()
    var loop = GameLoop(host.recorder, refreshInterval: 10_000_000)
    run(&loop, on: host, swaps: [10, 20])
    loop.pause()
    run(&loop, on: host, from: 5000, swaps: [5010, 5020])
    loop.pause()
    try host.analyzed().surface.expect([
      "hitchTimeNs": 0, "hitchTimeOutsideInteractionsNs": 0, "measuredTime.durationNs": 40_000_000,
      "interactions.count": 2,
    ])
  }

  @Test func `a swap source invents neither deadline nor target`() {
    var source = SwapFrameSource(refreshInterval: 10)
    #expect(source.tick(5) == FrameTiming(start: 5, refreshInterval: 10))
    source.swapped(at: 12)
    #expect(source.tick(14) == FrameTiming(start: 12, refreshInterval: 10))
    source.pause()
    #expect(source.tick(90) == FrameTiming(start: 90, refreshInterval: 10))
  }
}
