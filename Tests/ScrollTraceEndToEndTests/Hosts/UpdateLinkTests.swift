@testable import ScrollTraceAdapters
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

@Suite struct UpdateLinkTests {
  private func times(_ model: Double, _ deadline: Double, _ shown: Double) -> UpdateTimes {
    UpdateTimes(
      model: VirtualHost.ms(model), deadline: VirtualHost.ms(deadline),
      presentation: VirtualHost.ms(shown))
  }

  //                        ms      0    10   20   30   40   50
  //                        model   1    2    3    4    5
  //                        due          1    2    3    4    5
  //                        done      1    2         3   4 5
  @Test func `M-2: an update committed after its completion deadline is a hitch`() throws {
    let host = try VirtualHost()
    var frames = LinkedFrames(host.recorder, from: UpdateLinkTiming())
    let drag = host.recorder.beginInteraction(.drag)
    let starts: [Double] = [0, 10, 20, 38, 44]
    let ends: [Double] = [3, 13, 38, 44, 47]
    for index in 0..<5 {
      host.set(starts[index])
      let model = Double(index) * 10
      frames.begin(times(model, model + 10, model + 20))
      frames.begin(phase: "event")
      frames.begin(phase: "update")
      frames.endPhase()
      frames.begin(phase: "commit")
      host.set(ends[index])
      frames.end()
    }
    host.set(50)
    host.recorder.endInteraction(drag)
    let run = try host.analyzed()
    let surface = run.surface
    surface.expect(["basis": "deadline", "frames.deadlineMisses": 2])
    // Done 8 ms after its deadline, so shown at the refresh behind that.
    surface.expect([
      "hitches.0.frame": 3, "hitches.0.hitchNs": 10_000_000, "hitches.0.kind": "commit",
      "refreshIntervals.0.refreshIntervalNs": 10_000_000,
    ])
    run.run.expect(["work.tracks.0.byCategory.count": 2])
  }

  @Test func `the start stays unknown, deadline and target are those of UIKit`() {
    var timing = UpdateLinkTiming()
    #expect(
      timing.tick(times(1, 11, 21))
        == FrameTiming(deadline: 11_000_000, target: 21_000_000, refreshInterval: 10_000_000))
    // A model time far from the start of the update tells no interval.
    #expect(timing.tick(times(1, 1000, 1010))?.refreshInterval == nil)
    #expect(timing.tick(times(11, 11, 21))?.refreshInterval == nil)
    #expect(timing.tick(times(1, 21, 11)) == nil)
  }

  @Test
  func `the interval is that of successive presentations, without a refresh that had no update`() {
    var timing = UpdateLinkTiming()
    // A model time 2 ms late makes the estimate too short.
    #expect(timing.tick(times(3, 11, 21))?.refreshInterval == 8_000_000)
    #expect(timing.tick(times(13, 21, 31))?.refreshInterval == 10_000_000)
    #expect(timing.tick(times(33, 41, 51))?.refreshInterval == 8_000_000)
  }

  @Test func `a deadline that changes during the update is corrected before the commit`() throws {
    let host = try VirtualHost()
    var frames = LinkedFrames(host.recorder, from: UpdateLinkTiming())
    let drag = host.recorder.beginInteraction(.drag)
    for index in 0..<3 {
      let model = Double(index) * 10
      host.set(model)
      frames.begin(times(model, model + 10, model + 20))
      if index == 1 {
        frames.correct(
          deadline: VirtualHost.ms(model + 12), target: VirtualHost.ms(model + 22))
      }
      host.set(model + (index == 1 ? 9 : 3))
      frames.begin(phase: "commit")
      host.set(model + (index == 1 ? 11.9 : 4))
      frames.end()
    }
    host.set(30)
    host.recorder.endInteraction(drag)
    try host.analyzed().surface.expect(["frames.total": 3, "frames.deadlineMisses": 0])
  }

  @Test func `an open frame ends with the next, or with a pause`() throws {
    let host = try VirtualHost()
    var frames = LinkedFrames(host.recorder, from: UpdateLinkTiming())
    frames.begin(times(0, 10, 20))
    frames.begin(phase: "event")
    host.set(10)
    frames.begin(times(10, 20, 30))
    frames.begin(phase: "event")
    frames.end()
    // Outside any frame there are no phases.
    frames.begin(phase: "event")
    frames.endPhase()
    host.set(20)
    frames.begin(times(20, 30, 40))
    frames.begin(phase: "commit")
    frames.end()
    let run = try host.analyzed()
    run.surface.expect(["frames.total": 3])
    run.run.expect(["openSpans.count": 0])
  }
}
