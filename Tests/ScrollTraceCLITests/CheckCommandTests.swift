import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// The gate: exit statuses, budgets, groups.
@Suite struct CheckCommandTests {
  let console: CapturedConsole

  init() throws {
    console = try CapturedConsole()
  }

  /// A scenario without a picture right before its first drag: the drag's first frame would be a
  /// hitch, since the display is owed the next picture a refresh later (M-3).
  private static let smoothSeed = 1

  /// A recording of one second of the reference engine on virtual time.
  private func recording(_ name: String, seed: Int = 1, policy: String) throws -> String {
    let path = console.folder + "/" + name
    #expect(
      console.run(
        "demo", "--record", path, "--virtual", "--seconds", "1", "--seed", "\(seed)", "--policy",
        policy) == .done, "\(console.errors)")
    return path
  }

  @Test func `limits on the command line decide the exit status`() throws {
    let slow = try recording("slow.fxt", policy: "images=main")
    #expect(console.run("check", slow) == .exceeded)
    #expect(console.output.contains("FAIL  hitch time ratio: "))
    #expect(console.output.contains("Main cause: "))
    #expect(console.output.contains("image/decode"))
    #expect(console.run("check", slow, "--max-ratio", "1000") == .done)
    #expect(console.output.contains("PASS  1 of 1 limit met"))
    #expect(console.run("check", slow, "--max-ratio=1000", "--max-misses=0") == .exceeded)
    #expect(console.run("check", slow, "--max-ratio=1000", "--max-longest=1ms") == .exceeded)
    #expect(console.run("check", slow, "--max-hitch-time", "1000s") == .done)
  }

  @Test func `a budget limits any metric by its name in the report`() throws {
    let smooth = try recording("smooth.fxt", seed: Self.smoothSeed, policy: "best")
    for (config, status) in [
      (#"{"limits": {"hitchTimeNs": "500 ms"}}"#, ExitStatus.done),
      (#"{"limits": {"commitNs.p95": 1}}"#, .exceeded),
      (#"{"limits": {"commitNs.p95": ["warn", 1]}}"#, .done),
      (#"{"limits": {"commitNs.p95": "off", "hitches": 0}}"#, .done),
      (#"{"limits": {"mainShare": "1 %"}}"#, .exceeded),
      (#"{"limits": {"picturesInMotion": 1}}"#, .done),
      (#"{"limits": {"commitNs.p95": [["warn", 1], ["error", "1 s"]]}}"#, .done),
      (#"{"rules": [{"interaction": "drag", "limits": {"hitches": 0}}]}"#, .done),
      (#"{"rules": [{"traces": "other*", "limits": {"commitNs.p95": 1}}]}"#, .notEvaluated),
      (#"{"rules": [{"traces": "smo*", "limits": {"commitNs.p95": 1}}]}"#, .exceeded),
      (#"{"rules": [{"state": "a=b", "limits": {"hitches": 1}}]}"#, .notEvaluated),
    ] {
      #expect(console.run("check", smooth, "--config", config) == status, "\(config)")
    }
  }

  @Test func `an invalid name in a budget is reported with a suggestion`() throws {
    for (config, message) in [
      (#"{"limits": {"hitchTimeRatio": 5}}"#, "did you mean 'hitchTimeRatioMsPerS'?"),
      (#"{"limts": {}}"#, "did you mean 'limits'?"),
      (#"{"thresholds": "scrol"}"#, "did you mean 'scroll'?"),
      (#"{"limits": {"hitches": ["wrn", 1]}}"#, "did you mean 'warn'?"),
      (#"{"limits": {"hitches": "many"}}"#, "must be a number"),
      (#"{"limits": {"hitchTimeNs": "5 m"}}"#, "must be a number of nanoseconds, or a time"),
      (#"{"limits": []}"#, "'limits' must be an object"),
      (#"{"rules": [{"state": "a"}]}"#, "must be KEY=VALUE"),
      (#"{"rules": [{"state": "a=b", "interaction": "drag"}]}"#, "not several"),
      (#"{"rules": [{"interaction": "a", "limits": {"commitNs.p95": 1}}]}"#, "only of surfaces"),
      (#"{"regression": {"hitches": {"relative": 0.1}}}"#, "needs 'relative'"),
      (#"{"schema": "scrolltrace.budget/9"}"#, "its schema is not scrolltrace.budget/2"),
      (#"{"baseline": 5}"#, "'baseline' must be a text"),
    ] {
      #expect(console.run("config", "check", "--config", config) == .usage, "\(config)")
      #expect(console.errors.contains(message), "\(console.errors)")
    }
    for (config, message) in [
      (#"{"limits": {"#, "is not JSON"), (#"{"limits": {}, "limits": {}}"#, "'limits' twice"),
      (#"{} {}"#, "is not JSON"),
    ] {
      #expect(console.run("config", "check", "--config", config) == .notEvaluated, "\(config)")
      #expect(console.errors.contains(message), "\(console.errors)")
    }
    #expect(console.run("config", "sho") == .usage)
    #expect(console.errors.contains("Did you mean 'show'?"))
    #expect(console.run("check", "a.fxt", "--max-ratio", "much") == .usage)
  }

  @Test func `the nearest budget upwards is found, and a printed budget can be read again`() throws
  {
    let path = try console.file(
      ".scrolltrace.json",
      #"{"thresholds": "organizer", "limits": {"commitNs.p95": ["warn", "12 ms"]}, "rules": [{"traces":"#
        + #" "feed*", "interaction": "drag", "limits": {"hitches": 3}}]}"#)
    let deep = console.folder + "/a/b"
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    console.environment.workingDirectory = deep
    #expect(console.run("config", "check") == .done)
    #expect(console.output == "\(path) can be read\n")
    #expect(console.run("config", "dump") == .done)
    let dumped = console.output
    #expect(dumped.contains(#""commitNs.p95": ["warn", 12000000]"#))
    let copy = try console.file("copy.json", dumped)
    #expect(console.run("config", "dump", "--config", copy) == .done)
    #expect(console.output == dumped)
  }

  @Test func `the guide's budget can be read and names every metric`() throws {
    let page = PackageFiles.url("Sources/ScrollTraceAnalysis/ScrollTraceAnalysis.docc/Gate.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let example = try #require(
      text.components(separatedBy: "```json\n").dropFirst().first?
        .components(separatedBy: "```").first)
    let path = try console.file("guide.json", example)
    #expect(console.run("config", "check", "--config", path) == .done, "\(console.errors)")
    for metric in Metric.all { #expect(text.contains("`\(metric.name)`"), "\(metric.name)") }
  }

  @Test func `the numbers of a benchmark can be limited but have no baseline`() throws {
    let sample = PackageFiles.url("SampleTraces/Foreign/feed-benchmarkData.json")
    func status(_ budget: String) -> ScrollTraceCLI.ExitStatus {
      console.run("check", sample.path, "--config", budget)
    }
    #expect(status(#"{"limits": {"source.frameOverrunMsP99": 6}}"#) == .done)
    #expect(status(#"{"limits": {"source.frameOverrunMsP99": 5.5}}"#) == .exceeded)
    #expect(console.output.contains("frameOverrunMsP99"))
    #expect(status(#"{"limits": {"source.frameOverrunMsP90": -5}}"#) == .done)
    #expect(status(#"{"limits": {"hitchTimeRatioMsPerS": 5}}"#) == .notEvaluated)
    #expect(status(#"{"limits": {"source.nothing": 5}}"#) == .notEvaluated)
    #expect(status(#"{"limits": {"source.frameOverrunMsP99": "5 %"}}"#) == .usage)
    #expect(
      status(#"{"regression": {"source.frameOverrunMsP99": {"relative": 0, "absolute": 1}}}"#)
        == .usage)
    let budget = #"{"limits": {"source.frameOverrunMsP99": 6}}"#
    #expect(console.run("config", "dump", "--config", budget) == .done)
    #expect(console.output.contains("source.frameOverrunMsP99"))
  }

  @Test func `thresholds set the rating and the limits`() throws {
    let slow = try recording("slow.fxt", policy: "images=main")
    let flag = "--" + AnalysisFlags.thresholds.name
    #expect(console.run("check", slow, flag, "organizer", "--width", "200") == .exceeded)
    #expect(console.output.contains("the limit of 25 ms/s"), "\(console.output)")
    let config = #"{"thresholds": "organizer"}"#
    #expect(console.run("check", slow, "--config", config, "--format", "json") == .exceeded)
    #expect(console.output.contains("\"organizer\""))
    #expect(console.output.contains("\"value\": 25"))
    // The limits of the command line hold for their metrics.
    #expect(console.run("check", slow, flag, "organizer", "--max-ratio", "1000") == .done)
  }

  @Test func `a budget and a baseline of the first schema are read with their former names`() throws
  {
    let smooth = try recording("smooth.fxt", seed: Self.smoothSeed, policy: "best")
    let former =
      #"{"schema": "scrolltrace.budget/1", "preset": "scroll", "limits": {"stuffed": 5, "mainWorkAreaNs": "10 s"}}"#
    #expect(console.run("check", smooth, "--config", former) == .done, "\(console.errors)")
    #expect(console.run("config", "dump", "--config", former) == .done)
    #expect(console.output.contains("scrolltrace.budget/2"))
    #expect(console.output.contains("\"mainBusyBetweenCommitsNs\": [\"error\", 10000000000]"))
    let baseline = try console.file(
      "old.json",
      #"{"schema": "scrolltrace.baseline/1", "fingerprint": {"refreshIntervalsNs": [16666667], "device": null, "configuration": null, "tool": "0.1.0"}, "groups": []}"#
    )
    #expect(console.run("check", smooth, "--baseline", baseline) == .notEvaluated)
    let version = Fingerprint.currentMetricsVersion
    #expect(
      console.errors.contains("metrics: the baseline has definitions 1, this tool has \(version)"))
  }

  @Test func `work can be limited, and a session without presented frames does not pass`() throws {
    let path = try recording("feed-1.fxt", policy: "images=main")
    func status(_ limits: String) -> ScrollTraceCLI.ExitStatus {
      console.run("check", path, "--config", "{\"limits\": {\(limits)}}")
    }
    #expect(status("\"lists.images.decodedInCommits.count\": 0") == .exceeded)
    #expect(console.output.contains("images decoded in commits"))
    #expect(
      status("\"lists.snapshots.reloaded\": 0, \"backgroundBusyDuringOverrunsNs\": \"1 s\"")
        == .done)
    #expect(status("\"presented\": 10") == .done)
    #expect(status("\"presented\": 100000") == .exceeded)
  }

  @Test func `each group has its own verdict, and nothing is omitted silently`() throws {
    let slow = try recording("feed-1.fxt", policy: "images=main")
    let smooth = try recording("profile-1.fxt", seed: Self.smoothSeed, policy: "best")
    #expect(
      console.run("check", slow, smooth, "--group", "feed*", "--group", "prof*") == .exceeded)
    #expect(console.output.contains("feed*: hitch time ratio: "))
    #expect(console.output.replacing("\n      ", with: " ").contains("prof*: 2 of 2 limits met"))
    #expect(
      console.run("check", slow, smooth, "--group", "feed*", "--group", "prof*", "--format", "json")
        == .exceeded)
    let report = try JSONSerialization.jsonObject(with: Data(console.output.utf8))
    let verdict = try #require((report as? [String: Any])?["verdict"] as? [String: Any])
    let groups = try #require(verdict["groups"] as? [[String: Any]])
    #expect(groups.map { $0["name"] as? String } == ["feed*", "prof*"])
    #expect(groups.map { $0["status"] as? String } == ["failed", "passed"])
    #expect(console.run("check", slow, smooth, "--group", "prof*") == .notEvaluated)
    #expect(console.errors.contains("feed-1.fxt: fits no --group"))
    #expect(console.run("check", smooth, "--group", "prof*", "--group", "no*") == .notEvaluated)
    #expect(console.errors.contains("--group no*: fits no trace"))
  }

  @Test func `the report is written before the check fails, in every format`() throws {
    let slow = try recording("slow.fxt", policy: "images=main")
    let path = console.folder + "/report.json"
    #expect(console.run("check", slow, "--format", "text,json", "-o", path) == .exceeded)
    let data = Data(try console.content("report.json").utf8)
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let verdict = try #require(report["verdict"] as? [String: Any])
    #expect(verdict["status"] as? String == "failed")
    // The two limits of scrolling, and a warning of blank time.
    let results = try #require(verdict["results"] as? [[String: Any]])
    #expect(results.map { $0["level"] as? String } == ["warn", "error", "warn"])
    #expect(results.last?["metric"] as? String == "lists.blank.ratioMsPerS")
    #expect(console.output.contains("FAIL"))
  }
}
