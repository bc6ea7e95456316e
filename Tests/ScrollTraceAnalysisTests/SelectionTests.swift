import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// What `--from`, `--to`, `--only`, `--state` and `--surface` do (Metrics, "Selection").
@Suite struct SelectionTests {
  /// Frames 3, 7 and 9 come a refresh late, 8 as late as 7, and of 6 nobody knows (100 Hz).
  let drawing = DrawnTrace(
    hz: 100,
    """
    ms     0    10   20   30   40   50   60   70   80   90   100  110  120  130
    drag   [                        ]
    fling                           [                                       ]
    begin  1    2    3    4    5    6    7    8              9    A    B
    target 1    2    3    4    5    6    7    8              9    A    B
    shown  1    2         3    4    5         7    8         9    A    B
    main   [a  ][a       ][a  ][a  ][a  ][b       ][a  ]     [a  ][a  ]
    bg1    [w                  ]              [w       ]
    """)

  private func analyze(
    _ trace: Trace, _ change: (inout AnalysisOptions.Selection) -> Void
  ) throws -> SurfaceAnalysis {
    var options = AnalysisOptions()
    change(&options.selection)
    return try #require(TraceAnalyzer(options).analyze(trace).surfaces.first)
  }

  @Test func `selecting the whole time changes no number`() throws {
    let trace = drawing.trace()
    let whole = try analyze(trace) { _ in }
    for selected in [
      try analyze(trace) { $0.from = .zero },
      try analyze(trace) { $0.to = .milliseconds(10_000) },
    ] {
      #expect(selected.counts == whole.counts)
      #expect(selected.hitchTime == whole.hitchTime)
      #expect(selected.hitchTimeOutsideInteractions == whole.hitchTimeOutsideInteractions)
      #expect(selected.measuredTime == whole.measuredTime)
      #expect(selected.hitchStreaks == whole.hitchStreaks)
      #expect(selected.latenessHistogram == whole.latenessHistogram)
      #expect(selected.interactions.map(\.work) == whole.interactions.map(\.work))
      #expect(selected.hitches.map(\.length) == whole.hitches.map(\.length))
    }
  }

  @Test func `M-5: a hitch after the end of the recording counts in no selection of it`() throws {
    // The commit ends 0.1 ms after its deadline and with the recording, so the screen waits until 33.333 ms.
    let trace = WorkedExamples.e5().trace()
    for selected in [try analyze(trace) { _ in }, try analyze(trace) { $0.from = .zero }] {
      #expect(selected.hitches.map(\.length.nanoseconds) == [16_666_667])
      #expect(selected.hitchTime?.nanoseconds == 100_000)
      #expect(selected.hitchTimeOutsideInteractions?.nanoseconds == 16_566_667)
    }
    let live = LiveAnalysis(of: trace).totals(from: .zero, to: nil)
    #expect(live.ratio(of: "display") == (try analyze(trace) { _ in }).ratio)
  }

