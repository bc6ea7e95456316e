import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

@Suite struct CauseTests {
  /// Frame 1 overruns into the time of frame 3, which would have fitted and is a refresh late.
  let cascade = DrawnTrace(
    hz: 60,
    """
    ms    0         16.667    33.333    50.000    66.667    83.333
    drag  [                                                 ]
    begin 1         3
    done                          1                 3
    due             1                   3
    main  [slow                   ][quick          ]
    """)

  @Test func `M-16: a delayed frame is attributed to the frame that delayed it`() throws {
    let surface = try SurfaceAnalysis(cascade)
    let pushed = try #require(surface.hitches.first { $0.frame == 3 })
    #expect(pushed.delayedByFrame == 1)
    #expect(pushed.attribution?.causes.map(\.name) == ["quick          "])
    #expect(pushed.originAttribution?.causes.first?.name.hasPrefix("slow") == true)
    let slow = try #require(surface.causes.first)
    #expect(slow.kind == .work(category: "test", name: "slow                   "))
    #expect(slow.hitchCount == 2)
    #expect(
      !surface.causes.contains { $0.kind == .work(category: "test", name: "quick          ") })
  }

  @Test func `the time in the window of hitches that one frame delayed counts once`() throws {
    let surface = try SurfaceAnalysis(cascade)
    #expect(surface.hitches.count == 2)
    var group = HitchGroup()
    for hitch in surface.hitches { group.add(hitch, .milliseconds(10)) }
    #expect(group.total == .milliseconds(10))
  }

  @Test func `work belongs to the window of a hitch that contains most of it`() throws {
    let surface = try SurfaceAnalysis(cascade)
    let late = LateWindows(of: [surface])
    let window = try #require(late.windows.first?.range)
    func range(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(
        start: window.start + .milliseconds(start),
        end: window.end + .milliseconds(end))
    }
    #expect(late.index(ofMost: window) == 0)
    #expect(late.index(ofMost: range(5, 2)) == 0)
    #expect(late.index(ofMost: range(0, 1_000)) == nil)
  }

  /// A feed whose frames are on time, and the late frames of another app, whose work is recorded or not.
  private func feedBesideShade(_ isRecorded: Bool, surface: String? = nil) -> Analysis {
    var builder = TraceBuilder(format: "built")
    let main = builder.mainThread(isHost: true)
    builder.setCompletelyRecorded(main)
    let other = builder.track(2, of: builder.process(2))
    let label = builder.label(category: "app", name: "unfold")
    let refresh: Int64 = 16_666_667
    for (name, track, count) in [("feed", main, 60), ("shade", other, 20)] {
      let surface = builder.surface(name)
      for index in 0..<count where track == main || index % 5 != 3 {
        let isLate = track == other && index % 5 == 2
        let start = Timestamp(clamping: Int64(index) * refresh)
        let end = start + .milliseconds(isLate ? 26 : 3)
        builder.updateFrame(
          index, of: surface, start: start, commitStart: start, commitEnd: end,
          deadline: Timestamp(clamping: Int64(index + 1) * refresh),
          refreshInterval: TimeSpan(nanoseconds: refresh), track: track)
        if track == main || isRecorded {
          builder.addSpan(on: track, from: start, to: end, label: label)
        }
      }
    }
    var options = AnalysisOptions()
    options.selection.surface = surface
    return TraceAnalyzer(options).analyze(builder.finish())
  }

  @Test func `M-16: late frames of another app are attributed to its own main thread`() {
    func causes(_ analysis: Analysis) -> [CauseSummary.Kind] {
      analysis.surfaces.filter { $0.name == "shade" }.flatMap(\.causes).map(\.kind)
    }
    let recorded = feedBesideShade(true)
    #expect(causes(recorded) == [.work(category: "app", name: "unfold")])
    // The feed's main thread was idle, which says nothing of the shade.
    #expect(causes(feedBesideShade(false)) == [.unknown])
    // It is found only by who asks for it.
    let subject = Finding.Subject.surface("shade")
    #expect(recorded.findings.allSatisfy { $0.subject != subject })
    #expect(feedBesideShade(true, surface: "shade").findings.contains { $0.subject == subject })
  }

  @Test
  func `M-16: skipped refreshes over an idle main thread are attributed to the idle main thread`()
    throws
  {
    let drawn = DrawnTrace(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667    83.333
      drag  [                                                 ]
      begin 1                                       2
      done    1                                       2
      shown           1                                       2
      main  [w]                                     [w]
      """)
    let analysis = TraceAnalyzer().analyze(drawn.trace(isCompletelyRecorded: true))
    let concluded = try #require(analysis.surfaces.first)
    #expect(concluded.hitches.map(\.kind) == [.skippedRefresh])
    #expect(concluded.causes.first?.kind == .idle)
    #expect(concluded.causes.map(\.hitchTime).reduce(.zero, +) == concluded.hitchTime)
  }

  @Test func `M-16: a frame that starts late is attributed to the work before its start`() throws {
    let drawn = DrawnTrace(
      hz: 60,
      """
      ms    0         16.667    33.333    50.000    66.667
      drag  [                                       ]
      begin 1                   2         3
      done                    1    2        3
      main  [slow              ][q]       [q]
      """)
    let surface = try SurfaceAnalysis(drawn)
    let hitch = try #require(surface.hitches.first)
    #expect(surface.basis == .cadence)
    #expect(surface.hitches.count == 1)
    let window = try #require(hitch.attribution?.window)
    #expect(window.start == .zero)
    // The wait for the next refresh after the work is no cause.
    #expect(window.end == Timestamp(clamping: drawn.spans[0].end))
    #expect(hitch.attribution?.unrecorded == .zero)
    #expect(hitch.attribution?.causes.first?.name.hasPrefix("slow") == true)
    #expect((hitch.attribution?.causes.first?.share ?? 0) > 0.9)
  }

  @Test func `M-16: the wait for the next refresh after work between frames is no cause`() throws {
    func hitch(_ main: String) throws -> Hitch {
      let drawn = DrawnTrace(
        hz: 60,
        """
        ms    0         16.667    33.333    50.000    66.667    83.333
        drag  [                                                 ]
        begin 1         2                   3         4
        done    1         2                   3         4
        shown           1         2                   3         4
        \(main)
        """)
      let surface = try #require(TraceAnalyzer().analyze(drawn.trace()).surfaces.first)
      #expect(surface.hitches.map(\.kind) == [.skippedRefresh])
      return try #require(surface.hitches.first)
    }
    let timer = try #require(
      try hitch("main  [q]       [q]  [timer   ]     [q]       [q]").attribution)
    // The timer ran at 33.3 ms; what follows it does not count, nor the frame that was made in time.
    #expect(timer.window.end < Timestamp(clamping: 50_000_000))
    #expect(timer.causes.map { String($0.name.prefix(5)) } == ["timer"])
    #expect((timer.causes.first?.share ?? 0) > 0.7)
    // A little work does not explain the whole time before it.
    let little = try #require(
      try hitch("main  [q]       [q]      [t]        [q]       [q]").attribution)
    #expect(little.window.end > Timestamp(clamping: 50_000_000))
    #expect(little.unrecorded.isPart(0.5, of: little.window.length))
  }

  /// Random frames over random spans that nest, touch and cross.
  @Test
  func `M-16: shares add up to the window, and attributed time to the hitch time`() async {
    await forEachCase(of: ExtraCases.some(8, of: 0..<200), oneCase)
    @Sendable func oneCase(seed: Int) throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let trace = Self.randomTrace(using: &random)
      let analysis = TraceAnalyzer().analyze(trace)
      for surface in analysis.surfaces {
        for hitch in surface.hitches {
          for part in [hitch.attribution, hitch.originAttribution].compactMap({ $0 }) {
            let rest = part.rest.reduce(TimeSpan.zero) { $0 + $1.time }
            let sum = part.causes.reduce(rest) { $0 + $1.selfTime }
            #expect(sum == part.window.length)
          }
        }
        let charged = surface.causes.reduce(TimeSpan.zero) { $0 + $1.hitchTime }
        #expect(charged == surface.hitchTime ?? .zero)
      }
    }
  }

  static func randomTrace(using random: inout SeededGenerator) -> Trace {
    var builder = TraceBuilder(format: "random")
    let main = builder.mainThread()
    if Bool.random(using: &random) { builder.setCompletelyRecorded(main) }
    let surface = builder.surface("display")
    let item = builder.string("item")
    var now: Int64 = 1_000
    for id in 0..<40 {
      var frame = Frame(id: UInt64(id))
      let length = Int64.random(in: 1_000...60_000_000, using: &random)
      frame.start = Timestamp(clamping: now)
      frame.commitStart = Timestamp(clamping: now + Int64.random(in: 0...999, using: &random))
      frame.commitEnd = Timestamp(clamping: now + length)
      frame.deadline = Timestamp(clamping: now + 16_666_667)
      if id % 7 > 0 {
        frame.target = Timestamp(clamping: now + 33_333_333)
        frame.presented = Timestamp(
          clamping: now + length + Int64.random(in: 1...40_000_000, using: &random))
      }
      frame.refreshInterval = TimeSpan(nanoseconds: 16_666_667)
      builder.updateFrame(frame, of: surface)
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let begin = now + Int64.random(in: -5_000_000...length, using: &random)
        let end = max(0, begin) + Int64.random(in: 0...20_000_000, using: &random)
        let category = ["app", "scrolltrace.waiting", "scrolltrace.frame", "scrolltrace.image"]
          .randomElement(using: &random)
        let list = builder.argumentList([
          Argument(key: item, value: .unsigned(UInt64.random(in: 0...4, using: &random)))
        ])
        builder.addSpan(
          on: main, from: Timestamp(clamping: max(0, begin)), to: Timestamp(clamping: end),
          label: builder.label(category: category ?? "", name: "n\(id % 5)"), arguments: list)
      }
      now += Int64.random(in: 10_000_000...length + 40_000_000, using: &random)
    }
    if Bool.random(using: &random) {
      builder.addInteraction(from: Timestamp(clamping: 50_000_000), to: Timestamp(clamping: now))
    }
    return builder.finish()
  }
}
