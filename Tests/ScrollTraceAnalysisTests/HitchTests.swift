import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

@Suite struct HitchTests {
  @Test
  func
    `M-5: each part of a hitch lies in the row of the interaction that holds it, the hitch in the first`()
    throws
  {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms      0    10   20   30   40   50   60   70
      drag    [                   ]
      reorder                     [              ]
      done         1
      target                 1
      shown                                 1
      """)
    #expect(surface.interactions.map(\.counts.hitches) == [1, 0])
    #expect(surface.interactions.map { $0.hitchTime?.nanoseconds } == [10_000_000, 20_000_000])
  }

  @Test
  func `M-5: a hang until the end lies in the row of the interaction that never ended`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms           0         16.667    33.333    50.000    66.667    83.333
      drag         [             ]
      deceleration               [                                   >
      begin        1         2
      shown        1         2
      end                                                            |
      """)
    #expect(surface.interactions.map(\.counts.hitches) == [0, 1])
    #expect(surface.interactions.last?.hitchTime == surface.hitchTime)
  }

  @Test func `M-2: a source that reports a frame as on time is believed`() async {
    await forEachCase(of: [false, true], oneCase)
    @Sendable func oneCase(wasOnTime: Bool) throws {
      var builder = TraceBuilder(format: "test")
      let surface = builder.surface("app")
      var frame = Frame(id: 1)
      frame.start = .zero
      frame.deadline = Timestamp(nanoseconds: 16_666_667)
      frame.commitEnd = Timestamp(nanoseconds: 16_766_667)
      frame.refreshInterval = TimeSpan(nanoseconds: 16_666_667)
      frame.outcome = .presented
      frame.wasOnTime = wasOnTime
      builder.updateFrame(frame, of: surface)
      builder.extend(to: Timestamp(clamping: 40_000_000))
      let analysis = try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
      #expect(analysis.counts.deadlineMisses == 1)
      #expect(analysis.hitchTime?.nanoseconds == (wasOnTime ? 0 : 16_666_667))
    }
  }
}
