import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

@Suite struct GapTests {
  @Test func `M-3: a frame whose commit end is unknown voids the gap around it`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667
      drag  [                                       ]
      begin 1         2         3         4
      done      1                   3         4
      due             1         2         3         4
      """)
    #expect(surface.counts.hitches == 0)
  }

  @Test func `M-3: frames that started but were not presented do not shorten the last gap`() throws
  {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667    83.333
      drag  [                                                 ]
      begin 1         2         3         4
      done      1
      due             1         2         3         4
      """)
    #expect(surface.hitches.map(\.length.nanoseconds) == [49_999_333])
    #expect(surface.hitches.map(\.frame) == [4])
  }

  @Test func `M-3: an interaction without length has no last gap`() throws {
    var builder = TraceBuilder(format: "drawn")
    let display = builder.surface("display")
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    builder.updateFrame(
      1, of: display, start: .zero, commitEnd: time(200), presented: time(20),
      refreshInterval: .milliseconds(10))
    builder.extend(to: time(300))
    builder.addInteraction(from: .zero, to: time(30))
    // The commit of the frame straddles the instant, long after its picture.
    builder.addInteraction("tap", from: time(100), to: time(100))
    let surface = try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
    #expect(surface.hitches.isEmpty)
    #expect(surface.hitchTimeOutsideInteractions == .zero)
  }

  @Test func `M-3: an interaction without length changes no other motion`() throws {
    func hitchTime(withTap: Bool) throws -> TimeSpan? {
      var builder = TraceBuilder(format: "drawn")
      let display = builder.surface("display")
      func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
      builder.updateFrame(1, of: display, start: time(400), refreshInterval: .milliseconds(20))
      builder.extend(to: time(500))
      builder.addInteraction(from: time(105), to: time(450))
      if withTap {
        builder.addInteraction("tap", from: time(90), to: time(90))
      }
      return try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first).hitchTime
    }
    let alone = try hitchTime(withTap: false)
    #expect(alone == .milliseconds(400 - 105 - 20))
    #expect(try hitchTime(withTap: true) == alone)
  }

  @Test func `M-16: a gap after work that was done in time is a frame that was not begun`() throws {
    let drawing = """
      ms    0    10   20   30   40   50   60   70   80
      drag  [                                        ]
      begin 1    2    3    4                   5    6
      done    1    2    3    4                   5    6

      """
    func finding(_ drawing: String) throws -> Finding {
      let findings = TraceAnalyzer().analyze(DrawnTrace(hz: 100, drawing).trace()).findings
      return try #require(findings.first { $0.id == .renderHitches })
    }
    let alone = try finding(drawing)
    #expect(alone.measures.hitchTime == .milliseconds(30))
    #expect(alone.words.title == "no frame is begun for \(TimeSpan.milliseconds(40))")
    #expect(alone.fact("notBegunNs") == .time(.milliseconds(40)))
    // Work of another thread that fills it may be what the frame waited for; a part of it is not.
    let filled = try finding(drawing + "bg1                     [parse........]")
    #expect(filled.fact("notBegunNs") == .time(.milliseconds(40)))
    #expect(filled.fact("work") == .name("parse"))
    #expect(
      filled.words.fix.parts.first.map { "\($0)".contains("start it earlier") } == true)
    #expect(try finding(drawing + "bg1                     [pars]").fact("work") == .name(nil))
  }

  @Test func `M-23: a motion has no more settled refreshes than it is long`() throws {
    // The frame that was being made when the drag started has the last picture, from before it.
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms    0    10   20   30   40   50   60   70   80
      drag                      [    ]
      begin 1
      start                       1
      done                        1
      """)
    let ledger = try #require(surface.ledger)
    #expect(ledger.owed == ledger.settled)
    #expect(ledger.settled == surface.measuredTime.duration)
    #expect(ledger.notRequested == .zero)
  }

  @Test func `M-3: without a presented frame the last gap starts with the motion`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms   0    10   20   30   40   50   60   70   80   90   100
      drag [                                                 ]
      drop 1
      due            1
      """)
    #expect(surface.hitches.map(\.length.nanoseconds) == [83_333_333])
  }

  @Test
  func `M-3: a refresh at rest shortens the last gap, an unpresented frame does not`()
    throws
  {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms     0         16.667    33.333    50.000    66.667    83.333    100.000
      drag   [                                                           ]
      begin  1                   3
      target           1                   3
      shown            1
      rest             2
      drop                                 4
      """)
    #expect(surface.hitches.map(\.length.nanoseconds) == [49_999_666])
  }

  @Test func `M-5: a last gap is hitch time if no frame can be evaluated`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667    83.333
      drag                      [                             ]
      begin 1                   2
      done    1
      shown           1
      """)
    #expect(surface.counts.evaluated == 0)
    // Owed a refresh and the usual way after the drag's start.
    #expect(surface.hitchTime?.nanoseconds == 16_666_333)
  }

  @Test func `M-3: a dropped frame whose commit is done is no sign of a hang`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667    83.333
      drag  [                                                 ]
      begin 1         2
      drop            2
      done      1                 2
      due             1         2
      """)
    #expect(surface.hitches.isEmpty)
    #expect(surface.ledger?.settled == TimeSpan(nanoseconds: 49_999_333))
  }
}
