import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-19: what is found of surfaces and of the recording, each with a near miss that is not.
@Suite struct SurfaceFindingTests {
  private func findings(_ drawn: DrawnTrace) -> [Finding] {
    TraceAnalyzer().analyze(drawn.trace()).findings
  }

  @Test func `a clean trace has no finding`() {
    #expect(FindingTrace().findings() == [])
  }

  @Test func `work that explains a late frame is found, if not alone beside what else does`() {
    var long = FindingTrace(late: [20])
    long.span("write log", 201, 6)
    long.span("write log", 208, 6)
    let found = long.findings()
    #expect(found.map(\.id) == [.longTask])
    #expect(found.first?.cause == .work(WorkName(category: "host", name: "write log")))
    #expect(found.first?.removable == .milliseconds(10))
    #expect(found.first?.measures.total == .milliseconds(12))
    #expect(found.first?.measures.hitchTime == .milliseconds(10))
    #expect(found.first?.measures.worst?.frame == 20)
    var short = FindingTrace(late: [20])
    // Without the rest, the frame would be on time as well.
    short.span("write log", 201, 5)
    #expect(short.findings().map(\.id) == [.longTask, .unrecordedWork])
    short = FindingTrace(late: [20])
    short.span("write log", 201, 3)
    #expect(short.findings().map(\.id) == [.unrecordedWork])
    // One late frame of three is the worst of its own.
    var rare = FindingTrace(late: [20, 40, 50])
    rare.span("write log", 201, 13)
    #expect(rare.findings().map(\.id) == [.unrecordedWork, .longTask])
  }

  @Test func `many small parts of a late frame are found by their category`() throws {
    var parts = FindingTrace(late: [20, 30, 40])
    for start in [200.0, 400] {
      for index in 0..<14 {
        parts.span("step \(Character(UnicodeScalar(UInt8(97 + index))))", start + Double(index), 1)
      }
    }
    // Where one part fills most, that is the cause, and the time of the category counts for nothing.
    parts.span("write log", 301, 13)
    let found = try #require(parts.findings().first)
    #expect(found.id == .longTask)
    #expect(found.cause == .work(WorkName(category: "host")))
    #expect(found.removable == .milliseconds(20))
  }

  @Test func `the time of a call in V8 is that of the script or event around it`() {
    var trace = FindingTrace(late: [20, 40])
    for start in [200.0, 400] {
      trace.span(category: "devtools.timeline", name: "EventDispatch (click)", start + 0.5, 13)
      trace.span(category: "v8", name: "v8.callFunction", start + 0.7, 12.5)
      trace.span(category: "v8", name: "V8.Execute", start + 0.8, 12)
    }
    let event = WorkName(category: "devtools.timeline", name: "EventDispatch (click)")
    #expect(trace.findings().first?.cause == .work(event))
  }

  @Test func `a slow thread comes before the parts of its work that are late together`() {
    let late: Set = [10, 20, 30, 40, 50]
    func findings(paint: Double) -> [FindingID] {
      var trace = FindingTrace(late: late, commit: 8, hasPhases: false)
      for number in 0..<60 where !late.contains(number - 1) {
        let (begin, length) = (Double(number * 10), late.contains(number) ? 3.7 : 1.9)
        for (index, name) in ["measure", "place", "arrange"].enumerated() {
          trace.span(name, begin + Double(index) * length, length)
        }
        trace.span("paint", begin + 3 * length, late.contains(number) ? paint : 1.9)
      }
      return trace.findings().map(\.id)
    }
    #expect(findings(paint: 3.7) == [.slowThread, .longTask])
    // One of four parts takes as long as in other frames.
    #expect(!findings(paint: 1.9).contains(.slowThread))
  }

