import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

@Suite struct InteractionTests {
  /// Two frames one refresh apart, then a gap of three across the seam of drag and deceleration.
  let seam = DrawnTrace(
    hz: 60,
    """
    ms           0         16.667    33.333    50.000    66.667    83.333
    drag         [                   ]
    deceleration                     [                             ]
    begin        1         2                             3
    shown        1         2                             3
    """)

  @Test func `M-3: a frame is due across the boundary of two adjacent interactions`() throws {
    let surface = try SurfaceAnalysis(seam)
    #expect(surface.counts.hitches == 1)
    #expect(surface.measuredTime.duration.nanoseconds == 83_333_000)
  }

  @Test func `M-5: a hitch belongs to the interaction that contains its frame's start`() throws {
    let surface = try SurfaceAnalysis(seam)
    #expect(surface.interactions.map(\.kind) == ["drag", "deceleration"])
    #expect(surface.interactions.map(\.counts.hitches) == [0, 1])
    #expect(surface.interactions.map(\.counts.total) == [2, 1])
  }

  @Test func `M-5: interactions defined by the user replace those of the trace`() throws {
    var options = AnalysisOptions()
    options.interactions = [
      .init(name: "mine", from: .zero, to: TimeSpan(nanoseconds: 20_000_000))
    ]
    let surface = try SurfaceAnalysis(seam, options)
    #expect(surface.interactions.map(\.name) == ["mine"])
    #expect(surface.counts.hitches == 0)
  }

