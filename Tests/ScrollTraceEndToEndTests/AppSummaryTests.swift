import Foundation
import ScrollTraceAnalysis
import ScrollTraceLayout
import ScrollTraceRecorder
import ScrollTraceSummary
import ScrollTraceTestSupport
import Testing

/// Returns the line of a scroll, for upload.
func line(
  of frames: [SummaryFrame], from start: Int64, to end: Int64, build: String
) -> String {
  let summary = TraceSummary(
    of: frames, refreshInterval: 8_333_333,
    interactions: [(kind: "drag", start: start, end: end)], attributes: ["build": build])
  return summary.lines.joined(separator: "\n")
}

/// Lines that an app makes of its own frames.
struct AppSummaryTests {
  /// What an app knows of a session.
  private struct Session {
    var frames: [SummaryFrame] = []
    var interactions: [(kind: String, start: Int64, end: Int64)] = []
    var interval: Int64?
    var tolerance: Int64 = 0
  }

  /// Records random frames and returns what the app knows of them.
  private func record(_ seed: UInt64, to path: String) throws -> Session {
    var generator = SeededGenerator(seed: seed)
    func draw(_ count: Int64) -> Int64 { Int64.random(in: 0..<count, using: &generator) }
    var session = Session()
    let interval = draw(2) == 0 ? 16_666_667 : 8_333_333 as Int64
    let (knowsInterval, knowsDeadlines) = (draw(5) > 0, draw(4) > 0)
    let (knowsPresentations, isMoving) = (draw(2) == 0, draw(4) > 0)
    session.interval = knowsInterval ? interval : nil
    session.tolerance = draw(2) * 1_000_000
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.session = SessionIdentifier(high: 0, low: seed)
    let recorder = try TraceRecorder(writingTo: path, options: options)
    var time = 1_000_000_000 + draw(1_000_000_000)
    // The first event, with which the recording begins.
    recorder.setTime(time)
    let surface = recorder.registerSurface(
      named: "list", options: SurfaceOptions(tolerance: .nanoseconds(session.tolerance)))
    for kind in [InteractionKind.drag, .deceleration] {
      let start = time + 2
      recorder.setTime(start)
      let interaction = isMoving ? recorder.beginInteraction(kind) : nil
      for _ in 0..<(5 + draw(60)) {
        let tick = FrameTiming(
          start: time, deadline: knowsDeadlines ? time + interval : nil,
          target: knowsPresentations ? time + 2 * interval : nil,
          refreshInterval: session.interval)
        let begin = time + 3 + draw(interval / 2)
        let end = begin + 1 + (draw(8) == 0 ? draw(4 * interval) : draw(interval / 2))
        let refreshes = (end - time + interval - 1) / interval
        let presented = knowsPresentations && draw(20) > 0 ? time + (refreshes + 1) * interval : nil
        recorder.setTime(begin)
        let frame = recorder.beginFrame(tick, surface: surface)
        recorder.setTime(end)
        frame.end()
        if let presented { frame.markPresented(at: presented) }
        session.frames.append(
          SummaryFrame(
            start: tick.start?.nanoseconds, commitStart: begin, commitEnd: end,
            deadline: tick.deadline?.nanoseconds, target: tick.target?.nanoseconds,
            presented: presented))
        time += refreshes * interval
      }
      recorder.setTime(time + 5)
      if let interaction {
        recorder.endInteraction(interaction)
        session.interactions.append(
          (kind: kind.name.text, start: start, end: time + 5))
      }
      time += interval * draw(100)
    }
    try recorder.finish()
    return session
  }

