import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// The gate says what it did not look at, in every form.
@Suite struct GateTruthTests {
  let console = CapturedConsole()

  private func sample(_ name: String) -> String { PackageFiles.sample(name + ".fxt") }

  private func results(_ arguments: String...) throws -> [JSONNode] {
    _ = console.run(["check"] + arguments + ["--format", "json"])
    return try console.json()["verdict"]["results"].array
  }

  /// A run of a second, in which some frames are late.
  private func run(_ name: String = "feed", late: Set<Int> = []) throws -> String {
    try console.file(name + ".ndjson", CapturedConsole.drag(late: late))
  }

  /// Four runs, of which all but the first have a hitch.
  private func panels() throws -> [String] {
    try [run()] + (1...3).map { try run("panel-\($0)", late: [$0 * 10]) }
  }

  // MARK: - Baselines

  /// Four runs of a second with a frame in each refresh, in a folder: layout of 5 ms, then other work.
  private func folder(
    _ name: String, frames: Int = 60, popups: Int = 0, popup: Double = 1,
    layout: (name: String, length: Double) = ("layout", 5),
    bind: Double = 2, cpuRuns: Int = 4, scrolled: String? = "main",
    head: (_ run: Int) -> [String] = { _ in [] }
  ) throws -> String {
    for run in 0..<4 {
      var lines = [#"{"scrolltrace": "ndjson/1", "unit": "ms"}"#]
      let surface = scrolled.map { #", "surface": "\#($0)""# } ?? ""
      lines += [#"{"interaction": "drag", "begin": 0, "end": 1000\#(surface)}"#] + head(run)
      for frame in 0..<max(frames, popups) {
        let begin = Double(frame) * 16.666667
        let noise = Double((frame * 7 + run * 3) % 10) / 100
        let (work, end) = (layout.length + noise, begin + layout.length + noise + bind + 0.2)
        func line(_ number: Int, _ end: Double, _ surface: String) -> String {
          let next = begin + 16.666667
          return #"{"frame": \#(number), "begin": \#(begin), "commitStart": \#(begin), "#
            + #""commitEnd": \#(end), "interval": 16.666667, "deadline": \#(next), "#
            + #""target": \#(next), "presented": \#(next), "surface": "\#(surface)"}"#
        }
        if frame < popups { lines.append(line(1_000 + frame, begin + popup, "popup")) }
        guard frame < frames else { continue }
        lines.append(line(frame, end, "main"))
        lines.append(
          #"{"span": "\#(layout.name)", "category": "scrolltrace.phase", "begin": \#(begin), "#
            + #""duration": \#(work)}"#)
        lines.append(
          #"{"span": "bind", "category": "app.cell", "begin": \#(begin + work + 0.1), "#
            + #""duration": \#(bind)}"#)
        if run < cpuRuns {
          lines.append(#"{"threadTime": "main", "at": \#(begin), "cpu": 0}"#)
          lines.append(#"{"threadTime": "main", "at": \#(end), "cpu": \#(end - begin)}"#)
        }
      }
      _ = try console.file("\(name)/r\(run).ndjson", lines.joined(separator: "\n"))
    }
    return console.folder + "/" + name
  }

  private func baseline(of folder: String) throws -> String {
    let path = folder + ".json"
    try #require(console.run("baseline", folder, "-o", path) == .done, "\(console.errors)")
    return path
  }

  @Test func `a popup that is shown longer does not become the surface of the verdict`() throws {
    let base = try baseline(of: try folder("base", popups: 55))
    let slower = try folder("slower", frames: 57, popups: 59, bind: 5)
    #expect(console.run("check", slower, "--baseline", base) == .exceeded)
    #expect(console.output.contains("FAIL  app.cell/bind 2 → 5 ms"), "\(console.output)")
    let longer = try folder("longer", frames: 57, popups: 59)
    #expect(console.run("check", longer, "--baseline", base) == .done, "\(console.output)")
  }

  @Test func `a popup is compared by its commits, and one that went is a warning`() throws {
    let base = try baseline(of: try folder("base", popups: 55, scrolled: nil))
    let check = ["--baseline", base, "--width", "400"]
    let slower = try folder("slower", popups: 55, popup: 4, scrolled: nil)
    #expect(console.run(["check", slower] + check) == .exceeded)
    #expect(
      console.output.contains(
        "FAIL  surface popup: commit p95: 4 ms of wall time (baseline 1 ms) is worse"),
      "\(console.output)")
    let gone = "surface 'popup' is in the baseline, but in none of these runs"
    #expect(!console.output.contains(gone))
    #expect(console.run(["check", try folder("gone", scrolled: nil)] + check) == .done)
    #expect(console.output.components(separatedBy: "warning: " + gone).count == 2)
    // A rule says it itself.
    let rule = #"{"rules": [{"surface": "popup", "limits": {"hitches": 100}}]}"#
    let ruled = ["check", console.folder + "/gone", "--budget", rule]
    #expect(console.run(ruled + check) == .notEvaluated)
    #expect(!console.output.contains(gone))
  }

  @Test func `work under a new name is no growth, and the work that grew is named`() throws {
    let base = try baseline(of: try folder("base"))
    let renamed = try folder("renamed", layout: ("arrange", 5), bind: 4)
    #expect(console.run("check", renamed, "--baseline", base) == .exceeded)
    #expect(console.output.contains("FAIL  app.cell/bind 2 → 4 ms"), "\(console.output)")
    let both = try folder("both", layout: ("arrange", 8))
    #expect(console.run("check", both, "--baseline", base, "--width", "200") == .exceeded)
    #expect(console.output.contains("FAIL  phase/arrange (before: phase/layout) 5 → 8 ms"))
  }

  @Test func `what grew is named only if a metric is worse than in the baseline`() throws {
    let base = try baseline(of: try folder("base"))
    let slow = try folder("slow", bind: 5)
    let limit = #"{"limits": {"commitNs.p95": "1 ms"}}"#
    let check = ["--baseline", base, "--budget", limit, "--width", "400"]
    #expect(console.run(["check", slow] + check) == .exceeded)
    #expect(console.output.contains("FAIL  app.cell/bind 2 → 5 ms"), "\(console.output)")
    #expect(console.run(["check", slow + "/r0.ndjson"] + check) == .exceeded)
    #expect(console.output.contains("FAIL  commit p95: "), "\(console.output)")
  }

  @Test func `new work of another size than the work that went is not that work renamed`() throws {
    let other = try folder("other", layout: ("sort", 12))
    let base = try baseline(of: try folder("base"))
    #expect(console.run("check", other, "--baseline", base, "--width", "200") == .exceeded)
    #expect(console.output.contains("FAIL  phase/sort 0 → 12 ms per frame"), "\(console.output)")
    // 20 × 6 ms went, 27 × 6 ms came: about the same time per frame, but not in the same places.
    func between(_ name: String, _ count: Int, _ length: Double) -> [String] {
      (0..<count).map {
        #"{"span": "\#(name)", "category": "app.cell", "duration": \#(length), "#
          + #""begin": \#(Double($0) * 33.333334 + 10)}"#
      }
    }
    let decode = try folder("decode", cpuRuns: 0, head: { _ in between("decode", 20, 6) })
    let format = try folder("format", bind: 4, cpuRuns: 0, head: { _ in between("format", 27, 6) })
    #expect(console.run("compare", decode, "--with", format, "--width", "200") == .done)
    #expect(
      console.output.contains("app.cell/format is new: 27 × 6 ms"), "\(console.output)")
    #expect(!console.output.contains("(before: "))
  }

  @Test func `runs without CPU times are named where wall time is compared because of them`() throws
  {
    let base = try baseline(of: try folder("base"))
    let some = try folder("some", cpuRuns: 3)
    #expect(console.run("check", some, "--baseline", base, "--width", "400") == .done)
    #expect(console.output.contains("no CPU times in r3.ndjson, so the wall time of commits is"))
    #expect(console.run("check", try folder("all"), "--baseline", base, "--width", "400") == .done)
    #expect(!console.output.contains("no CPU times"))
    // Nothing is compared instead if only one of both is asked for.
    let budget = #"{"regression": {"commitNs.p95": {"relative": 0.1, "absolute": 1000000}}}"#
    #expect(console.run("check", some, "--baseline", base, "--budget", budget) == .done)
    #expect(!console.output.contains("no CPU times"))
  }

  @Test func `a median that is much worse in half of the runs is no certain pass`() throws {
    let base = try baseline(of: try folder("base"))
    let half = try folder("half")
    for run in 0..<2 {
      let slow = try folder("slow", layout: ("layout", 10))
      try FileManager.default.removeItem(atPath: "\(half)/r\(run).ndjson")
      try FileManager.default.moveItem(
        atPath: "\(slow)/r\(run).ndjson", toPath: "\(half)/r\(run).ndjson")
    }
    #expect(console.run("check", half, "--baseline", base, "--width", "400") == .done)
    #expect(console.output.contains("no certain regression"))
    #expect(console.output.contains("may be worse, but the runs differ too much to tell"))
  }

  @Test func `a run in which nothing moved hides no regression, and is in no baseline`() throws {
    let base = try baseline(of: try folder("base"))
    let slow = try folder("slow", bind: 5)
    #expect(console.run("check", slow, "--baseline", base) == .exceeded)
    let lines = try String(contentsOfFile: "\(slow)/r0.ndjson", encoding: .utf8)
      .split(separator: "\n").filter { !$0.contains("interaction") }
    _ = try console.file("slow/r0.ndjson", lines.joined(separator: "\n"))
    let reason =
      "r0.ndjson: no interaction in 1 of 4 runs, as if nothing had moved; record it again"
    #expect(console.run("check", slow, "--baseline", base, "--width", "400") == .notEvaluated)
    #expect(console.output.contains("NOT EVALUATED  " + reason), "\(console.output)")
    #expect(console.run("baseline", slow, "-o", console.folder + "/other.json") == .notEvaluated)
    #expect(console.errors.contains(reason), "\(console.errors)")
    #expect(console.run("check", slow) == .done)
  }

  @Test func `where only a cursor blinks, nothing moved, and no limit is met`() throws {
    func check(every step: Int) throws -> ScrollTraceCLI.ExitStatus {
      let lines = (0..<40).map { number in
        let begin = number * step
        return #"{"frame": \#(number), "begin": \#(begin), "commitEnd": \#(begin + 2), "#
          + #""deadline": \#(begin + 10), "target": \#(begin + 20), "#
          + #""presented": \#(begin + 20), "interval": 10}"#
      }
      let head = #"{"scrolltrace": "ndjson/1", "unit": "ms"}"#
      let run = try console.file("run.ndjson", ([head] + lines).joined(separator: "\n"))
      return console.run("check", run, "--width", "400")
    }
    #expect(try check(every: 370) == .notEvaluated)
    let reason = "run.ndjson: no interaction, as if nothing had moved; record it again"
    #expect(console.output.contains("NOT EVALUATED  " + reason), "\(console.output)")
    #expect(try check(every: 10) == .done, "\(console.output)")
  }

  @Test func `what the baseline lacks is none, not zero`() throws {
    let runs = try folder("base")
    let base = try baseline(of: runs)
    let rule =
      #"{"rules": [{"interaction": "drag", "regression": {"hitchTimeNs": "#
      + #"{"relative": 0.1, "absolute": 1}}}]}"#
    let check = ["check", runs, "--baseline", base, "--budget", rule]
    #expect(console.run(check + ["--width", "200"]) == .notEvaluated)
    #expect(console.output.contains("  baseline none  "), "\(console.output)")
    #expect(
      console.output.contains(
        "interaction drag: hitch time: the baseline has none; create it again with this budget"))
    let result = try #require(results(runs, "--baseline", base, "--budget", rule).last)
    #expect(result["limit"]["value"].isNull && result["value"].number == 0)
  }

  @Test func `runs of several devices are a warning, and not compared with one device`() throws {
    func device(_ name: String) -> String {
      #"{"state": "device", "value": "\#(name)", "at": 0}"#
    }
    let base = try baseline(of: try folder("base", head: { _ in [device("A")] }))
    let mixed = try folder("mixed", head: { [device($0 < 2 ? "A" : "B")] })
    #expect(console.run("check", mixed, "--width", "400") == .done)
    #expect(console.output.contains("runs of different kinds share a median, device A and B"))
    #expect(console.run("check", mixed, "--baseline", base) == .notEvaluated)
    #expect(console.errors.contains("the baseline has 'A', these traces have 'A and B'"))
  }

  @Test func `the runs of another refresh rate than the first are named`() throws {
    let mixed = try folder("mixed")
    let text = try console.content("mixed/r2.ndjson")
    _ = try console.file(
      "mixed/r2.ndjson",
      text.replacing(#""interval": 16.666667"#, with: #""interval": 8.333333"#))
    _ = console.run("check", mixed, "--width", "400")
    #expect(console.output.contains("60 Hz and 120 Hz (r2.ndjson); --group"), "\(console.output)")
  }

  @Test func `a baseline named on the command line must exist`() throws {
    let smooth = try run()
    let missing = console.folder + "/nope.json"
    let text = "not compared: no baseline at \(missing); create it with: scrolltrace"
    #expect(console.run("check", smooth, "--baseline", missing, "--width", "400") == .notEvaluated)
    #expect(console.output.contains("NOT EVALUATED  \(text)"))
    #expect(console.errors.contains("no baseline yet; create it with:"))
    for (format, form) in [
      ("github", "::error title=scrolltrace%3A NOT EVALUATED::\(text)"),
      ("markdown", "not compared"),
      ("html", text), ("junit", "<error type=\"no data\" message=\"\(text)"), ("json", text),
    ] {
      #expect(
        console.run("check", smooth, "--baseline", missing, "--format", format) == .notEvaluated)
      #expect(console.output.contains(form), "\(format): \(console.output.suffix(2_000))")
    }
    let slow = try run("slow", late: [20, 40])
    #expect(console.run("check", slow, "--baseline", missing) == .exceeded)
  }

  @Test func `a baseline named only in the budget is a warning until it is required`() throws {
    let path = console.folder + "/first.json"
    let config = #"{"thresholds": "scroll", "baseline": "\#(path)"}"#
    let smooth = try run()
    #expect(console.run("check", smooth, "--budget", config, "--width", "400") == .done)
    #expect(console.output.contains("warning: not compared: no baseline at \(path)"))
    #expect(console.run("check", smooth, "--budget", config, "--format", "github") == .done)
    #expect(console.output.hasPrefix("::warning title=scrolltrace%3A WARNING::not compared"))
    #expect(console.run("check", smooth, "--budget", config, "--format", "junit") == .done)
    #expect(console.output.contains("<property name=\"baseline\" value=\"not compared"))
    #expect(console.run("check", smooth, "--budget", config, "--require-baseline") == .notEvaluated)
    #expect(console.run("check", smooth) == .done)
    #expect(!console.output.contains("not compared"))
    let off = #"{"thresholds": "scroll", "regression": {}}"#
    #expect(console.run("check", smooth, "--budget", off) == .done)
    #expect(!console.output.contains("not compared"))
  }

  @Test func `too few runs for the baseline do not hide that the limits are met`() throws {
    let path = console.folder + "/base.json"
    let runs = try panels()
    #expect(console.run(["baseline", "-o", path] + runs) == .done, "\(console.errors)")
    #expect(
      console.run("check", runs[0], "--max-ratio", "5", "--baseline", path, "--width", "200")
        == .done)
    #expect(
      console.output.contains(
        "TOO FEW RUNS  1 of 1 limit met; not compared with the baseline: 1 new run, 4 in the"
          + " baseline; at least 4 per side are needed\n"), "\(console.output)")
  }

  @Test func `a baseline of runs that check does not evaluate is refused, and each run is named`()
    throws
  {
    let path = console.folder + "/base.json"
    let runs = ["damaged", "feed-smooth"].map(sample)
    #expect(console.run(["baseline", "-o", path] + runs) == .notEvaluated)
    #expect(
      console.errors.contains(
        "base.json: not written: 'check' cannot compare \(sample("damaged")): 8.0% of the"
          + " refreshes in motion are unknown; record it again, or leave it out\n"),
      "\(console.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
    // With a budget that tolerates the unknown part, `check` evaluates the run.
    let budget = #"{"maxUnknownShare": 0.5}"#
    #expect(console.run(["baseline", "-o", path, "--budget", budget] + runs) == .lossy)
    let other = #"{"regression": {}}"#
    #expect(console.run(["baseline", "-o", path, "--budget", other] + runs) == .lossy)
    #expect(console.errors.contains("warning: \(sample("damaged")): 8.0% of the refreshes"))
  }

  @Test func `runs without data say why as a baseline and beside one`() throws {
    let lines = (0..<60).map {
      #"{"frame": \#($0), "begin": \#($0 * 16), "commitEnd": \#($0 * 16 + 5)}"#
    }
    let head = #"{"scrolltrace": "ndjson/1", "unit": "ms"}"#
    let run = try console.file("run.ndjson", ([head] + lines).joined(separator: "\n"))
    let path = console.folder + "/base.json"
    #expect(console.run("baseline", run, "-o", path) == .notEvaluated)
    #expect(console.errors.contains("base.json: not written: "), "\(console.errors)")
    let reason = "the refresh interval is unknown, and no interaction is known; next: "
    #expect(console.errors.contains(reason), "\(console.errors)")
    let known = ["--refresh-rate", "60", "--always-moving"]
    #expect(console.run(["baseline", run, "-o", path] + known) == .done, "\(console.errors)")
    let check = ["check", run, "--baseline", path, "--width", "400"]
    #expect(console.run(check) == .notEvaluated)
    #expect(console.output.contains(": no data, no frame could be evaluated"))
    #expect(console.output.contains(reason), "\(console.output)")
    #expect(!console.output.contains("these traces have"), "\(console.output)")
  }

  @Test func `a baseline named on the command line must have the group`() throws {
    let path = console.folder + "/base.json"
    let runs = try panels()
    let groups = ["--group", "feed*", "--group", "panel*"]
    let limit = ["--max-ratio", "10000", "--width", "400"]
    #expect(console.run(["baseline", "-o", path] + groups + runs) == .done)
    let check = ["check"] + runs + limit
    #expect(console.run(check + ["--baseline", path]) == .notEvaluated)
    #expect(
      console.output.contains(
        "NOT EVALUATED  not compared: the baseline \(path) has no group like this one: it has feed*,"
          + " panel*; "), "\(console.output)")
    let renamed = ["--group", "feed*", "--group", "pan*"]
    #expect(console.run(check + renamed + ["--baseline", path]) == .notEvaluated)
    #expect(console.output.contains("has no group 'pan*': it has feed*, panel*; 'baseline' and "))
    // A project's first run of a group passes.
    let config = #"{"limits": {"hitches": 10000}, "baseline": "\#(path)"}"#
    #expect(console.run(check + ["--budget", config]) == .done)
    #expect(console.output.contains("warning: not compared"))
    #expect(console.run(["baseline", "-o", path] + runs) == .done)
    #expect(console.run(check + groups + ["--baseline", path]) == .notEvaluated)
    #expect(console.output.contains("has no group 'feed*', 'panel*': it was made without --group"))
  }

  @Test func `a baseline that cannot be used is reported with the next step`() throws {
    let runs = try folder("runs")
    let path = try baseline(of: runs)
    let good = try console.content("runs.json")
    func schema(_ number: Int) -> String { #""scrolltrace.baseline/\#(number)""# }
    let version = #""metrics": \#(Fingerprint.currentMetricsVersion)"#
    for (text, problem) in [
      ("\n", "is empty; create it again"),
      (String(good.dropLast(100)), "is not JSON: "),
      (good.replacing(schema(2), with: schema(3)), "baseline/3; update scrolltrace"),
      (good.replacing(schema(2), with: schema(1)), "baseline/2; create it again"),
      (good.replacing(version, with: #""metrics": 99"#), "; update scrolltrace"),
      (good.replacing(version, with: #""metrics": 1"#), "; make one for them with: "),
      (good.replacing(#""runs":"#, with: #""no":"#), "has no runs, or a group without any; create"),
    ] {
      let bad = try console.file("bad.json", text)
      #expect(console.run("check", runs, "--baseline", bad) == .notEvaluated)
      #expect(console.errors.contains(problem), "\(problem): \(console.errors)")
    }
    #expect(console.run("check", runs, "--baseline", path) == .done)
  }

  @Test func `a group's sentence names it once, and only beside others that pass`() throws {
    let runs = try folder("runs")
    for run in 0..<4 {
      let text = try console.content("runs/r\(run).ndjson")
      _ = try console.file("runs/s\(run).ndjson", text + "\n")
    }
    let groups = ["--group", "r*", "--group", "s*", "--width", "400"]
    let base = console.folder + "/groups.json"
    #expect(console.run(["baseline", runs, "-o", base] + groups.dropLast(2)) == .done)
    #expect(console.run(["check", runs, "--baseline", base] + groups) == .done)
    #expect(console.output.contains("r*: no regression; +"), "\(console.output)")
    #expect(!console.output.contains(" of r*: "))
    _ = try folder("slow", layout: ("layout", 9))
    for run in 0..<4 {
      _ = try console.file("runs/s\(run).ndjson", try console.content("slow/r\(run).ndjson"))
    }
    #expect(console.run(["check", runs, "--baseline", base] + groups) == .exceeded)
    #expect(console.output.contains("FAIL  s*: phase/layout 5 → 9"), "\(console.output)")
    #expect(!console.output.contains("r*: no regression"))
  }

  @Test func `what has to be detected needs a baseline`() throws {
    let arguments = ["check", try run(), "--detect", "50%", "--width", "400"]
    #expect(console.run(arguments) == .notEvaluated)
    #expect(console.output.contains("NOT EVALUATED  not compared: no baseline at "))
  }

  @Test func `too few runs are an error in every form if the check is strict`() throws {
    let path = console.folder + "/base.json"
    let runs = try panels()
    #expect(console.run(["baseline", "-o", path] + runs) == .done)
    for (format, form) in [
      ("text", "NOT EVALUATED  not compared with the baseline: 1 new run"),
      ("github", "::error title=scrolltrace%3A NOT EVALUATED"),
      ("junit", "<error type=\"no data\""),
    ] {
      #expect(
        console.run(
          "check", runs[0], "--baseline", path, "--strict", "--format", format, "--width", "200")
          == .notEvaluated)
      #expect(console.output.contains(form), "\(format): \(console.output)")
    }
  }

  @Test func `a baseline is of one device`() throws {
    let runs = try ["a", "b"].map { device in
      let state = #"{"state": "device", "value": "\#(device)", "at": 0}"# + "\n"
      return try console.file("\(device).ndjson", state + CapturedConsole.frames(60))
    }
    let path = console.folder + "/base.json"
    #expect(console.run(["baseline", "-o", path] + runs) == .notEvaluated)
    #expect(
      console.errors.contains("not written: the runs are of several devices, a, b; make one"),
      "\(console.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(console.run(["baseline", "-o", path, "--device", "any"] + runs) == .done)
  }

  // MARK: - What is left out

  @Test func `a trace that cannot be read is an error in every form`() throws {
    let (smooth, bad) = (try run(), try console.file("bad.fxt", "no trace"))
    let text = "\(bad): unrecognized format"
    for (format, form) in [
      ("text", "NOT EVALUATED  \(text)"), ("brief", text),
      ("github", "::error title=scrolltrace%3A NOT EVALUATED::\(text)"),
      ("junit", "<error type=\"no data\" message=\"\(text)"), ("markdown", "bad.fxt"),
      ("html", text), ("json", text),
    ] {
      for traces in [[smooth, bad], [bad]] {
        #expect(
          console.run(["check", "--format", format, "--width", "400"] + traces) == .notEvaluated)
        #expect(console.output.contains(form), "\(format): \(console.output.suffix(2_000))")
      }
    }
    let stray = ["check", smooth, "--group", "feed*", "--group", "other*"]
    #expect(console.run(stray + ["--format", "github"]) == .notEvaluated)
    #expect(console.output.contains("::--group other*: matches no remaining trace"))
  }

  @Test func `an option that selects nothing in the runs is reported once`() throws {
    let runs = try folder("runs")
    for (flag, text) in [
      ("--surface=popup", "r0.ndjson: has no surface 'popup'; known: 'main'"),
      ("--define=fling=50s..60s", "r0.ndjson: the interaction 'fling' begins past the end; "),
    ] {
      #expect(console.run("check", runs, flag, "--width", "400") == .notEvaluated)
      #expect(console.output.components(separatedBy: text).count == 2, "\(console.output)")
      #expect(console.output.contains("; likewise 3 more traces\n"))
      #expect(console.errors.split(separator: "\n").count == 1, "\(console.errors)")
    }
    #expect(console.run("check", runs, "--group=none*") == .notEvaluated)
    #expect(
      console.errors.contains(
        "r0.ndjson: matches no --group; add one, or leave the trace out; likewise 3 more traces\n"))
    #expect(console.errors.split(separator: "\n").count == 2, "\(console.errors)")
  }

  @Test func `without a trace, the report of an earlier check is replaced`() throws {
    let report = console.folder + "/scroll.md"
    #expect(console.run("check", try run(), "-o", report) == .done)
    #expect(try console.content("scroll.md").contains("PASS"))
    let empty = console.folder + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    #expect(console.run("check", empty, "-o", report) == .notEvaluated)
    let text = try console.content("scroll.md")
    #expect(text.contains("NOT EVALUATED") && text.contains("no traces found"), "\(text)")
    #expect(!text.contains("PASS"))
  }

  @Test func `traces that lost data are named with the option that accepts them`() throws {
    let cut = sample("damaged")
    let check = ["check", cut, "--width", "400"]
    let met = ["--max-deadline-misses", "1000"]
    #expect(console.run(check + met) == .lossy)
    #expect(
      console.output.contains("lost data: \(cut); status 0 needs --allow-loss"),
      "\(console.output)")
    // The option would not help.
    for (limit, status) in [("0", ExitStatus.exceeded), ("1000", .notEvaluated)] {
      #expect(console.run(check + ["--max-ratio", limit]) == status)
      #expect(console.output.contains("lost data: \(cut)"))
      #expect(!console.output.contains("--allow-loss"))
    }
    #expect(console.run(check + met + ["--allow-loss"]) == .done)
    #expect(console.output.contains("lost data: \(cut)"))
    #expect(!console.output.contains("--allow-loss"))
  }

  @Test func `a run without a frame in motion is neither a pass nor a baseline`() throws {
    let drag = #"{"interaction":"drag","begin":60000000,"end":64000000}"# + "\n"
    let run = try console.file("killed.ndjson", CapturedConsole.frames(3) + drag)
    #expect(console.run("check", run, "--width", "200") == .notEvaluated, "\(console.output)")
    #expect(console.output.contains("no frame was evaluated in 4.00 ms of interaction"))
    #expect(
      console.run("baseline", run, "-o", console.folder + "/b.json") == .notEvaluated)
    #expect(console.errors.contains("killed.ndjson: no frame in motion could be evaluated"))
    // A limit on the whole recording is not met either.
    #expect(console.run("check", run, "--max-longest-hitch", "1s") == .notEvaluated)
    #expect(console.run("analyze", run, "--format", "brief") == .done)
    #expect(console.output.hasPrefix("NOT MEASURABLE  no frame was evaluated in 4.00 ms"))
  }

  @Test func `the reason of runs without data is stated once, in every form`() throws {
    let run = try console.file("empty.ndjson", #"{"frame": 1, "begin": 0}"#)
    let limits = ["--max-ratio", "5", "--max-hitch-time", "1s", "--max-longest-hitch", "1s"]
    for format in ["text", "markdown", "github", "html"] {
      #expect(
        console.run(["check", run, "--format", format, "--width", "200"] + limits) == .notEvaluated)
      let reason = "hitch time ratio, hitch time, longest hitch: no data"
      let count = console.output.components(separatedBy: "no data, no frame").count - 1
      #expect(console.output.contains(reason), "\(console.output)")
      // Forms with a table of reasons have the verdict and the table.
      #expect(count == (["markdown", "html"].contains(format) ? 2 : 1), "\(format)")
    }
  }

  @Test func `a run of which too much is unknown is named once in a text`() throws {
    let limits = ["--max-hitch-time", "1s", "--max-longest-hitch", "1s", "--width", "200"]
    for format in ["text", "markdown", "github"] {
      #expect(
        console.run(["check", sample("damaged"), "--format", format] + limits) == .notEvaluated)
      let count = console.output.components(separatedBy: "fxt: 8.0").count - 1
      #expect(count == 1, "\(console.output)")
    }
  }

  // MARK: - Rules

  @Test func `a rule that matches no trace is reported, and the others decide`() throws {
    let (smooth, panel) = (try run(), try run("panel", late: [10]))
    let rule = #"{"traces": "Feed*", "limits": {"hitches": 3}}"#
    let shared = #"{"limits": {"hitches": 100}, "rules": [\#(rule)]}"#
    #expect(console.run("check", smooth, "--budget", shared, "--width", "200") == .done)
    #expect(console.output.contains("traces Feed*"))
    #expect(console.output.contains("warn: not evaluated"))
    #expect(console.output.contains("no trace matches 'Feed*'; there is feed.ndjson"))
    #expect(console.run("check", smooth, "--budget", #"{"rules": [\#(rule)]}"#) == .notEvaluated)
    #expect(console.output.contains("Limits\n"))
    // What fits nothing has no cause, and the others are kept.
    let slow = try run("slow", late: [20, 40])
    #expect(console.run("check", slow, "--budget", shared) == .done)
    #expect(!console.output.contains("Main cause"))
    // A rule that fits a trace of another group is no rule without one.
    let groups = ["--group", "feed*", "--group", "panel*", "--format", "json"]
    let small = shared.replacing("Feed", with: "feed")
    #expect(console.run(["check", smooth, panel, "--budget", small] + groups) == .done)
    #expect(!console.output.contains("no trace matches"))
    #expect(console.run(["check", smooth, panel, "--budget", shared] + groups) == .done)
    #expect(console.output.components(separatedBy: "\"subject\": \"traces Feed*\"").count == 2)
  }

  @Test func `a metric that no run has is reported with the existing ones`() throws {
    let config = #"{"rules": [{"interaction": "flying", "limits": {"hitches": 3}}]}"#
    #expect(
      console.run("check", sample("interactions"), "--budget", config, "--width", "200")
        == .notEvaluated)
    #expect(
      console.output.contains(
        "interaction flying: hitches: no run has this interaction; there are 'refresh', 'drag', "),
      "\(console.output)")
    let detail =
      #"{"interaction": "drag", "name": "detail", "begin": 4000, "end": 4010, "surface": "main"}"#
    let named = try folder("named", head: { _ in [detail] })
    #expect(console.run("check", named, "--budget", config, "--width", "200") == .notEvaluated)
    #expect(console.output.contains("; there are 'drag', 'detail'"), "\(console.output)")
    let other = config.replacing("interaction\": \"flying", with: "surface\": \"panel")
    #expect(console.run("check", named, "--budget", other, "--width", "200") == .notEvaluated)
    #expect(console.output.contains("no run has this surface; there is 'main'"))
  }

  @Test func `a budget without limits is not evaluated, in every format`() throws {
    let smooth = try run()
    for format in ["text", "json", "junit", "github", "markdown", "html"] {
      #expect(
        console.run("check", smooth, "--budget", #"{"limits": {}}"#, "--format", format)
          == .notEvaluated)
      #expect(
        console.output.contains("no limit of the budget applies to these traces; add one"),
        "\(format)")
    }
  }

