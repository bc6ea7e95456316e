import Foundation
import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct JSONRendererTests {
  private typealias Object = [String: Any]

  private func object(_ report: Report, includesSeries: Bool = false) throws -> [String: Any] {
    let text = JSONRenderer(includesSeries: includesSeries).render(report)
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
  }

  private func list(_ object: [String: Any], _ key: String) throws -> [[String: Any]] {
    try #require(object[key] as? [Object], "\(key)")
  }

  private func keys(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  @Test func `every promised key is present`() throws {
    let report = try object(Report([FeedTrace(isHurt: true).analysis()]))
    func expect(_ object: Object, _ promised: String) {
      #expect(keys(promised).subtracting(object.keys) == [])
    }
    expect(report, "schema tool thresholds runs comparison verdict")
    let run = try list(report, "runs")[0]
    expect(
      run,
      """
      input durationNs primarySurface surfaces work otherProcesses openSpans lists
      predictions findings notices
      """)
    let input = try #require(run["input"] as? Object)
    expect(input, "path format bytes complete losses selection")
    #expect(input["selection"] is NSNull)
    expect(try list(input, "losses")[0], "reason count offset")
    let surface = try list(run, "surfaces")[0]
    expect(
      surface,
      """
      name basis toleranceNs refreshIntervals frames ledgerNs hitchTimeNs
      hitchTimeOutsideInteractionsNs hitchTimeEstimated longestHitchNs stalls measuredTime
      hitchTimeRatioMsPerS rating ratingReason overrunNs commitNs headroomNs latenessHistogram
      hitchStreaks interactions states hitches
      """)
    let frames = """
      total evaluated notEvaluated deadlineMisses hitches refreshesMissed
      presented dropped lateWithoutHitch
      """
    expect(try #require(surface["frames"] as? Object), frames)
    expect(try #require(surface["overrunNs"] as? Object), "p50 p90 p95 p99 max")
    expect(try #require(surface["measuredTime"] as? Object), "kind durationNs")
    expect(try list(surface, "latenessHistogram")[0], "refreshesLate count")
    expect(try list(surface, "hitchStreaks")[0], "startNs frames steady frameSpacingNs")
    let interaction = try list(surface, "interactions")[0]
    expect(
      interaction,
      "kind name startNs endNs frames hitchTimeNs hitchTimeRatioMsPerS rating ratingReason work")
    expect(
      try #require(interaction["work"] as? Object),
      "mainBusyNs backgroundBusyNs mainShare parallelism")
    expect(
      try list(surface, "states")[0],
      """
      key value durationNs frames hitchTimeNs hitchTimeRatioMsPerS rating ratingReason ledgerNs
      """)
    let hitch = try list(surface, "hitches")[0]
    expect(
      hitch,
      """
      frame startNs deadlineNs targetNs presentedNs hitchNs overrunNs estimated refreshesMissed kind
      severity sourceLabel delayedByFrame causes waitingNs idleNs unrecordedNs estimatedNs
      """)
    expect(try list(hitch, "causes")[0], "category name item selfNs share")
    let work = try #require(run["work"] as? Object)
    expect(work, "window mainBusyNs backgroundBusyNs mainShare parallelism tracks")
    let track = try list(work, "tracks")[0]
    expect(track, "name process main busyNs utilization runningNs waitingNs idleNs byCategory")
    expect(try list(track, "byCategory")[0], "category selfNs waitingNs")
    expect(try list(run, "openSpans")[0], "track category name item startNs")
    expect(try #require(report["verdict"] as? Object), "status reasons results groups notes")
  }

  @Test func `a frame's JSON adds up, and its times start at the trace's start (M-16)`() throws {
    let run = Renders.analyses[0]
    let text = JSONRenderer(frame: 29).render(Report([run]))
    let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
    let frame = try #require(try list(report, "runs")[0]["frame"] as? Object)
    #expect(frame["status"] as? String == "hitch")
    #expect((frame["timestamps"] as? Object)?["startNs"] as? Int == 29 * 16_666_667)
    let window = try #require(frame["window"] as? Object)
    func number(_ key: String) throws -> Int { try #require(window[key] as? Int) }
    let causes = try list(window, "causes").compactMap { $0["selfNs"] as? Int }.reduce(0, +)
    #expect(
      try causes + number("waitingNs") + number("idleNs") + number("unrecordedNs")
        == number("endNs") - number("startNs"))
    let segments = try list(try #require(frame["main"] as? Object), "segments")
    #expect(segments.first?["startNs"] as? Int == 29 * 16_666_667)
  }

  @Test func `a hitch says how much of its causes may be another's, if the system counted (M-25)`()
    throws
  {
    func estimated(_ change: (inout FindingTrace) -> Void) throws -> Int? {
      var trace = FindingTrace(late: [20])
      trace.span("lock", 201, 5)
      change(&trace)
      let report = try object(Report([TraceAnalyzer().analyze(trace.trace())]))
      let surface = try list(try list(report, "runs")[0], "surfaces")[0]
      return try list(surface, "hitches")[0]["estimatedNs"] as? Int
    }
    #expect(try estimated { $0.count(200, 215, cpu: 12, ready: 0) } == 3_000_000)
    #expect(try estimated { $0.count(200, 215, cpu: 15, ready: 0) } == 0)
    #expect(try estimated { _ in } == nil)
  }

  @Test func `a missing frame is null in each format and never traps`() throws {
    let report = Report([Renders.analyses[0]])
    #expect(JSONRenderer(frame: 9_999).render(report).contains("\"frame\": null"))
    let focused = Report(report.runs, frame: 9_999)
    for text in [HTMLRenderer().render(focused), MarkdownRenderer().render(focused)] {
      #expect(text.contains("has no frame 9999 of"))
    }
  }

  /// A verdict of a limit and a regression.
  static let verdict = Verdict(
    .failed, reasons: ["it is over the limit"],
    results: [
      LimitResult(
        metric: "hitches", unit: "", value: 7, runs: 1, limit: .maximum(5), level: .error,
        status: .failed, reason: "it is over the limit"),
      LimitResult(
        metric: "commitNs.p95", unit: "ms", subject: "feed*", value: nil, runs: 0,
        limit: .baseline(8.5, relative: 0.1, absolute: 1), confidenceInterval: -1...2.5,
        level: .warn,
        status: .notEvaluated, reason: "it is not known"),
    ])

  @Test func `the results of limits are written with their numbers (M-21)`() throws {
    let report = try object(Report([], verdict: Self.verdict))
    let rows = try list(try #require(report["verdict"] as? Object), "results")
    #expect(rows.map { $0["metric"] as? String } == ["hitches", "commitNs.p95"])
    #expect(rows[0]["value"] as? Double == 7 && rows[0]["confidenceInterval"] is NSNull)
    let limit = try #require(rows[1]["limit"] as? Object)
    #expect(limit["kind"] as? String == "baseline" && limit["value"] as? Double == 8.5)
    #expect(rows[1]["value"] is NSNull)
    #expect((rows[1]["confidenceInterval"] as? Object)?["low"] as? Double == -1)
  }

  @Test func `differences are new minus base, and runs are identified by index`() throws {
    // The new side is longer and decodes elsewhere.
    let (base, new) = (FeedTrace(frames: 300), FeedTrace(frames: 500, slow: [:]))
    let report = try object(
      Report(Comparison(base: [base.analysis()], new: [new.analysis()])))
    let comparison = try #require(report["comparison"] as? Object)
    #expect((comparison["base"] as? Object)?["runs"] as? [Int] == [0])
    #expect((comparison["new"] as? Object)?["shownRun"] as? Int == 1)
    #expect(comparison["sameScenario"] as? Bool == true)
    let frames = try #require(comparison["frames"] as? Object)
    let misses = try #require(frames["deadlineMisses"] as? [String: Int])
    #expect(misses == ["base": 4, "new": 0, "difference": -4])
    let moved = try list(comparison, "movedWork")[0]
    #expect(moved["category"] as? String == "scrolltrace.image")
  }

  @Test func `times are whole nanoseconds from the trace's start`() throws {
    let report = try object(Report([Renders.analyses[0]]))
    let run = try list(report, "runs")[0]
    let surface = try list(run, "surfaces")[0]
    #expect(surface["hitchTimeNs"] as? Int == 266_666_672)
    #expect(surface["rating"] as? String == "critical")
    #expect(try list(surface, "interactions")[0]["startNs"] as? Int == 0)
    let hitch = try list(surface, "hitches")[0]
    #expect(hitch["frame"] as? Int == 29)
    #expect(hitch["startNs"] as? Int == 29 * 16_666_667)
    #expect((report["verdict"] as? Object)?["status"] as? String == "notEvaluated")
    #expect((report["verdict"] as? Object)?["reasons"] as? [String] == ["no limit was set"])
  }

  @Test func `without data every value that would be a claim is null (E-12, M-8)`() throws {
    let report = try object(Report([TraceAnalyzer().analyze(WorkedExamples.e12().trace())]))
    let run = try list(report, "runs")[0]
    let surface = try list(run, "surfaces")[0]
    for key in [
      "hitchTimeNs", "hitchTimeRatioMsPerS", "hitchTimeOutsideInteractionsNs", "overrunNs",
    ] {
      #expect(surface[key] is NSNull, "\(key)")
    }
    #expect(surface["rating"] as? String == "notMeasurable")
    #expect(surface["ratingReason"] as? String == "no frame could be evaluated")
    #expect((surface["frames"] as? Object)?["hitches"] is NSNull)
    #expect(try list(run, "notices").contains { $0["kind"] as? String == "noData" })
  }

  @Test func `the series is present if requested (M-12)`() throws {
    let report = Report([Renders.analyses[0]])
    let plain = try list(try list(try object(report), "runs")[0], "surfaces")[0]
    #expect(plain["mainWorkPerFrame"] is NSNull)
    let full = try list(
      try list(try object(report, includesSeries: true), "runs")[0], "surfaces")[0]
    let rows = try #require(full["mainWorkPerFrame"] as? [[Int]])
    #expect(rows.count == 600)
    #expect(rows[29][1] == 24_100_000)
  }

  @Test func `the same report gives the same bytes, in the promised order`() {
    let text = JSONRenderer().render(Report([Renders.analyses[0]]))
    let again = JSONRenderer().render(Report([FeedTrace().analysis()]))
    #expect(text == again)
    var rest = text[...]
    let order = [
      "schema", "tool", "thresholds", "runs", "input", "durationNs", "surfaces", "basis", "frames",
      "hitchTimeNs", "measuredTime", "overrunNs", "latenessHistogram", "interactions\": [",
      "states",
      "hitches\": [", "work\": {\n        \"window", "openSpans", "notices", "comparison",
      "verdict",
    ]
    for key in order {
      let found = rest.firstRange(of: "\"\(key)")
      #expect(found != nil, "\(key)")
      if let found { rest = rest[found.upperBound...] }
    }
  }

  @Test func `all numbers are valid JSON numbers`() throws {
    let values: [Double] = [
      0, -0.0, 1e-7, 1e22, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, .infinity, .nan,
    ]
    let text = JSONValue.array(values.map { .number($0) } + [.integer(.min), .unsigned(.max)]).text
    let parsed = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])
    #expect(parsed.count == values.count + 2)
    #expect(parsed[7] is NSNull && parsed[8] is NSNull)
    #expect((parsed[2] as? NSNumber)?.doubleValue == 1e-7)
    #expect((parsed[10] as? NSNumber)?.uint64Value == .max)
  }

  @Test func `an empty report is still a report`() throws {
    #expect(try object(Report([]))["schema"] as? String == "scrolltrace.report/2")
  }
}
