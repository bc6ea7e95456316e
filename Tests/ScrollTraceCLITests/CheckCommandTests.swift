import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// The gate: exit statuses, budgets, groups.
@Suite struct CheckCommandTests {
  let console = CapturedConsole()

  /// A scenario without a picture right before its first drag: the drag's first frame would be a
  /// hitch, since the display is owed the next picture a refresh later (M-3).
  private static let smoothSeed = 1

  /// A recording of one second of the reference engine on virtual time.
  private func recording(_ name: String, seed: Int = 1, policy: String) throws -> String {
    let path = console.folder + "/" + name
    #expect(
      console.run(
        "demo", "--record", path, "--virtual-time", "--duration", "1s", "--seed", "\(seed)",
        "--policy", policy) == .done, "\(console.errors)")
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
    #expect(console.run("check", slow, "--max-ratio=1000", "--max-deadline-misses=0") == .exceeded)
    #expect(console.run("check", slow, "--max-ratio=1000", "--max-longest-hitch=1ms") == .exceeded)
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
      #expect(console.run("check", smooth, "--budget", config) == status, "\(config)")
    }
  }

  @Test func `an invalid name in a budget is reported with a suggestion`() throws {
    for (config, message) in [
      (#"{"limits": {"hitchTimeRatio": 5}}"#, "did you mean 'hitchTimeRatioMsPerS'?"),
      (#"{"limts": {}}"#, "unknown key 'limts' in the budget; did you mean 'limits'?"),
      (#"{"thresholds": "scrol"}"#, "did you mean 'scroll'?"),
      (#"{"limits": {"hitches": ["wrn", 1]}}"#, "did you mean 'warn'?"),
      (#"{"limits": {"hitches": "many"}}"#, "error: --budget: 'hitches' must be a number"),
      (#"{"limits": {"hitches": "3%"}}"#, "error: --budget: 'hitches' must be a number"),
      (#"{"limits": {"mainShare": 97}}"#, "--budget: the limit of 'mainShare' is a share, 0 to 1"),
      (#"{"limits": {"hitchTimeNs": "5 m"}}"#, "must be nanoseconds or \"500 ms\""),
      (#"{"limits": []}"#, "'limits' must be an object"),
      (
        #"{"limits": {"hitches": ["warn", -1]}}"#,
        "error: --budget: the limit of 'hitches' is negative; use 0 or more"
      ),
      (#"{"limits": {"hitchTimeNs": "-5 ms"}}"#, "'hitchTimeNs' must be nanoseconds or"),
      (#"{"rules": [{"state": "a"}]}"#, "must be KEY=VALUE"),
      (#"{"rules": [{"state": "a=b", "interaction": "drag"}]}"#, "not several"),
      (#"{"rules": [{"interaction": "a", "limits": {"commitNs.p95": 1}}]}"#, "only of surfaces"),
      (#"{"regression": {"hitches": {"relative": 0.1}}}"#, "needs 'relative'"),
      (#"{"schema": "scrolltrace.budget/9"}"#, "its schema is not scrolltrace.budget/2"),
      (#"{"baseline": 5}"#, "'baseline' must be a text"),
    ] {
      #expect(console.run("budget", "--check", "--budget", config) == .usage, "\(config)")
      #expect(console.errors.contains(message), "\(console.errors)")
    }
    // A commit can be limited to end before its deadline.
    let early = #"{"limits": {"overrunNs.p95": -2000000}}"#
    #expect(console.run("budget", "--check", "--budget", early) == .done, "\(console.errors)")
    for (config, message) in [
      (#"{"limits": {"#, "is not JSON"), (#"{"limits": {}, "limits": {}}"#, "'limits' twice"),
      (#"{} {}"#, "is not JSON"),
    ] {
      #expect(console.run("budget", "--check", "--budget", config) == .notEvaluated, "\(config)")
      #expect(console.errors.contains(message), "\(console.errors)")
    }
    for number in ["much", "0x40", "0x1p3", "inf", "nan", "-1", ""] {
      #expect(console.run("check", "a.fxt", "--max-ratio", number) == .usage, "\(number)")
    }
  }

  @Test func `a budget with a byte order mark is read`() throws {
    let smooth = try recording("smooth.fxt", seed: Self.smoothSeed, policy: "best")
    let budget = try console.file(
      "budget.json", "\u{FEFF}" + #"{"limits": {"commitNs.p95": 1}}"#)
    #expect(console.run("check", smooth, "--budget", budget) == .exceeded, "\(console.errors)")
  }

  /// Frames at 60 Hz in a drag, each with the times that `times` gives for its begin.
  private func lines(_ head: String = "", _ times: (Int) -> String) throws -> String {
    let frames = (0..<90).map { index in
      let begin = 1_000_000_000 + index * 16_666_667
      return "{\"frame\": \(index), \(times(begin))}\n"
    }
    return try console.file(
      "lines.ndjson",
      "{\"scrolltrace\": \"ndjson/1\", \"unit\": \"ns\"}\n\(head)"
        + "{\"interaction\": \"drag\", \"begin\": 1000000000, \"end\": 2500000000}\n"
        + frames.joined())
  }

  @Test func `times of another clock or unit are named and not judged`() throws {
    let r = "\"interval\": 16666667"
    let cases: [(head: String, times: (Int) -> String, text: String)] = [
      (
        "", { "\"begin\": \($0 + 249_000_000), \"commitEnd\": \($0 + 5_000_000), \(r)" },
        "90 of 90 frames committed 244 ms before they began"
      ),
      (
        "", { "\"begin\": \($0), \"commitEnd\": \($0 + 1), \"deadline\": \($0 / 1_000_000), \(r)" },
        "90 of 90 frames had a deadline 1749 ms before they began"
      ),
      (
        "", { "\"begin\": \($0), \"target\": 5, \"presented\": \($0 + 20_000_000), \(r)" },
        "90 of 90 frames had a target 1750 ms before they began"
      ),
      (
        "", { "\"begin\": \($0), \"presented\": \($0 + 20_000_000), \"interval\": 1000000000" },
        "the refresh interval of 90 of 90 frames is 1000 ms"
      ),
      (
        "", { "\"begin\": \($0), \"presented\": \($0 + 20_000_000), \"interval\": 16667" },
        "the refresh interval of 90 of 90 frames is 16 µs"
      ),
      (
        "{\"surface\": \"display\", \"tolerance\": 8333334}\n",
        { "\"begin\": \($0), \"presented\": \($0 + 20_000_000), \(r)" },
        "accurate to 8333 µs only"
      ),
      (
        "", { "\"begin\": \($0), \"presented\": \($0 + 1 << 58), \(r)" },
        "times lie 9 years apart"
      ),
    ]
    for (head, times, text) in cases {
      let path = try lines(head, times)
      #expect(console.run("check", path, "--max-deadline-misses", "1") == .notEvaluated, "\(text)")
      #expect(console.run("check", path, "--max-ratio", "5") == .notEvaluated, "\(text)")
      #expect(
        console.run("analyze", path, "--full", "--width", "1000") == .done, "\(console.errors)")
      #expect(
        console.output.contains("\"display\" is not measurable: ")
          && console.output.contains(text), "\(text): \(console.output)")
    }
    // One in ten is judged by the others.
    let few = try lines {
      let isWrong = $0 / 16_666_667 % 10 == 0
      return "\"begin\": \($0), \"deadline\": \($0 + (isWrong ? -1 : 8_000_000)), "
        + "\"commitEnd\": \($0 + 5_000_000), \(r)"
    }
    #expect(console.run("analyze", few) == .done)
    #expect(!console.output.contains("not measurable"))
  }

  @Test func `the nearest budget upwards is found, and a printed budget can be read again`() throws
  {
    let path = try console.file(
      ".scrolltrace.json",
      #"{"thresholds": "xcode-organizer", "limits": {"commitNs.p95": ["warn", "12 ms"]}, "rules": [{"traces":"#
        + #" "feed*", "interaction": "drag", "limits": {"hitches": 3}}]}"#)
    _ = try console.file("a/b/notes", "")
    console.environment.workingDirectory = console.folder + "/a/b"
    #expect(console.run("budget", "--check") == .done)
    #expect(console.output == "\(path) can be read\n")
    #expect(console.run("budget") == .done)
    let dumped = console.output
    #expect(dumped.contains(#""commitNs.p95": ["warn", 12000000]"#))
    let copy = try console.file("copy.json", dumped)
    #expect(console.run("budget", "--budget", copy) == .done)
    #expect(console.output == dumped)
  }

  @Test func `the guide's budget can be read and names every metric`() throws {
    let page = "Sources/ScrollTraceAnalysis/ScrollTraceAnalysis.docc/Gate.md"
    let text = try PackageFiles.text(page)
    let path = try console.file(
      "guide.json", try PackageFiles.blocks(of: "json", in: page)[0])
    #expect(console.run("budget", "--check", "--budget", path) == .done, "\(console.errors)")
    for metric in Metric.all { #expect(text.contains("`\(metric.name)`"), "\(metric.name)") }
  }

  @Test func `thresholds set the rating and the limits`() throws {
    let slow = try recording("slow.fxt", policy: "images=main")
    let flag = "--" + AnalysisFlags.thresholds.name
    #expect(console.run("check", slow, flag, "xcode-organizer", "--width", "200") == .exceeded)
    #expect(console.output.contains("the limit of 25 ms/s"), "\(console.output)")
    let config = #"{"thresholds": "xcode-organizer"}"#
    #expect(console.run("check", slow, "--budget", config, "--format", "json") == .exceeded)
    #expect(console.output.contains("\"xcode-organizer\""))
    #expect(console.output.contains("\"value\": 25"))
    // The limits of the command line hold for their metrics.
    #expect(console.run("check", slow, flag, "xcode-organizer", "--max-ratio", "1000") == .done)
  }

  @Test func `work can be limited, and a session without presented frames does not pass`() throws {
    let path = try recording("feed-1.fxt", policy: "images=main")
    func status(_ limits: String) -> ScrollTraceCLI.ExitStatus {
      console.run("check", path, "--budget", "{\"limits\": {\(limits)}}")
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
    #expect(!console.output.contains("prof*: 2 of"), "\(console.output)")
    #expect(
      console.run("check", slow, smooth, "--group", "feed*", "--group", "prof*", "--format", "json")
        == .exceeded)
    try console.json()["verdict"]["groups"].expect([
      "0.name": "feed*", "0.status": "failed", "1.name": "prof*", "1.status": "passed", "count": 2,
    ])
    #expect(console.run("check", slow, smooth, "--group", "prof*") == .notEvaluated)
    #expect(console.errors.contains("feed-1.fxt: matches no --group"))
    #expect(console.run("check", smooth, "--group", "prof*", "--group", "no*") == .notEvaluated)
    #expect(console.errors.contains("--group no*: matches no remaining trace"))
  }

  @Test func `the report is written before the check fails, in every format`() throws {
    let slow = try recording("slow.fxt", policy: "images=main")
    let path = console.folder + "/report.json"
    #expect(console.run("check", slow, "--format", "text,json", "-o", path) == .exceeded)
    // The two limits of scrolling, and a warning of blank time.
    try JSONNode(console.content("report.json"))["verdict"].expect([
      "status": "failed", "results.count": 3, "results.0.level": "warn",
      "results.1.level": "error", "results.2.level": "warn",
      "results.2.metric": "lists.blank.ratioMsPerS",
    ])
    #expect(console.output.contains("FAIL"))
  }

  /// A drag of 2 s with a smooth surface `display`, and a surface `popup` of `count` frames, of which
  /// every tenth comes `late` refreshes late.
  private static func popup(count: Int, late: Int) -> String {
    let refresh = 16_666_667
    func frame(_ number: Int, _ surface: String, _ index: Int, _ delay: Int) -> String {
      let begin = index * refresh
      return "{\"frame\": \(number), \"surface\": \"\(surface)\", \"begin\": \(begin),"
        + " \"commitEnd\": \(begin + 5_000_000), \"target\": \(begin + 2 * refresh),"
        + " \"presented\": \(begin + (2 + delay) * refresh), \"interval\": \(refresh)}"
    }
    let list = (0..<150).map { frame($0, "display", $0, 0) }
    let popup = (0..<count).map { frame(1_000 + $0, "popup", $0, $0 % 10 == 5 ? late : 0) }
    let head = [
      #"{"scrolltrace": "ndjson/1", "unit": "ns", "begin": 0, "end": 3000000000}"#,
      #"{"interaction": "drag", "begin": 0, "end": 2000000000}"#,
    ]
    return (head + list + popup).joined(separator: "\n")
  }

  @Test func `every surface on screen is checked under its own name`() throws {
    let bad = try console.file("bad.ndjson", Self.popup(count: 80, late: 1))
    #expect(console.run("check", bad, "--max-ratio", "5", "--width", "200") == .exceeded)
    #expect(console.output.contains("surface popup: hitch time ratio"))
    #expect(console.output.contains("Main cause in 'popup': "), "\(console.output)")
    #expect(console.output.contains("bad.ndjson --surface popup\n"))
    let smooth = try console.file("smooth.ndjson", Self.popup(count: 80, late: 0))
    #expect(console.run("check", smooth, "--max-ratio", "5") == .done)
  }

  @Test func `several recordings in one file are not judged as one`() throws {
    let text = Self.popup(count: 80, late: 0)
    let joined = try console.file("joined.ndjson", text + "\n" + text)
    #expect(console.run("check", joined, "--max-ratio", "5") == .notEvaluated)
    #expect(console.run("analyze", joined, "--width", "1000") == .done)
    #expect(console.output.contains("the file holds several recordings"))
    let rows = text.split(separator: "\n").dropFirst().joined(separator: "\n")
    let later = rows.replacing("\"begin\": 1", with: "\"begin\": 2")
    let headless = try console.file("headless.ndjson", text + "\n" + later)
    #expect(console.run("check", headless, "--max-ratio", "5") == .notEvaluated)
  }

  @Test func `lines of summaries are named, with the command that reads them`() throws {
    let trace = try console.file("smooth.ndjson", Self.popup(count: 80, late: 0))
    #expect(console.run("summarize", trace) == .done)
    let lines = try console.file("lines.ndjson", console.output)
    #expect(console.run("check", lines) == .notEvaluated)
    #expect(
      console.errors.hasSuffix(
        "lines.ndjson: is summary lines, not a trace; use 'scrolltrace trend'\n"))
  }

  @Test func `results are not cut in a report of 80 columns`() throws {
    let runs = try (0..<3).map {
      try console.file("\($0).ndjson", Self.popup(count: 80 + $0, late: $0 * 3))
    }
    let base = console.folder + "/base.json"
    #expect(console.run(["baseline", "-o", base] + runs) == .done)
    let limits = #"{"limits": {"mainCpuPerFrameNs": ["warn", "5 ms"]}}"#
    let check = ["check", "--budget", limits, "--baseline", base, "--strict", "--width", "80"]
    #expect(console.run(check + runs) == .notEvaluated)
    #expect(console.output.contains("  not evaluated\n"), "\(console.output)")
    #expect(console.output.contains("  warn: not evaluated\n"))
    #expect(!console.output.contains("…\n"))
  }

  @Test func `a popup of a few frames does not keep the list from being checked`() throws {
    let brief = try console.file("brief.ndjson", Self.popup(count: 5, late: 0))
    #expect(console.run("check", brief, "--max-ratio", "5") == .done)
  }

  @Test func `a rule for a surface replaces the limits of the others`() throws {
    let trace = try console.file("bad.ndjson", Self.popup(count: 150, late: 1))
    let config =
      #"{"limits": {"hitchTimeRatioMsPerS": 5}, "rules": [{"surface": "popup", "limits": "#
      + #"{"hitchTimeRatioMsPerS": 1000}}]}"#
    #expect(console.run("check", trace, "--budget", config) == .done)
  }

  @Test func `a baseline knows every surface on screen`() throws {
    let files = try (0..<4).map { index in
      let text = Self.popup(count: 80, late: 0) + String(repeating: "\n", count: index)
      return try console.file("\(index).ndjson", text)
    }
    let base = console.folder + "/base.json"
    #expect(console.run(["baseline", "-o", base] + files) == .done)
    #expect(try console.content("base.json").contains("surface popup"))
  }

  @Test func `a folder counts the files that it skips, and an ending in capitals is one`() throws {
    _ = try console.file("runs/a.NDJSON", Self.popup(count: 80, late: 0))
    _ = try console.file("runs/notes.md", "no trace")
    #expect(console.run("check", console.folder + "/runs", "--max-ratio", "5") == .done)
    #expect(console.errors.contains("skipped 1 file that is not named like a trace: notes.md"))
  }
}
