import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// E-21 to E-40 the whole way: lines, file, `analyze --format json`.
@Suite struct MotionExampleTests {
  private let r = LineTrace.refresh
  private let ms = LineTrace.millisecond

  /// Sixty smooth frames, four seconds without one, and thirty more; the drag ends at `end`.
  private func gap(
    _ basis: LineTrace.Basis, until end: Int, span: Bool = false, goesOn: Bool = true
  ) throws -> JSONNode {
    let next = 60 * r + 4000 * ms
    var trace = LineTrace(end: next + 40 * r, drag: 0..<end)
    if span { trace.span("hang", 60 * r, next - 5 * ms) }
    trace.smooth(basis, 60)
    if goesOn { trace.smooth(basis, 30, from: next, number: 60) }
    return try trace.analyze().surface
  }

  @Test func `E-21: an end at the next frame and one a nanosecond beside it give the same result`()
    async
  {
    await forEachCase(of: LineTrace.Basis.allCases, oneCase)
    @Sendable func oneCase(basis: LineTrace.Basis) throws {
      let next = 60 * r + 4000 * ms
      for end in [next, next - 1, next + 1] {
        let surface = try gap(basis, until: end)
        surface.expect(["basis": basis.name])
        let hitch = try #require(surface["hitchTimeNs"].integer)
        #expect(abs(hitch - (4000 * ms - basis.way * r)) <= 1)
        surface.expect(["hitchesInMotion": 1, "rating": "critical"])
      }
    }
  }

  @Test func `E-22: a span of the main thread fills the gap`() async {
    await forEachCase(of: LineTrace.Basis.allCases, oneCase)
    @Sendable func oneCase(basis: LineTrace.Basis) throws {
      try gap(basis, until: 60 * r + 2000 * ms, span: true).expect([
        "hitchTimeNs": 2000 * ms - basis.way * r, "ledgerNs.unknown": 0,
      ])
    }
  }

  @Test func `E-23: without evidence the same time is unknown`() async {
    await forEachCase(of: LineTrace.Basis.allCases, oneCase)
    @Sendable func oneCase(basis: LineTrace.Basis) throws {
      let surface = try gap(basis, until: 60 * r + 2000 * ms)
      surface.expect([
        "hitchTimeNs": 0, "ledgerNs.unknown": 2000 * ms - basis.way * r, "rating": "uncertain",
      ])
      #expect(surface["ratingReason"].string?.contains("unknown") == true)
    }
  }

  @Test func `E-24: a short rest at the end is a scroll that has settled`() async {
    await forEachCase(of: LineTrace.Basis.allCases, oneCase)
    @Sendable func oneCase(basis: LineTrace.Basis) throws {
      var trace = LineTrace(end: 2000 * ms, drag: 0..<60 * r + 150 * ms)
      trace.smooth(basis, 60)
      try trace.analyze().surface.expect([
        "hitchTimeNs": 0, "rating": "good", "ledgerNs.settled": 150 * ms - basis.way * r,
      ])
    }
  }

  @Test func `E-25: a first frame that started in the drag counts`() throws {
    var trace = LineTrace(end: 236 * ms + 60 * r, drag: 102 * ms..<236 * ms + 60 * r)
    trace.frame(0, from: 100 * ms, to: 230 * ms)
    trace.smooth(.cadenceBegin, 60, from: 236 * ms, number: 1)
    try trace.analyze().surface.expect([
      "hitchTimeNs": 136 * ms - r, "hitchTimeOutsideInteractionsNs": 0, "hitchesInMotion": 1,
    ])
  }

  @Test func `E-26: a commit that started in the drag counts from its deadline on`() throws {
    let begin = 100 * ms
    var trace = LineTrace(end: begin + 71 * r, drag: begin + 40_000..<begin + 71 * r)
    trace.frame(0, from: begin, to: begin + 165 * ms, due: begin + r)
    trace.smooth(.deadline, 60, from: begin + 10 * r, number: 1)
    try trace.analyze().surface.expect(["hitchTimeNs": 9 * r, "hitchTimeOutsideInteractionsNs": 0])
  }

  @Test func `E-27: the first frame after a rest is due one refresh after the drag starts`() throws
  {
    var trace = LineTrace(end: 400 * ms + 40 * r, drag: 100 * ms..<400 * ms + 40 * r)
    trace.smooth(.cadenceBegin, 40, from: 400 * ms)
    try trace.analyze().surface.expect(["hitchTimeNs": 300 * ms - r, "hitchesInMotion": 1])
  }