  @Test func `summary lines on standard input are reported like those in a file`() throws {
    let lines = TemporaryFile("lines.ndjson")
    let trace = PackageFiles.sample("feed-commit-hitches.fxt")
    #expect(try CommandProcess(["summarize", trace], redirection: "> '\(lines.path)'").status == 0)
    for place in ["< '\(lines.path)'", "< /dev/null"] {
      let file = place == "< /dev/null" ? lines.path : "-"
      let run = try CommandProcess(["analyze", file], redirection: place)
      #expect(run.status == 0 && run.output.hasPrefix("1 trace  "))
    }
    let other = try CommandProcess(["analyze", "-", trace], redirection: "< '\(lines.path)'")
    #expect(other.status == 64 && other.errors.contains("has no summary lines"))
    let whole = try CommandProcess(["analyze", "-"], redirection: "< '\(trace)'")
    #expect(whole.status == 0 && whole.output.contains("\nCRITICAL "))
  }

  @Test func `an app's line is the line of the recording of the same frames`() throws {
    var bases: Set<String> = []
    for seed in 1...40 as ClosedRange<UInt64> {
      // Enough of them, and every basis.
      if !ExtraCases.isThorough, seed > 10, bases.count == 3 { break }
      let file = TemporaryFile("app.fxt")
      let session = try record(seed, to: file.path)
      let run = try CommandProcess(
        ["summarize", "-", "--attribute", "build=7"], redirection: "< '\(file.path)'")
      #expect(run.status == 0, "\(run.errors)")
      let digits = String(seed, radix: 16)
      let summary = TraceSummary(
        of: session.frames, on: "list", refreshInterval: session.interval,
        tolerance: session.tolerance, interactions: session.interactions,
        session: String(repeating: "0", count: 18 - digits.count) + digits
          + String(repeating: "0", count: 14), attributes: ["build": "7"])
      #expect(summary.lines.map { $0 + "\n" }.joined() == run.output)
      bases.formUnion(summary.rows.keys.compactMap(\.basis))
    }
    #expect(bases == ["target", "deadline", "cadence"])
  }

  @Test func `the guide's example is the one executed here`() throws {
    let guide = try PackageFiles.text("Sources/ScrollTraceKit/ScrollTraceKit.docc/ManyTraces.md")
    let example = try #require(
      guide.components(separatedBy: "import ScrollTraceSummary\n\n").dropFirst().first?
        .components(separatedBy: "```").first)
    #expect(
      try PackageFiles.text("Tests/ScrollTraceEndToEndTests/AppSummaryTests.swift")
        .contains(example))
    let frames = (0..<120 as Range<Int64>).map {
      SummaryFrame(
        start: $0 * 8_333_333, commitEnd: $0 * 8_333_333 + ($0 == 50 ? 12_000_000 : 4_000_000),
        deadline: ($0 + 1) * 8_333_333)
    }
    let sums = line(of: frames, from: 0, to: 1_000_000_000, build: "1.2.3")
    let figures = #""scope":"interaction:drag","motionNs":1000000000,"hitchTimeNs":8333333"#
    #expect(sums.contains(figures))
  }

  @Test func `attributes that do not fit are left out, and impossible times count nothing`() {
    let long = String(repeating: "x", count: 65)
    let summary = TraceSummary(
      of: [
        SummaryFrame(start: -1, commitStart: 9, commitEnd: 3, deadline: .min, presented: .max)
      ], refreshInterval: .min, tolerance: .min,
      interactions: [(kind: "drag", start: 5, end: 3), (kind: "drag", start: -5, end: .max)],
      attributes: ["build": "7", long: "a", "b": long])
    #expect(summary.lines.count == 1)
    #expect(summary.lines[0].contains(#""attributes":{"build":"7"}"#))
  }

  @Test func `lines of an app are added to those of traces`() {
    let frames = (0..<60 as Range<Int64>).map {
      SummaryFrame(
        start: $0 * 16_666_667, commitEnd: $0 * 16_666_667 + 5_000_000,
        deadline: ($0 + 1) * 16_666_667)
    }
    let one = TraceSummary(of: frames, refreshInterval: 16_666_667)
    let sum = one + one
    #expect(sum.lines.count == 1)
    #expect(sum.lines[0].contains(#""frames":120"#))
    #expect(one.lines[0].utf8.count < 2_000)
  }
}
