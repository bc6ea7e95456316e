import ReferenceListEngine
import Testing

@testable import ScrollTraceTesting

/// What a test is told of a budget that is kept, not kept, or kept in doubt (M-21).
@Suite struct JudgementTests {
  /// Expects that the issue of `expectation` shows `line`, and nothing else as what was judged.
  private func expectFailure(
    _ line: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ expectation: () throws -> Void
  ) throws {
    try withKnownIssue(sourceLocation: sourceLocation) {
      try expectation()
    } matching: { issue in
      // An issue that does not match stays one, and says what it shows instead.
      "\(issue)".contains("→ \(line)).isKept → false")
    }
  }

  @Test func `a smooth sample passes`() throws {
    let answer = try TraceRuns(of: Sample.path("feed-smooth.fxt")).judged(by: .scroll)
    #expect(answer.isKept)
    #expect(answer.report.verdict.status == .pass)
    #expect("\(answer)" == "hitchTimeRatioMsPerS 0 ms/s, at most 10 ms/s")
  }

  @Test func `what hitches fails with one line that says what and why`() throws {
    let feed = try TraceRuns(of: Sample.path("feed-commit-hitches.fxt"))
    try expectFailure(
      "hitchTimeRatioMsPerS 31.88 ms/s, at most 10 ms/s; 93.8 % of the hitch time is charged to"
        + " image/decode"
    ) { #expect(feed.judged(by: .scroll).isKept) }
  }

  @Test func `only what is not kept is told`() throws {
    let feed = try TraceRuns(of: Sample.path("feed-commit-hitches.fxt"))
    let budget = try Budget(
      json: """
        {"limits": {"hitches": 99, "longestHitchNs": "20 ms", "deadlineMisses": 2}, "rules": [
          {"interaction": "drag", "limits": {"hitches": ["warn", 0]}}]}
        """)
    let answer = BudgetAnswer(feed, budget)
    #expect(!answer.isKept)
    let line = "\(answer)"
    #expect(!line.contains("at most 99"), "\(line)")
    #expect(line.contains("longestHitchNs 33.33 ms, at most 20 ms; "), "\(line)")
    #expect(line.contains("deadlineMisses 7, at most 2; "), "\(line)")
    #expect(!line.contains("\n"))
  }

  @Test func `runs of different sessions are told in the line, and warned of`() throws {
    let runs = try TraceRuns(
      of: ["feed-smooth.fxt", "fast-fling.fxt"].map { Sample.path($0) })
    let budget = try Budget(json: #"{"limits": {"hitches": 99}}"#)
    let answer = BudgetAnswer(runs, budget)
    #expect(answer.isKept && answer.hasWarnings)
    #expect("\(answer)".contains("; warning: 1 of 2 runs recorded another session than"))
    #expect(!BudgetAnswer(try TraceRuns(of: Sample.path("feed-smooth.fxt")), budget).hasWarnings)
  }

  @Test func `no data is no pass, and the line says why`() throws {
    let empty = try TraceRuns.recording { _ in }
    try expectFailure(
      "hitchTimeRatioMsPerS: no data, no frame could be judged; the trace holds no frames"
    ) { #expect(empty.judged(by: .scroll).isKept) }

    // E-12: a frame of which nothing is known but when it was worked on.
    let timeless = try TraceRuns.recording { recorder in
      recorder.beginFrame().end()
    }
    try expectFailure(
      "hitchTimeRatioMsPerS: no data, no frame could be judged; the frames of 'display' hold no"
        + " usable times"
    ) { #expect(timeless.judged(by: .scroll).isKept) }
  }

  @Test func `a budget without limits, and no runs at all, are no pass`() throws {
    let feed = try TraceRuns(of: Sample.path("feed-smooth.fxt"))
    #expect(!BudgetAnswer(feed, Budget()).isKept)
    #expect(!(BudgetAnswer(try TraceRuns(of: []), .scroll).isKept))
    #expect(!(BudgetAnswer(try TraceRuns.recording(runs: 0) { _ in }, .scroll).isKept))
  }

  @Test func `a trace that lost data passes only where that is allowed, and says it`() throws {
    let damaged = try TraceRuns(of: Sample.path("damaged.fxt"))
    let budget = try Budget(json: #"{"limits": {"hitchTimeRatioMsPerS": 1000}}"#)
    let answer = BudgetAnswer(damaged, budget)
    #expect(answer.report.verdict.status == .pass)
    #expect(!answer.isKept)
    #expect("\(answer)".contains("; the trace had lost data: "), "\(answer)")
    withKnownIssue {
      #expect(damaged.judged(by: budget, allowsLoss: true).isKept)
    } matching: {
      $0.severity == .warning && $0.comments.first?.rawValue == "\(answer)"
    }
  }

  @Test func `doubt passes with a warning, and fails where the judgement is strict`() throws {
    // Four runs whose median is over the limit, which is within their spread.
    let smooth = Sample.path("feed-smooth.fxt")
    let hitching = Sample.path("feed-commit-hitches.fxt")
    let runs = try TraceRuns(of: [smooth, hitching, smooth, hitching, hitching])
    let lenient = BudgetAnswer(runs, .scroll)
    #expect(lenient.report.verdict.status == .inconclusive)
    #expect(lenient.isKept)
    #expect("\(lenient)".contains("within the uncertainty"), "\(lenient)")
    #expect(!BudgetAnswer(runs, .scroll, isStrict: true).isKept)
    withKnownIssue {
      #expect(runs.judged(by: .scroll).isKept)
    } matching: {
      $0.severity == .warning && $0.comments.first?.rawValue == "\(lenient)"
    }
  }

  @Test func `limits are for the median of the runs`() throws {
    let (smooth, hitching) = (
      Sample.path("feed-smooth.fxt"), Sample.path("feed-commit-hitches.fxt")
    )
    #expect(try TraceRuns(of: [smooth, hitching, smooth]).judged(by: .scroll).isKept)
    let slow = try TraceRuns(of: [hitching, smooth, hitching])
    #expect(
      "\(BudgetAnswer(slow, .scroll))".hasPrefix(
        "hitchTimeRatioMsPerS 31.88 ms/s (median of 3 runs), at most 10 ms/s; 93.8 % of the hitch"
          + " time of the worst run is charged to "))
  }

  @Test func `what cannot be read is an error that names the file`() {
    #expect {
      try TraceRuns(of: "/no/such.fxt")
    } throws: { "\($0)".hasPrefix("/no/such.fxt: ") }
    #expect {
      try Budget(json: #"{"limits": {"hitchTimeRatio": 5}}"#)
    } throws: { "\($0)".contains("did you mean 'hitchTimeRatioMsPerS'?") }
  }

  @Test func `names from the trace cannot act on the log that shows the line`() throws {
    let options = FeedList().options
    let feed = try TraceRuns.recording(options: options) { recorder in
      let drag = recorder.beginInteraction(.drag)
      for number in 1...40 as ClosedRange<Nanoseconds> {
        let begin = 2_000_000_000 + number * 16_666_667
        recorder.setTime(begin)
        let frame = recorder.beginFrame(
          FrameTiming(
            start: begin, deadline: begin + 16_666_667, target: begin + 33_333_334,
            refreshInterval: 16_666_667))
        let span = recorder.beginSpan(recorder.registerName("\u{1B}]0;x\u{7}\n::error::y"))
        recorder.setTime(begin + 16_000_000 + (number % 10 == 0 ? 10_000_000 : 0))
        recorder.endSpan(span)
        frame.end()
      }
      recorder.endInteraction(drag)
    }
    let answer = BudgetAnswer(feed, .scroll)
    #expect(!answer.isKept)
    #expect("\(answer)".contains("work/^[]0;x^G^J:<U+003A>error"), "\(answer)")
    for text in ["\(answer)", answer.failureMessage, answer.text] {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
  }
}