  @Test func `a user-defined interaction after the end of the recording is reported as unused`() {
    var options = AnalysisOptions()
    options.interactions = [
      .init(name: "inside", from: .zero, to: .milliseconds(1_000)),
      .init(name: "outside", from: .milliseconds(1_000), to: .milliseconds(2_000)),
    ]
    let trace = seam.trace()
    #expect(
      TraceAnalyzer(options).analyze(trace).notices.contains(
        .interactionOutside(name: "outside", length: trace.range.length)))
    #expect(
      !TraceAnalyzer(options).analyze(trace).notices.contains(
        .interactionOutside(name: "inside", length: trace.range.length)))
  }

  @Test func `M-5: pairs of marks become interactions if the user requests it`() throws {
    var builder = TraceBuilder(format: "drawn")
    let track = builder.track(1, of: builder.process(1))
    for (name, time) in [("g1:begin", 10), ("other:begin", 12), ("g1:end", 20), ("g2:begin", 30)] {
      builder.addMark(
        on: track, at: Timestamp(clamping: Int64(time)),
        label: builder.label(category: "user", name: name))
    }
    builder.extend(to: Timestamp(clamping: 40))
    var options = AnalysisOptions()
    options.interactionMarks = "g*"
    let found = InteractionResolution(of: builder.finish(), options: options).interactions
    #expect(found.map(\.name) == ["g1", "g2"])
    #expect(found.map { $0.end?.nanoseconds } == [20, nil])
  }

  @Test func `a pattern matches whole names`() {
    #expect(NamePattern("g*").matches("g1"))
    #expect(NamePattern("*a?c*").matches("xxabcyy"))
    #expect(!NamePattern("g?").matches("g10"))
    #expect(!NamePattern("g").matches("gg"))
    #expect(NamePattern("*").matches(""))
  }

  @Test func `M-5: a hitch that lasts from one motion into another is one hitch`() throws {
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms     0    10   20   30   40   50   60   70   80   90
      drag   [         ]              [                   ]
      begin  1    2                             3    4    5
      target 1    2                             3    4    5
      shown  1                             2    3    4    5
      """)
    #expect(surface.hitches.map(\.frame) == [2])
    #expect(surface.interactions.allSatisfy { $0.hitchTime ?? .zero > .zero })
    #expect(surface.hitchesInMotion == 1 && surface.hitchesOutside == 0)
  }

  @Test func `M-23: the row of the only interaction has the ledger of its surface`() throws {
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms     0    10   20   30   40   50   60   70   80   90
      drag                [                         ]
      begin  1              3    4    5    6    7    8
      rest             2
      done   1               2    3   4    5    6    7    8
      shown  1                3  4    5    6    7    8
      """)
    let row = try #require(surface.interactions.first)
    let ledger = try #require(surface.ledger)
    #expect(ledger.notRequested == .milliseconds(10))
    #expect(row.sums.ledger == ledger)
  }

  @Test func `M-5: the row of the only interaction has the counts of its surface`() throws {
    let drawn = DrawnTrace(
      hz: 100,
      """
      ms     0    10   20   30   40   50   60   70   80   90   100
      drag                [                             ]
      begin  1    2              3    4    5    6    7       8
      done   1                   2    3    4    5    6    7    8
      due         1    2              3    4    5    6    7     8
      """)
    let trace = drawn.trace()
    let surface = try #require(TraceAnalyzer().analyze(trace).surfaces.first)
    let row = try #require(surface.interactions.first)
    #expect(surface.countsInMotion.total == 6)
    #expect(row.counts == surface.countsInMotion)
    #expect(row.rated(by: .scroll).reason == surface.rated(by: .scroll).reason)
    var options = AnalysisOptions()
    options.selection.interaction = "drag"
    let selected = try #require(TraceAnalyzer(options).analyze(trace).surfaces.first)
    #expect(selected.countsInMotion == surface.countsInMotion)
    #expect(selected.counts.total == 6)
  }

  @Test func `M-5: a frame at the seam of two interactions counts in one row`() throws {
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms           0    10   20   30   40   50   60   70   80
      drag              [         ]
      deceleration                [         ]
      begin        1    2    3    4    5    6
      done           1       2  3    4    5    6
      due               1    2    3    4    5    6
      """)
    #expect(surface.interactions.map(\.counts.total) == [2, 3])
    #expect(surface.countsInMotion.total == 5)
  }

  @Test func `without a refresh interval everything that depends on it is unknown`() throws {
    var drawn = WorkedExamples.e5()
    drawn.refreshInterval = nil
    drawn.end = 40_000_000
    let trace = drawn.trace()
    let surface = try #require(TraceAnalyzer().analyze(trace).surfaces.first)
    #expect(surface.hitchTime == nil)
    #expect(surface.counts.deadlineMisses == 1)
    var options = AnalysisOptions()
    options.refreshInterval = TimeSpan(nanoseconds: 16_666_667)
    let measured = try #require(TraceAnalyzer(options).analyze(trace).surfaces.first)
    #expect(measured.hitchTime == TimeSpan(nanoseconds: 16_666_667))
  }

  @Test func `without a refresh interval a frame that missed its target is not evaluated`() throws {
    let text = """
      ms     0    10   20   30   40   50   60   70   80   90
      drag   [                                             ]
      begin  1    2    3
      target           1    2    3
      shown            1    2              3
      """
    let surface = try SurfaceAnalysis(hz: nil, text)
    #expect(!surface.isEvaluated)
    #expect(surface.hitchTime == nil)
    let measured = try SurfaceAnalysis(hz: 100, text)
    #expect(measured.hitchTime == .milliseconds(20))
  }

  @Test func `M-24: a surface in motion gives the verdict, not one at rest with more frames`() {
    var builder = TraceBuilder(format: "drawn")
    for (name, count) in [("rests", 20), ("scrolls", 10)] {
      let surface = builder.surface(name)
      for index in 0..<count {
        builder.updateFrame(
          index, of: surface, target: .zero + .milliseconds(Int64(index) * 10),
          presented: .zero + .milliseconds(Int64(index) * 10), refreshInterval: .milliseconds(10))
      }
    }
    builder.addInteraction(
      Interaction(
        kind: "drag", start: .zero, end: .zero + .milliseconds(90),
        surface: builder.surface("scrolls")))
    let analysis = TraceAnalyzer().analyze(builder.finish())
    #expect(analysis.evaluatedPrimarySurface?.name == "scrolls")
  }

  @Test func `M-2: dropped frames alone are no data, unless something moved`() throws {
    let text = """
      ms     0    10   20   30   40   50   60   70   80   90
      begin  1    2    3    4    5    6    7    8    9
      drop   1    2    3    4    5    6    7    8    9
      """
    let resting = try SurfaceAnalysis(hz: 100, text)
    #expect(resting.basis == Basis.none)
    #expect(!resting.isEvaluated)
    let moving = try #require(
      TraceAnalyzer().analyze(
        DrawnTrace(hz: 100, text + "\n" + "drag   [                                       ]")
          .trace()
      ).surfaces.first)
    #expect(try #require(moving.hitchTime) > .milliseconds(60))
  }

  @Test func `M-5, M-21: metrics in motion exclude everything that was not seen moving`() throws {
    let text = """
      ms     0    10   20   30   40   50   60   70   80
      drag   [                   ]
      begin  1    2         3         4
      done      1        2     3                  4
      due         1    2         3         4
      """
    let surface = try SurfaceAnalysis(hz: 100, text)
    #expect(surface.counts.deadlineMisses == 2)
    #expect(surface.countsInMotion.deadlineMisses == 1)
    #expect(surface.counts.refreshesMissed == 3)
    #expect(surface.countsInMotion.refreshesMissed == 1)
    #expect(surface.hitchesInMotion == 1 && surface.hitchesOutside == 1)

    let resting = text.replacing("drag   [                   ]", with: "")
    let whole = try SurfaceAnalysis(hz: 100, resting)
    #expect(whole.measuredTime.kind == .recording)
    #expect(whole.countsInMotion.deadlineMisses == whole.counts.deadlineMisses)
    #expect(whole.countsInMotion.total == whole.counts.total)
  }

  @Test func `M-7: a hitch that outlasts the motion counts missed refreshes only in motion`() throws
  {
    let surface = try SurfaceAnalysis(
      hz: 100,
      """
      ms     0    10   20   30   40   50   60   70   80
      drag   [                   ]
      begin  1    2    3
      done      1    2                      3
      due         1    2    3
      """)
    #expect(surface.counts.refreshesMissed == 4)
    #expect(surface.countsInMotion.refreshesMissed == 1)
  }

  @Test func `M-9: a long span is a stall, but the loop around the work is not`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667    83.333    100.000
      drag  [                                                           ]
      begin 1                                       4         5
      done                              1                2         5
      due             1                                       4         5
      main  [loop                                                       ]
      main  [decode                     ]           [ok  ]    [fine]
      """)
    #expect(surface.stalls?.count == 1)
    #expect(abs(try #require(surface.stalls).longest.milliseconds - 46) < 1)
  }

  @Test func `M-18: the newest value of a state set before the frame's end wins`() throws {
    var builder = TraceBuilder(format: "drawn")
    for (time, value) in [(10, "Feed"), (20, nil), (23, nil), (30, "Detail")]
      as [(Int64, String?)]
    {
      builder.addState(
        StateChange(time: Timestamp(clamping: time), key: "screen", value: value))
    }
    let timeline = try #require(StateTimeline.all(of: builder.finish()).first)
    func value(_ start: Int64, _ end: Int64) -> String? {
      timeline.value(start: Timestamp(clamping: start), end: Timestamp(clamping: end))
    }
    #expect(value(0, 5) == nil)
    #expect(value(5, 12) == "Feed")
    #expect(value(15, 25) == "Feed")
    #expect(value(20, 25) == "Feed")
    #expect(value(22, 25) == nil)
    #expect(value(25, 35) == "Detail")
  }
}

extension InteractionTests {
  @Test func `M-5: user-defined interactions outside the recording are no data`() throws {
    var options = AnalysisOptions()
    options.interactions = [
      .init(name: "late", from: .milliseconds(50_000), to: .milliseconds(60_000))
    ]
    let analysis = TraceAnalyzer(options).analyze(seam.trace())
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.hitchTime == nil)
    #expect(surface.ratio == nil)
    #expect(surface.measuredTime.duration == .zero)
    #expect(!analysis.isEvaluated)
    #expect(!analysis.notices.contains(.noInteractions(surface: "display")))
  }
}