  @Test func `the parts of a recording add up to the whole`() throws {
    let trace = drawing.trace()
    let whole = try analyze(trace) { _ in }
    for cut in stride(from: 5, to: 130, by: 5).map({ TimeSpan.milliseconds($0) }) {
      let first = try analyze(trace) { $0.to = cut }
      let second = try analyze(trace) { $0.from = cut }
      let sum = (first.hitchTime ?? .zero) + (second.hitchTime ?? .zero)
      #expect(sum == whole.hitchTime, "\(cut)")
      #expect((first.counts.total ?? 0) + (second.counts.total ?? 0) == whole.counts.total)
      #expect(
        first.measuredTime.duration + second.measuredTime.duration == whole.measuredTime.duration)
    }
  }

  @Test func `background work during overruns is that of the selected time`() {
    // The second commit is late because of the first, so their overruns overlap.
    let trace = DrawnTrace(
      hz: 100,
      """
      ms     0    10   20   30   40   50   60   70   80   90
      begin  1    2              3
      done                  1         2         3
      due         1    2              3
      main   [a            ]
      bg1         [w                      ]
      """
    ).trace()
    func time(_ change: (inout AnalysisOptions.Selection) -> Void) -> TimeSpan {
      var options = AnalysisOptions()
      change(&options.selection)
      return TraceAnalyzer(options).analyze(trace).work.backgroundBusyDuringOverruns ?? .zero
    }
    #expect(time { _ in } == .milliseconds(48))
    for cut in stride(from: 5, to: 70, by: 5).map({ TimeSpan.milliseconds($0) }) {
      #expect(time { $0.to = cut } + time { $0.from = cut } == .milliseconds(48), "\(cut)")
    }
  }

  @Test func `a selected interaction has the numbers of its row`() throws {
    let trace = drawing.trace()
    let whole = try analyze(trace) { _ in }
    #expect(whole.interactions.count == 2)
    for (number, row) in whole.interactions.enumerated() {
      for word in [row.kind, "\(number + 1)"] {
        let selected = try analyze(trace) { $0.interaction = word }
        #expect(selected.hitchTime == row.hitchTime, "\(word)")
        #expect(selected.counts == row.counts)
        #expect(selected.measuredTime.duration == row.range.length)
        #expect(selected.interactions.map(\.range) == [row.range])
      }
    }
  }

  @Test func `M-3: a gap is evaluated as a whole and counted in the selected part`() throws {
    let surface = try analyze(drawing.trace()) {
      $0.from = .milliseconds(85)
      $0.to = .milliseconds(95)
    }
    // No frame begins in between, and yet the screen did not change.
    #expect(surface.counts.total == 0)
    #expect(surface.hitches.map(\.frame) == [9])
    #expect(surface.hitches.first?.length == .milliseconds(10))
    #expect(surface.hitchTime == .milliseconds(5))
    #expect(surface.ratio?.millisecondsPerSecond == 500)
  }

  @Test func `M-2: a frame late without hitch stays so if its predecessor is not selected`() throws
  {
    let steady = DrawnTrace(
      hz: 100,
      """
      ms     0    10   20   30   40   50
      drag   [                        ]
      begin  1    2    3    4
      target 1    2    3    4
      shown       1    2    3    4
      """)
    let surface = try analyze(steady.trace()) { $0.from = .milliseconds(10) }
    #expect(surface.counts.lateWithoutHitch == 3)
  }

  @Test
  func `without interactions the selected recording counts, but skipped refreshes do not`() throws {
    var still = drawing
    still.interactions = []
    let surface = try analyze(still.trace()) { $0.from = .milliseconds(80) }
    #expect(surface.measuredTime.kind == .recording)
    #expect(surface.hitchTime == .zero)
    #expect(surface.ledger == nil)
  }

  @Test func `a selection without frames and hitches has no data`() throws {
    let trace = drawing.trace()
    for surface in [
      try analyze(trace) { $0.from = .milliseconds(1_000) },
      try analyze(trace) {
        $0.interaction = "drag"
        $0.from = .milliseconds(60)
      },
      try analyze(trace) { $0.interaction = "nobody" },
      try analyze(trace) { $0.states = [.init(key: "screen", value: "Feed")] },
    ] {
      #expect(!surface.isEvaluated)
      #expect(surface.hitchTime == nil)
      #expect(surface.ratio == nil)
    }
  }

  @Test func `states select while they hold, and several are combined with AND`() throws {
    var builder = TraceBuilder(format: "drawn")
    let id = builder.surface("display")
    for index in 0..<100 as Range<Int64> {
      builder.updateFrame(
        index, of: id, start: Timestamp(clamping: index * 10_000_000),
        presented: Timestamp(clamping: index * 10_000_000), refreshInterval: .milliseconds(10))
    }
    for (time, key, value) in [
      (0, "screen", "Feed"), (300, "screen", "Detail"), (600, "screen", "Feed"),
      (0, "mode", "dark"), (700, "mode", "light"),
    ] as [(Int64, String, String)] {
      builder.addState(
        StateChange(time: Timestamp(clamping: time * 1_000_000), key: key, value: value))
    }
    builder.addInteraction(from: .zero, to: Timestamp(clamping: 990_000_000))
    let trace = builder.finish()
    let feed = AnalysisOptions.State(key: "screen", value: "Feed")
    let one = try analyze(trace) { $0.states = [feed] }
    #expect(one.counts.total == 70)
    #expect(one.measuredTime.duration == .milliseconds(690))
    // One row for each selected part of the drag.
    #expect(one.interactions.map(\.range.length) == [.milliseconds(300), .milliseconds(390)])
    let two = try analyze(trace) {
      $0.states = [feed, .init(key: "mode", value: "light")]
      $0.to = .milliseconds(900)
    }
    #expect(two.counts.total == 20)
  }

  @Test func `a missing name is reported with the existing ones`() {
    func problem(_ change: (inout AnalysisOptions.Selection) -> Void) -> SelectionProblem? {
      var options = AnalysisOptions()
      change(&options.selection)
      return TraceAnalyzer(options).selectionProblem(in: drawing.trace())
    }
    #expect(problem { $0.from = .milliseconds(130) } == nil)
    #expect(
      problem { $0.from = .milliseconds(131) }
        == .behindEnd(from: .milliseconds(131), length: .milliseconds(130)))
    #expect(problem { $0.interaction = "fling" } == nil)
    #expect(problem { $0.surface = "display" } == nil)
    #expect(problem { $0.surface = "glass" } == .unknownSurface("glass", known: ["display"]))
    for word in ["0", "3", "-1", "99999999999999999999", "", "Drag"] {
      #expect(
        problem { $0.interaction = word }
          == .unknownInteraction(word, count: 2, known: ["drag", "fling"]))
    }
    let state = AnalysisOptions.State(key: "screen", value: "Feed")
    #expect(problem { $0.states = [state] } == .unknownState(state, known: []))
  }

  @Test func `M-24: a compositor leads only where the app has next to no frames of its own`() {
    func primary(_ counts: [(name: String, frames: Int64)]) -> String? {
      var builder = TraceBuilder(format: "perfetto")
      for (name, frames) in counts {
        let id = builder.surface(name)
        for index in 0..<frames {
          let time = Timestamp(clamping: index * 10_000_000)
          builder.updateFrame(
            index, of: id, start: time, target: time, presented: time,
            refreshInterval: .milliseconds(10))
        }
      }
      return TraceAnalyzer().analyze(builder.finish()).evaluatedPrimarySurface?.name
    }
    let compositor = "surfaceflinger (compositor)"
    #expect(primary([(compositor, 60), ("app", 40)]) == "app")
    #expect(primary([(compositor, 60), ("app", 5)]) == compositor)
    #expect(primary([("dwm.exe", 60), ("game.exe", 5)]) == "game.exe")
    #expect(primary([("dwm.exe", 60)]) == "dwm.exe")
  }

  @Test
  func `M-24: the primary surface gives the verdict, not the worst; so does a selected surface`()
    throws
  {
    var builder = TraceBuilder(format: "drawn")
    for (name, late) in [("calm", 0), ("late", 30)] as [(String, Int64)] {
      let id = builder.surface(name)
      for index in 0..<5 as Range<Int64> {
        builder.updateFrame(
          index, of: id, start: Timestamp(clamping: index * 100_000_000),
          target: Timestamp(clamping: index * 100_000_000),
          presented: Timestamp(clamping: index * 100_000_000 + late * 1_000_000),
          refreshInterval: .milliseconds(10))
      }
    }
    let trace = builder.finish()
    #expect(TraceAnalyzer().analyze(trace).evaluatedPrimarySurface?.name == "calm")
    let live = LiveAnalysis(of: trace).totals(from: .zero, to: nil)
    #expect(live.evaluatedPrimarySurface == "calm")
    var options = AnalysisOptions()
    options.selection.surface = "late"
    let analysis = TraceAnalyzer(options).analyze(trace)
    #expect(analysis.evaluatedPrimarySurface?.name == "late")
    #expect(analysis.selectedSurfaces.map(\.name) == ["late"])
    #expect(analysis.surfaces.count == 2)
  }

  @Test func `no offset is too large and no selection too small`() async {
    await forEachCase(of: 1...20, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let times: [Int64] = [Int64.min, -1, 0, 1, 55_000_000, Int64.max - 1, Int64.max]
      func time() -> TimeSpan? {
        Bool.random(using: &random)
          ? times.randomElement(using: &random).map { TimeSpan(nanoseconds: $0) } : nil
      }
      let late = drawing.moving("begin", of: 1, by: Int64.max - 5).moving(
        "shown", of: 1, by: Int64.max - 5)
      for trace in [drawing.trace(), late.trace()] {
        var options = AnalysisOptions()
        options.selection.from = time()
        options.selection.to = time()
        options.selection.interaction = ["drag", "1", nil].randomElement(using: &random) ?? nil
        options.isAlwaysMoving = Bool.random(using: &random)
        let analysis = TraceAnalyzer(options).analyze(trace)
        #expect(analysis.surfaces.count == 1)
      }
    }
  }
}