  @Test func `work done while a cell is displayed is found if it makes a frame late`() {
    var late = FindingTrace(late: [20])
    late.span("tableView willDisplay", 201, 9)
    late.span("draw feed", 211, 3)
    let found = late.findings()
    #expect(found.map(\.id) == [.heavyWillDisplay])
    #expect(
      found.first?.cause == .work(WorkName(category: "host", name: "tableView willDisplay")))
    #expect(found.first?.measures.total == .milliseconds(9))
    var onTime = FindingTrace(late: [20])
    onTime.span("tableView willDisplay", 221, 1)
    onTime.span("tableView willDisplay", 201, 1)
    #expect(onTime.findings().map(\.id) == [.unrecordedWork])
  }

  @Test func `frames presented late after on-time commits are found`() {
    let found = FindingTrace(lateOnScreen: [20, 30]).findings()
    #expect(found.map(\.id) == [.renderHitches])
    #expect(found.first?.removable == nil)
    #expect(found.first?.measures.count == 2)
    // They come after those that most hitch time would go without.
    let few = FindingTrace(late: [5, 10, 15], lateOnScreen: [20, 30]).findings()
    #expect(few.map(\.id) == [.unrecordedWork, .renderHitches])
    #expect(few.first?.measures.hitches == 3)
  }

  @Test func `a late frame in which nothing ran is found, a late frame with work is not`() {
    let found = FindingTrace(late: [20], hasPhases: false).findings()
    #expect(found.map(\.id) == [.hitchesWhileIdle])
    #expect(found.first?.measures.total == .milliseconds(15))
    var half = FindingTrace(late: [20], hasPhases: false)
    half.span("layout", 201, 8)
    #expect(half.findings().allSatisfy { $0.id != .hitchesWhileIdle })
  }

  @Test func `a long time in which nothing ran may be a pause of what the user says moves`() throws
  {
    let drawing = """
      ms    0         100       200       300       400       500
      begin 1                                       2
      done   1                                       2
      shown   1                                       2
      main  []                                      []
      """
    func mayPause(_ drawing: String, isAlwaysMoving: Bool) throws -> Bool {
      var options = AnalysisOptions()
      options.isAlwaysMoving = isAlwaysMoving
      let trace = DrawnTrace(hz: 60, drawing).trace(isCompletelyRecorded: true)
      let run = TraceAnalyzer(options).analyze(trace)
      guard case .noNewPicture(_, let mayPause)? = run.headline else { return false }
      let finding = try #require(run.findings.first { $0.id == .hitchesWhileIdle })
      return mayPause && finding.words.fix == HitchGroup.fixOfPause
    }
    #expect(try mayPause(drawing, isAlwaysMoving: true))
    let drag = drawing + "\ndrag  [                                                ]"
    #expect(try !mayPause(drag, isAlwaysMoving: false))
  }

  @Test func `work of another thread is named if it fills idle late frames, and not other frames`()
    throws
  {
    func finding(_ change: (inout FindingTrace) -> Void) throws -> Finding {
      var trace = FindingTrace(late: [20, 40], hasPhases: false)
      change(&trace)
      return try #require(trace.findings().first { $0.id == .hitchesWhileIdle })
    }
    let decoding = try finding { trace in
      for start in [200.0, 400] {
        trace.span("pool task", start - 1, 15.5, isOnMain: false)
        trace.span("decodeImage", start, 14, isOnMain: false)
      }
    }
    #expect(decoding.fact("work") == .name("decodeImage"))
    #expect(decoding.fact("threads") == .names(["thread 2"]))
    #expect(decoding.fact("workNs") == .time(.milliseconds(28)))
    #expect(
      decoding.words.fix.parts.first
        == .words("Decode fewer and smaller images, at the displayed size"))
    let sampled = try finding { trace in
      for start in [200.0, 400] {
        trace.sample([("run", "app"), ("crunch", "app")], 14, start, 14, onWorker: 3)
      }
    }
    #expect(sampled.fact("work") == .name("crunch"))
    // Work that is always there, or is short, is not why these frames are late.
    let steady = try finding { trace in
      for start in stride(from: 0.0, to: 600, by: 10) {
        trace.span("decodeImage", start, 9.5, isOnMain: false)
      }
    }
    let short = try finding { $0.span("decodeImage", 200, 14, isOnMain: false) }
    for other in [steady, short] {
      #expect(other.fact("work") == .name(nil))
      #expect(other.words.title.parts.last == .words(" the main thread has nothing to do"))
    }
  }

  @Test func `steadily slow frames are found (E-20), a single slip is not (E-15)`() throws {
    let found = findings(WorkedExamples.e20())
    let run = try #require(
      found.first { $0.id == .steadilySlowFrames })
    #expect(run.measures.count >= StreakPass.steadyFrames)
    #expect(run.measures.hitches > 0)
    #expect(
      !findings(WorkedExamples.e15()).contains {
        $0.id == .steadilySlowFrames
      })
  }

  @Test func `low headroom is found if nothing hitches`() {
    let found = FindingTrace(commit: 9.5).findings()
    #expect(found.map(\.id) == [.lowHeadroom])
    #expect(found.first?.fact("slackNs") == .time(TimeSpan(nanoseconds: 500_000)))
    #expect(found.first?.fact("refreshIntervalNs") == .time(.milliseconds(10)))
    #expect(found.first?.measures.count == 60)
    #expect(FindingTrace(commit: 9).findings() == [])
  }

  @Test(arguments: [true, false])
  func `a compositor's frames, which end when they are shown, are no commits`(hasApp: Bool) {
    func time(_ milliseconds: Int64) -> Timestamp { Timestamp(clamping: milliseconds * 1_000_000) }
    var builder = TraceBuilder(format: "drawn")
    let main = builder.mainThread(isHost: true)
    let (app, compositor) = (builder.surface("app"), builder.surface("compositor"))
    for index in 0..<60 {
      var frame = Frame(id: UInt64(index))
      frame.start = time(Int64(index) * 10)
      frame.commitStart = frame.start
      frame.commitEnd = time(Int64(index) * 10 + 10)
      frame.deadline = frame.commitEnd
      frame.outcome = .presented
      frame.wasOnTime = true
      frame.refreshInterval = .milliseconds(10)
      builder.updateFrame(frame, of: compositor)
      frame.commitEnd = time(Int64(index) * 10 + 2)
      frame.track = main
      if hasApp { builder.updateFrame(frame, of: app) }
    }
    builder.addInteraction(from: .zero, to: time(600))
    let found = TraceAnalyzer().analyze(builder.finish()).findings
    #expect(found.contains { $0.id == .lowHeadroom } == !hasApp)
  }

  @Test func `a wait for the display in a commit is time to spare, another wait is not`() throws {
    func analysis(_ wait: String) -> Analysis {
      var trace = FindingTrace(commit: 9.5)
      for number in 0..<60 { trace.span("waiting.\(wait)", Double(number) * 10 + 2, 7.5) }
      return TraceAnalyzer().analyze(trace.trace())
    }
    let vsync = analysis("wait for vsync")
    #expect(vsync.findings.isEmpty)
    let display = try #require(vsync.surfaces.first)
    #expect(display.slackP5 == .milliseconds(8) && display.headroom == .milliseconds(480))
    let lock = analysis("cache lock")
    #expect(lock.findings.map(\.id) == [.lowHeadroom])
    let other = try #require(lock.surfaces.first)
    #expect(other.slackP5 == TimeSpan(nanoseconds: 500_000))
    #expect(other.headroom == .milliseconds(30))
  }

  @Test func `commits after their deadline are not said to be close to it`() throws {
    let (missedIt, closeToIt): (Phrase.Part, Phrase.Part) = (
      .words(" ended after the deadline"), .words(" left less than a tenth of a refresh")
    )
    // All frames are shown on time.
    let late = FindingTrace(commit: 11.5, hasPhases: false).findings()
    let missed = try #require(late.first { $0.id == .lowHeadroom })
    #expect(missed.words.title == "commits end after their deadline")
    #expect(missed.measures.count == 60)
    let parts = missed.words.evidence.flatMap(\.parts)
    #expect(parts.contains(missedIt) && !parts.contains(closeToIt))
    let close = try #require(FindingTrace(commit: 9.5).findings().first)
    #expect(close.words.title == "commits end close to their deadline")
    let closeParts = close.words.evidence.flatMap(\.parts)
    #expect(closeParts.contains(closeToIt) && !closeParts.contains(missedIt))
  }

  @Test func `low headroom counts only the selected frames`() {
    var options = AnalysisOptions()
    options.selection.from = .milliseconds(200)
    let found = FindingTrace(commit: 9.5).findings(options)
    #expect(found.first?.measures.count == 40)
    #expect(found.first?.measures.worst?.frame == 20)
  }

  @Test func `too few frames are found (M-8)`() {
    #expect(FindingTrace(frames: 29).findings().map(\.id) == [.fewFrames])
    #expect(FindingTrace(frames: 30).findings() == [])
  }

  @Test func `data lost by the recorder is found, file damage is a notice`() {
    var lost = FindingTrace()
    lost.lose(.recorderOutOfSpace, 3)
    lost.lose(.sourceDroppedRecords, UInt64.max)
    #expect(lost.findings().map(\.id) == [.dataLoss])
    #expect(lost.findings().first?.measures.count == Int.max)
    var damaged = FindingTrace()
    damaged.lose(.checksumMismatch, 3)
    #expect(damaged.findings() == [])
  }

  @Test func `work counts to the window that contains it, even if another window lies inside`() {
    var builder = TraceBuilder(format: "built")
    let main = builder.mainThread(isHost: true)
    let surface = builder.surface("display")
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    for (begin, length) in [(0, 100), (10, 10), (30, 10)] as [(Int64, Int64)] {
      builder.addListedHitch(
        ListedHitch(start: time(begin), length: .milliseconds(length)), of: surface)
    }
    let decode = builder.label(category: "scrolltrace.image", name: "decode")
    builder.addSpan(on: main, from: time(41), to: time(95), label: decode)
    builder.addSpan(on: main, from: time(12), to: time(18), label: decode)
    let findings = TraceAnalyzer().analyze(builder.finish()).findings
    #expect(findings.map(\.id) == [.decodeOnMainThread])
    let found = findings.first
    #expect(found?.measures.count == 2 && found?.measures.hitches == 2)
    #expect(found?.measures.hitchTime == .milliseconds(110))
  }
}
