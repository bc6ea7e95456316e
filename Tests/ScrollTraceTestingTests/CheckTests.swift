import ReferenceListEngine
import Testing

@testable import ScrollTraceTesting

/// What a test shows of limits that are met, exceeded or in doubt (M-21).
@Suite struct CheckTests {
  /// Expects that the issue of `expectation` shows `line`, and nothing else as what was evaluated.
  private func expectFailure(
    _ line: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ expectation: () throws -> Void
  ) throws {
    try withKnownIssue(sourceLocation: sourceLocation) {
      try expectation()
    } matching: { issue in
      // An issue that does not match stays one, and says what it shows instead.
      "\(issue)".contains("→ \(line)).passed → false")
    }
  }

  @Test func `a smooth sample passes`() throws {
    let outcome = try TraceRuns(of: Sample.path("feed-smooth.fxt")).check(against: .scroll)
    #expect(outcome.passed)
    #expect(outcome.report.verdict.status == .passed)
    #expect("\(outcome)" == "hitch time ratio: 0.00 ms/s, ≤ 10 ms/s")
  }

  @Test func `a hitch fails the test with one line that names the limit and the cause`() throws {
    let feed = try TraceRuns(of: Sample.path("feed-commit-hitches.fxt"))
    try expectFailure(
      "hitch time ratio: 31.88 ms/s, ≤ 10 ms/s; 79.1% of the hitch time is attributed to"
        + " image/decode"
    ) { #expect(feed.check(against: .scroll).passed) }
  }

  @Test func `only exceeded limits are listed`() throws {
    let feed = try TraceRuns(of: Sample.path("feed-commit-hitches.fxt"))
    let budget = try Budget(
      json: """
        {"limits": {"hitches": 99, "longestHitchNs": "20 ms", "deadlineMisses": 2}, "rules": [
          {"interaction": "drag", "limits": {"hitches": ["warn", 0]}}]}
        """)
    let outcome = CheckOutcome(feed, budget)
    #expect(!outcome.passed)
    let line = "\(outcome)"
    #expect(!line.contains("99"), "\(line)")
    #expect(line.contains("longest hitch: 33.33 ms, ≤ 20 ms; "), "\(line)")
    #expect(line.contains("deadline misses: 6, ≤ 2; "), "\(line)")
    #expect(!line.contains("\n"))
  }

  @Test func `runs of different scenarios are a warning in the line`() throws {
    let runs = try TraceRuns(
      of: ["feed-smooth.fxt", "fast-fling.fxt"].map { Sample.path($0) })
    let budget = try Budget(json: #"{"limits": {"hitches": 99}}"#)
    let outcome = CheckOutcome(runs, budget)
    #expect(outcome.passed && outcome.hasWarnings)
    #expect("\(outcome)".contains("; warning: 1 of 2 runs recorded a different scenario from"))
    let alone = CheckOutcome(try TraceRuns(of: Sample.path("feed-smooth.fxt")), budget)
    #expect(!alone.hasWarnings, "\(alone)")
  }

  @Test func `no data is not a pass, and the line states why`() throws {
    let empty = try TraceRuns.recording { _ in }
    try expectFailure(
      "hitch time ratio: no data, no frame could be evaluated; the trace contains no frames"
    ) { #expect(empty.check(against: .scroll, isStrict: true).passed) }

    // E-12: a frame of which nothing is known but when it was worked on.
    var options = RecorderOptions()
    options.recordsThreadTimes = false
    let timeless = try TraceRuns.recording(options: options) { recorder in
      recorder.beginFrame().end()
    }
    try expectFailure(
      "hitch time ratio: no data, no frame could be evaluated; the frames of 'display' contain no"
        + " usable times"
    ) { #expect(timeless.check(against: .scroll, isStrict: true).passed) }
  }

  @Test func `a test whose limits cannot be evaluated is skipped`() throws {
    let empty = try TraceRuns.recording { _ in }
    #expect(!CheckOutcome(empty, .cpu).isEvaluated)
    #expect(empty.check(against: .cpu).passed)
  }

  @Test func `a budget without limits does not pass, nor does an empty set of runs`() throws {
    let feed = try TraceRuns(of: Sample.path("feed-smooth.fxt"))
    #expect(!CheckOutcome(feed, Budget()).passed)
    #expect(!(CheckOutcome(try TraceRuns(of: []), .scroll).passed))
    #expect(!(CheckOutcome(try TraceRuns.recording(runs: 0) { _ in }, .scroll).passed))
  }

  @Test
  func `a trace that lost data passes only if loss is allowed, and the loss is reported`() throws {
    let damaged = try TraceRuns(of: Sample.path("damaged.fxt"))
    let budget = try Budget(json: #"{"limits": {"deadlineMisses": 1000}}"#)
    let outcome = CheckOutcome(damaged, budget)
    #expect(outcome.report.verdict.status == .passed)
    #expect(!outcome.passed)
    #expect("\(outcome)".contains("; the trace lost data: "), "\(outcome)")
    withKnownIssue {
      #expect(damaged.check(against: budget, allowsLoss: true).passed)
    } matching: {
      $0.severity == .warning && $0.comments.first?.rawValue == "\(outcome)"
    }
  }

  @Test func `limits apply to the median of the runs`() throws {
    let (smooth, hitching) = (
      Sample.path("feed-smooth.fxt"), Sample.path("feed-commit-hitches.fxt")
    )
    #expect(try TraceRuns(of: [smooth, hitching, smooth]).check(against: .scroll).passed)
    let slow = try TraceRuns(of: [hitching, smooth, hitching])
    #expect(
      "\(CheckOutcome(slow, .scroll))".hasPrefix(
        "hitch time ratio: 31.88 ms/s (median of 3 runs), ≤ 10 ms/s; 79.1% of the hitch"
          + " time of the worst run is attributed to image/decode"))
  }

  @Test func `an unreadable file is an error that names the file`() {
    #expect {
      try TraceRuns(of: "/no/such.fxt")
    } throws: { "\($0)".hasPrefix("/no/such.fxt: ") }
    #expect {
      try Budget(json: #"{"limits": {"hitchTimeRatio": 5}}"#)
    } throws: { "\($0)".contains("did you mean 'hitchTimeRatioMsPerS'?") }
  }

  @Test func `names from the trace cannot inject into the log`() throws {
    let options = FeedList().options
    let feed = try TraceRuns.recording(options: options) { recorder in
      recorder.setTime(.seconds(2))
      let drag = recorder.beginInteraction(.drag)
      let refresh = RecorderTime.nanoseconds(16_666_667)
      var begin = RecorderTime.seconds(2)
      for number in 1...40 {
        begin += refresh
        recorder.setTime(begin)
        let frame = recorder.beginFrame(
          FrameTiming(
            start: begin, deadline: begin + refresh, target: begin + refresh + refresh,
            refreshInterval: refresh))
        let span = recorder.beginSpan(recorder.registerName("\u{1B}]0;x\u{7}\n::error::y"))
        recorder.setTime(begin + .milliseconds(number % 10 == 0 ? 26 : 16))
        recorder.endSpan(span)
        frame.end()
      }
      recorder.endInteraction(drag)
    }
    let outcome = CheckOutcome(feed, .scroll)
    #expect(!outcome.passed)
    #expect("\(outcome)".contains("work/^[]0;x^G^J:<U+003A>error"), "\(outcome)")
    for text in ["\(outcome)", outcome.failureMessage, outcome.text] {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
  }
}