  @Test func `E-28: the usual latency to the screen is not a hitch`() throws {
    var trace = LineTrace(end: 1000 * ms + 40 * r, drag: 1000 * ms..<1000 * ms + 40 * r)
    trace.smooth(.cadencePresented, 5)
    trace.smooth(.cadencePresented, 40, from: 1010 * ms, number: 5)
    try trace.analyze().surface.expect(["hitchTimeNs": 0, "ledgerNs.unknown": 0])
  }

  @Test
  func `E-29: missed deadlines that presentation times contradict are late without hitch`() throws {
    var trace = LineTrace(end: 121 * r, drag: 0..<118 * r)
    for index in 0..<118 {
      let begin = index * r
      trace.frame(
        index, from: begin, to: begin + r + 5 * ms, due: begin + r, shown: begin + 3 * r)
    }
    try trace.analyze().surface.expect([
      "hitchTimeNs": r, "deadlineMissesInMotion": 118, "lateWithoutHitchInMotion": 117,
    ])
  }

  @Test func `E-30: only additional lateness counts`() throws {
    var trace = LineTrace(end: 20 * r, drag: 0..<20 * r)
    for (index, late) in (Array(repeating: 0, count: 10) + [1, 2, 2]).enumerated() {
      trace.frame(
        index,
        [
          ("begin", index * r), ("target", (index + 2) * r),
          ("presented", (index + 2 + late) * r),
        ])
    }
    let surface = try trace.analyze().surface
    #expect((0..<2).map { surface["hitches"][$0]["hitchNs"].integer } == [r, r])
    surface.expect(["lateWithoutHitchInMotion": 1])
  }

  @Test func `E-31: the screen had a new frame although a deadline was missed`() throws {
    var trace = LineTrace(end: 45 * r, drag: 0..<43 * r)
    for index in 0..<40 {
      let begin = index * r
      let work = index == 20 ? r + 30 * ms : 5 * ms
      trace.frame(index, from: begin, to: begin + work, due: begin + r, shown: begin + 3 * r)
    }
    try trace.analyze().surface.expect([
      "hitchTimeNs": 0, "deadlineMissesInMotion": 1, "lateWithoutHitchInMotion": 1,
    ])
  }

  @Test func `E-32: presentations are not used if too many are invalid`() throws {
    var trace = LineTrace(end: 135 * r, drag: 0..<133 * r)
    for index in 0..<125 {
      let begin = index * r + (index < 60 ? 0 : 6 * r) + 2 * r
      let isInvalid = index % 10 < 3 && index < 122 || index == 123
      trace.frame(
        index, from: begin, to: begin + 5 * ms, shown: begin + (isInvalid ? -r : 2 * r))
    }
    let run = try trace.analyze()
    run.surface.expect(["basis": "cadence", "frames.evaluated": 125, "hitchTimeNs": 7 * r])
    #expect(run.run["notices"].array.contains { $0["kind"].string == "presentedBeforeStart" })
  }

  @Test func `E-33: a long gap is compensated by a short one immediately after`() throws {
    func inside(goesOn: Bool) throws -> (Int?, Int?) {
      var trace = LineTrace(end: 70 * r, drag: 0..<63 * r)
      for index in 0..<60 {
        let begin = index * r
        let slip = index == 30 || index > 30 && goesOn ? 27 * ms - r : 0
        trace.frame(index, from: begin, to: begin + 5 * ms, shown: begin + 2 * r + slip)
      }
      let surface = try trace.analyze().surface
      return (surface["hitchTimeNs"].integer, surface["hitchesInMotion"].integer)
    }
    #expect(try inside(goesOn: false) == (0, 0))
    #expect(try inside(goesOn: true) == (27 * ms - r, 1))
  }

  @Test func `E-34: a wait for the next refresh is not work but headroom`() throws {
    var trace = LineTrace(end: 60 * r, drag: 0..<60 * r)
    for index in 0..<60 {
      let begin = index * r
      trace.frame(index, from: begin, to: begin + 2 * ms, due: begin + r)
      trace.span("swap", begin + 2 * ms, begin + r, category: "scrolltrace.waiting")
    }
    let run = try trace.analyze()
    let work = run.run["work"]
    work.expect([
      "mainRunningNs": 120 * ms, "mainWaitingNs": 60 * (r - 2 * ms), "tracks.0.idleNs": 0,
    ])
    run.surface.expect(["headroomNs": 60 * (r - 2 * ms)])
  }

