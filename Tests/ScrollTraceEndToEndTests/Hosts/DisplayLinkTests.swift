@testable import ScrollTraceAdapters
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Display links, drawn: `begin` is the timestamp of a call, `target` its target timestamp, `start`
/// when it came, `done` when the run loop had committed.
@Suite struct DisplayLinkTests {
  private func analyze(
    _ drawn: DrawnTrace, _ rule: DisplayLinkTiming.Rule, restsBefore resting: UInt64? = nil
  ) throws -> JSONNode {
    let host = try VirtualHost()
    var frames = DisplayLinkFrames(host.recorder, rule: rule, surface: "display")
    drawn.replay(to: host) { frame in
      if frame == resting { frames.pause() }
    } call: { frame in
      guard let timestamp = frame.times["begin"], let target = frame.times["target"] else { return }
      frames.displayLinkDidFire(
        LinkTimes(timestamp: .nanoseconds(timestamp), target: .nanoseconds(target)))
    } done: {
      frames.commitEnded()
    }
    frames.pause()
    return try host.analyzed().surface
  }

  static let late60 = DrawnTrace(
    hz: nil,
    """
    ms      0    16.666667 33.333333 50.000000 66.666667 83.333333 100
    begin   1    2         3                   4         5
    target       1         2         3                   4         5
    done     1    2                     3       4         5
    drag    [                                                      ]
    """)

  @Test func `60 Hz, a late callback makes the previous frame late by the same time`() throws {
    let surface = try analyze(Self.late60, .calls)
    surface.expect([
      "basis": "target", "toleranceNs": 1_000_000, "hitches.count": 1, "hitches.0.frame": 3,
      "hitches.0.kind": "unknown", "hitchTimeNs": 16_666_667,
      "hitchTimeRatioMsPerS": Near(166.67, 0.01),
    ])
    // Nobody said when commits ended.
    #expect(surface["commitNs"].isNull || surface["commitNs"]["max"].isNull)
  }

  @Test func `60 Hz, one late commit costs one refresh, not two`() throws {
    try analyze(Self.late60, .commits).expect([
      "basis": "deadline", "hitches.count": 1, "hitches.0.frame": 3, "hitches.0.kind": "commit",
      "hitchTimeNs": Near(16_666_667, 5),
    ])
  }

  @Test func `60 Hz, an on-time commit and a missing callback are a skipped refresh`() throws {
    let drawn = DrawnTrace(
      hz: nil,
      """
      ms      0    16.666667 33.333333 50.000000 66.666667 83.333333 100
      begin   1    2         3                   4         5
      target       1         2         3                   4         5
      done     1    2         3                   4         5
      drag    [                                                      ]
      """)
    try analyze(drawn, .commits).expect([
      "hitches.count": 1, "hitches.0.frame": 4, "hitches.0.kind": "skippedRefresh",
      "hitchTimeNs": Near(16_666_667, 5),
    ])
  }

  @Test func `120 Hz, smooth`() async {
    await forEachCase(of: [DisplayLinkTiming.Rule.commits, .calls], oneCase)
    @Sendable func oneCase(rule: DisplayLinkTiming.Rule) throws {
      let drawn = DrawnTrace(
        hz: nil,
        """
        ms      0    8.333333 16.666667 25.000000 33.333333 41.666667
        begin   1    2        3         4         5
        target       1        2         3         4         5
        done     1    2        3         4         5
        drag    [                                           ]
        """)
      try analyze(drawn, rule).expect([
        "frames.total": 5, "frames.evaluated": rule == .commits ? 5 : 4, "hitchTimeNs": 0,
        "refreshIntervals.0.refreshIntervalNs": Near(8_333_333, 3),
      ])
    }
  }

  /// 120, then 60, then 120 Hz: each call is held against its own target.
  @Test func `a change of rate announced by the link is not a hitch`() async {
    await forEachCase(of: [DisplayLinkTiming.Rule.commits, .calls], oneCase)
    @Sendable func oneCase(rule: DisplayLinkTiming.Rule) throws {
      let drawn = DrawnTrace(
        hz: nil,
        """
        ms      0    8.333333 16.666667 33.333333 50.000000 58.333333 66.666667 75
        begin   1    2        3         4         5         6         7
        target       1        2         3         4         5         6         7
        done     1    2        3         4         5         6         7
        drag    [                                                               ]
        """)
      try analyze(drawn, rule).expect(["hitchTimeNs": 0, "frames.total": 7])
    }
  }

  @Test func `a callback less than a millisecond late is on time`() throws {
    let drawn = DrawnTrace(
      hz: nil,
      """
      ms      0    16.666667 33.333333 34.200000 50.000000 66.666667
      begin   1    2                   3         4
      target       1         2                   3         4
      drag    [                                            ]
      """)
    #expect(try analyze(drawn, .calls)["hitchTimeNs"].integer == 0)
  }

  @Test func `a pause in the background is not a hitch`() async {
    await forEachCase(of: [DisplayLinkTiming.Rule.commits, .calls], oneCase)
    @Sendable func oneCase(rule: DisplayLinkTiming.Rule) throws {
      let drawn = DrawnTrace(
        hz: nil,
        """
        ms      0    16.666667 33.333333 5000 5016.666667 5033.333333
        begin   1    2                   3    4
        target       1         2              3           4
        done     1    2                   3    4
        drag    [              ]         [                ]
        """)
      let surface = try analyze(drawn, rule, restsBefore: 3)
      surface.expect(["hitchTimeNs": 0, "hitchTimeOutsideInteractionsNs": 0])
      // By calls, the frames before the pause and at the end were never said to be shown.
      surface.expect(["frames.evaluated": rule == .commits ? 4 : 2])
      let forgotten = try analyze(drawn, .calls)
      #expect(try #require(forgotten["hitchTimeOutsideInteractionsNs"].integer) > 4_000_000_000)
    }
  }

  @Test func `a second callback for one refresh, or an invalid one, starts no frame`() {
    var timing = DisplayLinkTiming(.calls)
    #expect(timing.tick(LinkTimes(timestamp: 10, target: 20)) != nil)
    #expect(timing.tick(LinkTimes(timestamp: 10, target: 20)) == nil)
    #expect(timing.tick(LinkTimes(timestamp: 5, target: 20)) == nil)
    #expect(timing.tick(LinkTimes(timestamp: 30, target: 30)) == nil)
    #expect(
      timing.tick(LinkTimes(timestamp: .nanoseconds(.max), target: .nanoseconds(.min))) == nil)
    #expect(timing.previousPresented == nil)
    #expect(timing.tick(LinkTimes(timestamp: 30, target: 40)) != nil)
    #expect(timing.previousPresented == 30)
    timing.pause()
    #expect(timing.tick(LinkTimes(timestamp: 90, target: 100)) != nil)
    #expect(timing.previousPresented == nil)
  }

  @Test func `seconds become nanoseconds, and invalid times become nil`() {
    let times = LinkTimes(
      timestampInSeconds: 86_400.016666667, targetInSeconds: 86_400.033333333)
    #expect(times == LinkTimes(timestamp: 86_400_016_666_667, target: 86_400_033_333_333))
    for wrong in [Double.nan, .infinity, -.infinity, 1e10] {
      #expect(LinkTimes(timestampInSeconds: 0, targetInSeconds: wrong) == nil)
      #expect(
        UpdateTimes(
          modelInSeconds: wrong, deadlineInSeconds: 0, presentationInSeconds: 0) == nil)
    }
  }
}