  // MARK: - Runs

  @Test func `runs of different scenarios are reported with their range`() throws {
    let runs = ["feed-smooth", "fast-fling", "feed-commit-hitches"].map(sample)
    #expect(console.run(["check", "--width", "200", "--max-ratio", "1000"] + runs) == .done)
    #expect(console.output.contains("runs recorded a different scenario from"))
    #expect(console.output.contains("--group PATTERN"))
    #expect(console.output.contains("\n    range "))
    #expect(console.run(["check", "--width", "200"] + runs.prefix(1)) == .done)
    #expect(!console.output.contains("different scenario"))
    #expect(
      console.run(["baseline", "-o", console.folder + "/b.json"] + runs) == .done)
    #expect(console.errors.contains("runs recorded a different scenario from"))
  }

  @Test func `one file is one run under any path, and duplicates are reported`() throws {
    let path = console.folder + "/a.fxt"
    try FileManager.default.moveItem(atPath: try run(), toPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: console.folder + "/b.fxt", withDestinationPath: path)
    let base = console.folder + "/base.json"
    #expect(
      console.run("baseline", path, path, console.folder, "-o", base) == .done)
    #expect(console.output.contains("base.json: 1 run\n"))
    #expect(console.errors.contains("3 traces were ignored as already given: "))
    #expect(console.errors.contains("b.fxt, the same file as \(path)"))
    try FileManager.default.copyItem(atPath: path, toPath: console.folder + "/c.fxt")
    #expect(try !results(console.folder).isEmpty)
    #expect(console.output.contains("c.fxt, a copy of"))
    #expect(console.output.contains("\"runs\": 1"))
    #expect(!console.output.contains("\"runs\": 2"))
  }

  @Test func `the main cause is that of a failing group`() throws {
    let arguments = [
      "check", sample("feed-commit-hitches"), sample("panel-1-on-demand"), "--group", "panel*",
      "--group", "feed*", "--width", "200",
    ]
    let config =
      #"{"rules": [{"traces": "panel*", "limits": {"hitches": 1000}}, {"traces":"#
      + #" "feed*", "limits": {"hitches": 0}}]}"#
    #expect(console.run(arguments + ["--budget", config]) == .exceeded)
    let cause = console.output.split(separator: "\n").first { $0.hasPrefix("Main cause") }
    #expect(cause?.contains("feed-commit-hitches") == true, "\(console.output)")
  }

  // MARK: - What numbers mean

  @Test func `hitches outside of motion are reported separately from hitches in motion`() throws {
    let path = sample("feed-commit-hitches")
    let whole = ["check", path, "--define", "fling=1s..3s", "--width", "200", "--budget"]
    let misses = #"{"limits": {"deadlineMissesInMotion": 5, "deadlineMisses": 5}}"#
    #expect(console.run(["check", path, "--width", "200", "--budget", misses]) == .exceeded)
    #expect(
      console.output.contains("FAIL  deadline misses: 6 (5 in motion) exceeds the limit of 5"))
    let inMotion = #"{"limits": {"hitchesInMotion": 1000, "hitches": 0, "longestHitchNs": 1}}"#
    #expect(console.run(whole + [inMotion]) == .exceeded)
    let rows = console.output.split(separator: "\n").map(String.init)
    let row = try #require(rows.firstIndex { $0.hasPrefix("  hitches  ") })
    #expect(rows[row + 1].hasPrefix("    in motion "))
    #expect(console.run(["budget", "--budget", inMotion]) == .done)
    #expect(console.output.contains("hitchesInMotion"))
  }

  @Test func `tiny times are printed in nanoseconds`() throws {
    let config = #"{"limits": {"commitNs.p95": 12}}"#
    #expect(
      console.run("check", try run(), "--budget", config, "--width", "300")
        == .exceeded)
    #expect(console.output.contains("≤ 12 ns"))
    #expect(
      console.output.contains("exceeds the limit of 12 ns; a number without a unit is in nano"))
  }

  @Test func `the report states whether a budget was found`() throws {
    console.environment.workingDirectory = console.folder
    #expect(console.run("budget", "--check") == .done)
    #expect(
      console.output
        == "no .scrolltrace.json found from \(console.folder) upwards; the thresholds 'scroll'"
        + " apply\n")
    #expect(console.run("budget", "--check", "--max-ratio", "5") == .done)
    #expect(console.output.hasSuffix("; the limits of the command line apply\n"))
    let path = try console.file(".scrolltrace.json", #"{"thresholds": "scroll"}"#)
    #expect(console.run("check", try run(), "--width", "300") == .done)
    #expect(console.output.contains("note: the budget is that of \(path)"))
  }

  @Test func `missing data is reported with its reason and a remedy`() throws {
    let path = try console.trace("none.json")
    #expect(console.run("check", path, "--width", "300") == .notEvaluated, "\(console.errors)")
    #expect(
      console.output.contains(
        "none.json has no hitch time ratio: the trace contains no frames; next: "))
    for format in ["github", "markdown", "json"] {
      _ = console.run("check", path, "--format", format)
      #expect(console.output.contains("the trace contains no frames; next"), "\(format)")
    }
  }
}