  @Test func `E-35: a pending request is not work`() async {
    await forEachCase(of: [
      ("request", "scrolltrace.waiting"), ("download", "scrolltrace.image"),
      ("Lock contention on heap lock (owner tid: 7)", "art"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ name: String, _ category: String) throws {
      var trace = LineTrace(end: 60 * r, drag: 0..<60 * r)
      trace.span(name, 10 * ms, 710 * ms, category: category, thread: "loader")
      trace.span("decode", 710 * ms, 856 * ms, category: "scrolltrace.image", thread: "loader")
      trace.smooth(.cadenceBegin, 60)
      try trace.analyze().run["work"].expect([
        "backgroundRunningNs": 146 * ms, "backgroundWaitingNs": 700 * ms,
      ])
    }
  }

  @Test func `E-37: a start without an end fills no more than the enclosing span`() throws {
    var trace = LineTrace(end: 400 * ms, drag: 0..<400 * ms)
    trace.smooth(.cadenceBegin, 6)
    trace.span("call", 90 * ms, 90 * ms + 36_000)
    var text = trace.text
    text += #"{"span":"measure","begin":90000000}"# + "\n"
    var late = LineTrace(end: 400 * ms)
    late.smooth(.cadenceBegin, 6, from: 150 * ms, number: 6)
    text += late.text.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
    let file = try TemporaryFile("open.ndjson", text)
    let hitch = try AnalyzeRun([file.path]).surface["hitches"][0]
    #expect(hitch["hitchNs"].integer ?? 0 > 40 * ms)
    for cause in hitch["causes"].array where cause["name"].string == "measure" {
      #expect(cause["selfNs"].integer ?? 0 <= 36_000)
    }
  }

  private func check(_ arguments: [String]) -> CommandRun { CommandRun(["check"] + arguments) }

  @Test func `E-38: runs without frames prevent an evaluation and are named`() throws {
    var good = LineTrace(end: 120 * r, drag: 0..<120 * r)
    good.smooth(.cadenceBegin, 120)
    let empty = LineTrace(end: 120 * r, drag: 0..<120 * r)
    let files = try (0..<10).map {
      try TemporaryFile("run\($0).ndjson", $0 == 9 ? good.text : empty.text)
    }
    let all = check(["--max-ratio", "5"] + files.map(\.path))
    #expect(all.status == .notEvaluated)
    for index in 0..<9 { #expect(all.text.contains("run\(index).ndjson")) }
    #expect(check(["--max-ratio", "5", files[9].path]).status == .done)
  }

  @Test func `E-39: ends without a start at the head of their tracks are not losses`() throws {
    let events = [
      #"{"ph":"E","pid":1,"tid":1,"ts":1000,"name":"RunTask","cat":"toplevel"}"#,
      #"{"ph":"e","pid":1,"tid":2,"ts":1005,"name":"PipelineReporter","cat":"cc","id":"0x1"}"#,
      #"{"ph":"X","pid":1,"tid":1,"ts":2000,"dur":500,"name":"RunTask","cat":"toplevel"}"#,
    ]
    let late = #"{"ph":"E","pid":1,"tid":1,"ts":4000,"name":"lost","cat":"toplevel"}"#
    for (events, isLoss) in [(events, false), (events + [late], true)] {
      let file = try TemporaryFile(
        "head.json", #"{"traceEvents":[\#(events.joined(separator: ","))]}"#)
      let run = try AnalyzeRun([file.path])
      #expect(run.status == (isLoss ? .lossy : .done))
      run.run.expect(["input.losses.count": isLoss ? 1 : 0])
    }
  }

  @Test func `E-40: five frames are too few for a verdict`() throws {
    var trace = LineTrace(end: 100 * ms, drag: 0..<100 * ms)
    for index in 0..<5 {
      let begin = index * r
      let work = index == 2 ? r + ms : 5 * ms
      trace.frame(index, from: begin, to: begin + work, due: begin + r)
    }
    try trace.analyze().surface.expect(["rating": "uncertain", "hitches.count": 1])
    let file = try TemporaryFile("short.ndjson", trace.text)
    #expect(check(["--max-ratio", "5", file.path]).status == .notEvaluated)
  }

  @Test
  func `M-24: a limit exceeded whatever is unknown fails, and a budget can allow more`()
    throws
  {
    let next = 60 * r + 4000 * ms
    var smooth = LineTrace(end: next, drag: 0..<60 * r + 2000 * ms)
    smooth.smooth(.cadenceBegin, 60)
    let file = try TemporaryFile("rest.ndjson", smooth.text)
    #expect(check(["--max-ratio", "5", file.path]).status == .notEvaluated)
    let allowing = #"{"limits": {"hitchTimeRatioMsPerS": 5}, "maxUnknownShare": 0.9}"#
    #expect(check(["--budget", allowing, file.path]).status == .done)
    var late = LineTrace(end: next, drag: 0..<60 * r + 2000 * ms)
    late.smooth(.cadenceBegin, 30)
    late.smooth(.cadenceBegin, 20, from: 40 * r, number: 30)
    let lateFile = try TemporaryFile("late.ndjson", late.text)
    #expect(check(["--max-ratio", "5", lateFile.path]).status == .exceeded)
  }
}
