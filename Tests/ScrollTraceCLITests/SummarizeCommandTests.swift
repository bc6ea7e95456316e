import Foundation
import ScrollTraceKit
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace summarize` and `scrolltrace merge`.
struct SummarizeCommandTests {
  let console = CapturedConsole()

  static let samples = PackageFiles.url("SampleTraces").path

  static func path(_ sample: String) -> String { "\(samples)/\(sample).fxt" }

  /// Samples that are summarized by several threads.
  private static let some = [
    "damaged", "feed-smooth", "interactions", "killed-mid-scroll", "rate-change",
  ]

  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  /// What `summarize` prints of the sample traces, and of some of them alone.
  private static let everySample = CapturedConsole().summarize(
    samples, "--jobs", "1", "--allow-loss")
  private static let hitches = CapturedConsole().summarize(path("feed-commit-hitches"))
  private static let smooth = CapturedConsole().summarize(path("feed-smooth"))

  /// Returns `lines` with an attribute.
  private static func lines(_ lines: String, ofBuild build: String) -> String {
    lines.replacing(#""attributes":{}"#, with: #""attributes":{"build":"\#(build)"}"#)
  }

  /// Two runs of a second.
  private func runs() throws -> [String] {
    [
      try console.file("smooth.ndjson", CapturedConsole.drag()),
      try console.file("late.ndjson", CapturedConsole.drag(late: [20])),
    ]
  }

  // MARK: - summarize

  @Test func `a line contains the figures of the report`() throws {
    let path = Self.path("feed-commit-hitches")
    #expect(console.run("summarize", path, "--attribute", "build=1.2.3") == .done)
    let line = try console.json()
    line.expect([
      "schema": "scrolltrace.summary/2", "attributes.build": "1.2.3", "scopes.0.scope": "all",
      "scopes.0.over10": 1,
    ])
    let all = line["scopes"][0]
    let analysis = TraceAnalyzer().analyze(try TraceFile.open(path))
    let surface = try #require(analysis.primarySurface)
    let hitchTime = (surface.hitchTime?.nanoseconds).map { Int($0) }
    #expect(all["motionNs"].integer == Int(surface.measuredTime.duration.nanoseconds))
    #expect(all["hitchTimeNs"].integer == hitchTime)
    #expect(all["frames"].integer == surface.countsInMotion.total)
    #expect(all["hitches"].integer == surface.countsInMotion.hitches)
    func sum(_ histogram: String) -> Int {
      all["histograms"][histogram]["counts"].array.compactMap(\.integer).reduce(0, +)
    }
    #expect(sum("hitchNs") == surface.countsInMotion.hitches)
    #expect(sum("commitNs") == surface.countsInMotion.total)
    #expect(line["causes"].array.compactMap(\.["hitchTimeNs"].integer).reduce(0, +) == hitchTime)
  }

  @Test func `keys have a fixed order`() throws {
    let lines = Self.hitches
    var place = lines.startIndex
    for key in [
      "schema", "id", "session", "content", "startWallNs", "recorder", "tool", "attributes",
      "quality", "traces", "unreadable", "lossy", "uncertain", "untrusted", "weight", "surface",
      "basis", "refreshIntervalNs", "scopes", "scope", "motionNs", "hitchTimeNs", "longestHitchNs",
      "longestHitchSession", "frames", "evaluated", "deadlineMisses", "hitches", "ledgerNs", "owed",
      "new", "repeated",
      "notRequested", "settled", "unknown", "blankNs", "mainRunningNs", "mainWaitingNs",
      "mainReadyNs", "backgroundRunningNs", "over5", "over10", "hitchTimeSquaresNs2",
      "motionSquaresNs2", "hitchTimeByMotionNs2", "histograms", "hitchNs", "buckets",
      "counts", "commitNs", "overrunNs", "slackNs", "frameSpacingNs", "causes", "category", "name",
      "otherCausesNs",
    ] {
      let found = lines.range(of: "\"\(key)\":", range: place..<lines.endIndex)
      #expect(found != nil, "\(key)")
      place = found?.upperBound ?? place
    }
  }

  @Test func `every sample gives lines that are read back, in any number of threads`() throws {
    let all = Self.lines(Self.everySample)
    for line in all { #expect(try TraceSummary(line: line).lines == [line]) }
    #expect(all.count > 60)
    let some = ["summarize", "--allow-loss"] + Self.some.map(Self.path)
    #expect(console.run(some + ["--jobs", "1"]) == .done)
    let alone = console.output
    #expect(console.run(some + ["--jobs", "4"]) == .done)
    #expect(console.output == alone)
  }

  @Test func `an option that selects nothing in the traces is reported once`() throws {
    #expect(try console.run(["summarize", "--surface=popup"] + runs()) == .notEvaluated)
    #expect(console.output.isEmpty)
    #expect(console.errors.split(separator: "\n").count == 1, "\(console.errors)")
    #expect(console.errors.contains("has no surface 'popup'"))
    #expect(console.errors.hasSuffix("; likewise 1 more trace\n"))
  }

  @Test func `lines of the first schema count refreshes, and are read as time`() throws {
    let line = Self.lines(Self.hitches)[0]
    let former = line.replacing("summary/2", with: "summary/1").replacing(
      /"ledgerNs":(\{[^}]*\}|null)/,
      with: #""refreshes":{"owed":188,"new":180,"repeated":8,"notRequested":0,"settled":0,"#
        + #""unknown":0}"#)
    let read = try TraceSummary(line: former)
    let text = try #require(read.lines.first)
    #expect(text.contains(#""schema":"scrolltrace.summary/2""#))
    #expect(text.contains(#""ledgerNs":{"owed":3133333396,"new":3000000060,"repeated":133333336,"#))
    let unknown = former.replacing(
      /"refreshIntervalNs":\d+/, with: #""refreshIntervalNs":null"#)
    #expect(try TraceSummary(line: unknown).lines.first?.contains(#""ledgerNs":null"#) == true)
  }

  @Test func `lines without squares have those of their one trace`() throws {
    let line = Self.lines(Self.hitches)[0]
    let bare = line.replacing(
      /,"(hitchTimeSquares|motionSquares|hitchTimeByMotion)Ns2":\d+/, with: ""
    )
    .replacing(/"longestHitchSession":("[^"]*"|null),/, with: "")
    #expect(bare != line)
    #expect(try TraceSummary(line: bare).lines == [line])
    let two = bare.replacing("\"traces\":1", with: "\"traces\":2").replacing(
      "\"weight\":1", with: "\"weight\":2")
    let read = try TraceSummary(line: two).lines.first
    #expect(read?.contains("\"motionSquaresNs2\":null") == true)
  }

  @Test func `a line has no session if the app asks for none`() throws {
    _ = console.run("summarize", Self.path("feed-commit-hitches"), "--no-session")
    #expect(console.output.contains("\"id\":{\"session\":null,"))
    #expect(console.output.contains("\"startWallNs\":null"))
    #expect(!console.output.contains(/"longestHitchSession":"/))
  }

  @Test func `values of attributes with few traces are merged as other`() throws {
    var lines = ""
    for (build, count) in [("1.1", 3), ("1.2", 1), ("1.3", 1)] {
      for _ in 0..<count { lines += Self.lines(Self.hitches, ofBuild: build) }
    }
    let path = try console.file("lines.ndjson", lines)
    _ = console.run("merge", path, "--by", "attribute:build", "--at-least", "2")
    let merged = Self.lines(console.output)
    #expect(merged.count == 2)
    #expect(merged.first?.contains("\"attributes\":{\"build\":\"1.1\"}") == true)
    #expect(merged.last?.contains("\"attributes\":{\"build\":\"other\"}") == true)
    #expect(merged.last?.contains("\"traces\":2") == true)
  }

  @Test func `a bad file in the middle is one line and changes nothing else`() throws {
    let good = try runs()
    let expected = Self.lines(console.summarize(good[0], good[1]))
    let foreign = try console.file("note.txt", "not a trace")
    let empty = try console.file("empty.fxt", "")
    let mixed = [good[0], foreign, empty, console.folder + "/missing.fxt", good[1]]
    #expect(console.run(["summarize"] + mixed) == .notEvaluated)
    #expect(Self.lines(console.output) == expected)
    #expect(Self.lines(console.errors).count == 3)
    #expect(console.run(["summarize", "--keep-going"] + mixed) == .done)
    let lines = Self.lines(console.output)
    #expect(console.errors.isEmpty)
    #expect(lines.count == 5 && [lines[0], lines[4]] == expected)
    #expect(lines[2].contains("\"unreadable\":1") && lines[2].contains("empty.fxt: is empty"))
  }

  @Test func `a trace whose times are not trusted is counted and nothing else of it`() throws {
    _ = console.run("summarize", Self.path("damaged"), "--allow-loss")
    try console.json().expect([
      "quality.untrusted": 1, "quality.traces": 1, "quality.lossy": 1, "scopes.count": 0,
    ])
  }

  @Test func `paths come from files, ended by lines or zero bytes`() throws {
    let paths = try runs()
    _ = console.run(["summarize"] + paths)
    let expected = console.output
    let lines = try console.file("paths", paths.joined(separator: "\n"))
    #expect(console.run("summarize", "--files-from", lines) == .done)
    #expect(console.output == expected)
    let zeros = try console.file("paths0", paths.joined(separator: "\0") + "\0")
    #expect(console.run("summarize", "--files0-from", zeros) == .done)
    #expect(console.output == expected)
    #expect(console.run("summarize", "--files-from", console.folder + "/none") == .notEvaluated)
    #expect(console.run("summarize") == .usage)
  }

  @Test func `a directory stands for all traces below it, without reports and lines`() throws {
    _ = try console.file("runs/a/b/x.fxt", PackageFiles.bytes(of: "feed-smooth.fxt"))
    try FileManager.default.createSymbolicLink(
      atPath: console.folder + "/runs/a/b/loop", withDestinationPath: console.folder + "/runs")
    let line = console.summarize(console.folder + "/runs")
    #expect(Self.lines(line).count == 1)
    _ = try console.file("runs/lines.ndjson", line)
    #expect(console.run("summarize", console.folder + "/runs") == .done)
    #expect(console.output == line)
  }

  @Test func `a weight multiplies sums and not the longest hitch`() throws {
    let path = Self.path("feed-commit-hitches")
    let one = try TraceSummary(line: Self.lines(Self.hitches)[0])
    let many = try TraceSummary(line: Self.lines(console.summarize(path, "--weight", "100"))[0])
    let (key, row) = try #require(one.rows.first)
    let scope = try #require(row.scopes["all"])
    let other = try #require(many.rows[key]?.scopes["all"])
    #expect(other[.hitchTime].known == scope[.hitchTime].known.map { $0 * 100 })
    #expect(other[.over10].known == 100 && other[.longestHitch] == scope[.longestHitch])
    #expect(other[.hitch].total == scope[.hitch].total * 100)
    #expect(many.rows[key]?[.weight] == 100 && many.rows[key]?[.traces] == 1)
  }

  @Test func `attributes have limits`() throws {
    let path = Self.path("feed-smooth")
    for text in ["build", "=1", "build=" + String(repeating: "x", count: 65)] {
      #expect(console.run("summarize", path, "--attribute", text) == .usage)
    }
    let many = (0..<17).flatMap { ["--attribute", "a\($0)=1"] }
    #expect(console.run(["summarize", path] + many) == .usage)
    #expect(console.run("summarize", path, "--attribute", "build=\"\u{1B}[31m\n") == .done)
    #expect(console.output.contains(#""build":"\"\u001b[31m\u000a""#))
  }

  @Test func `the device that a trace records is an attribute, unless one is given`() throws {
    let frame = #"{"frame":1,"begin":0,"presented":16666667,"interval":16666667}"#
    let states = ["A", "B"].enumerated().map {
      #"{"state":"device","value":"\#($1)","at":\#($0)}"#
    }
    let path = try console.file("run.ndjson", (states + [frame]).joined(separator: "\n"))
    #expect(console.run("summarize", path) == .done, "\(console.errors)")
    #expect(console.output.contains(#""attributes":{"device":"A"}"#), "\(console.output)")
    #expect(console.run("summarize", path, "--attribute", "device=pixel6a") == .done)
    #expect(console.output.contains(#""attributes":{"device":"pixel6a"}"#), "\(console.output)")
    #expect(Self.smooth.contains("\"attributes\":{}"))
  }

  // MARK: - merge

  @Test func `any partition of traces merges to the same bytes`() throws {
    let lines = Self.lines(Self.everySample)
    let whole = try console.file("whole", lines.joined(separator: "\n"))
    #expect(console.run("merge", whole) == .done)
    let expected = console.output
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3 {
      let shuffled = lines.shuffled(using: &random)
      let cut = Int.random(in: 1..<shuffled.count, using: &random)
      var parts: [String] = []
      for (name, part) in [("a", shuffled[..<cut]), ("b", shuffled[cut...])] {
        let path = try console.file(name, part.joined(separator: "\n"))
        #expect(console.run("merge", path) == .done)
        parts.append(try console.file(name + "-sum", console.output))
      }
      #expect(console.run("merge", parts[1], parts[0], try console.file("none", "")) == .done)
      #expect(console.output == expected)
    }
    let traces = try Self.lines(expected).reduce(0) { sum, line in
      sum + (try JSONNode(line)["quality"]["traces"].integer ?? 0)
    }
    #expect(traces == lines.count)
  }

  @Test func `attributes and states stay apart if named`() throws {
    let interactions = console.summarize(Self.path("interactions"))
    let lines = ["1", "2", "2"].map { Self.lines(interactions, ofBuild: $0) }
    let path = try console.file("lines", lines.joined())
    #expect(console.run("merge", path) == .done)
    #expect(Self.lines(console.output).count == 1)
    #expect(console.output.contains("\"attributes\":{}"))
    #expect(console.run("merge", path, "--by", "attribute:build,interaction") == .done)
    #expect(Self.lines(console.output).count == 2)
    #expect(console.output.contains("\"traces\":2") && console.output.contains("interaction:drag"))
    #expect(!console.output.contains("state:"))
    #expect(console.run("merge", path, "--by", "screen") == .usage)
  }

  @Test func `one trace counts once if asked`() throws {
    let line = Self.smooth
    let other = Self.lines(line, ofBuild: "2")
    let path = try console.file("lines", line + line + other)
    #expect(console.run("merge", path) == .done)
    #expect(console.output.contains("\"traces\":3"))
    #expect(console.run("merge", path, "--dedupe") == .done)
    #expect(console.output.contains("\"traces\":1"))
    #expect(console.errors.contains("2 lines omitted, because counted before"))
    #expect(console.errors.contains("1 of them differ"))
  }

  @Test func `an unknown value is null, and its traces are counted once others know it`() throws {
    let line = Self.smooth
    let unknown = line.replacing(#/"mainRunningNs":\d+/#, with: "\"mainRunningNs\":null")
    #expect(unknown != line)
    let path = try console.file("lines", unknown + line + unknown)
    #expect(console.run("merge", path) == .done)
    #expect(console.output.contains(#""mainRunningNs":2"#))
    let partial = console.output.contains(#""partial":{"mainRunningNs":2"#)
    #expect(partial || console.output.contains(#","mainRunningNs":2"#))
  }

  @Test func `a line that cannot be added gets one clear answer, and the others are added`()
    async throws
  {
    let line = Self.lines(Self.hitches)[0]
    let cases: [(String, String)] = [
      (line.replacing("summary/2", with: "summary/3"), "update scrolltrace"),
      (line.replacing("scrolltrace.summary/2", with: "x"), "is not a summary"),
      (line.replacing("\"hitches\":5", with: "\"hitches\":-5"), "'hitches' is negative"),
      (line.replacing("\"hitches\":5", with: "\"hitches\":5.5"), "not a whole number"),
      (
        line.replacing(
          "\"commitNs\":{", with: "\"commitNs\":{\"subBucketBits\":5,"), "other buckets"
      ),
      (line.replacing(#/"buckets":\[\d+/#, with: "\"buckets\":[9999"), "impossible histogram"),
      (line.replacing("\"traces\":1", with: "\"traces\":0"), "no traces"),
      (
        line.replacing("\"traces\":1", with: "\"traces\":\(String(repeating: "9", count: 40))"),
        "too large"
      ),
      (line.replacing("\"causes\":[", with: "\"causes\":{"), "JSON"),
      (String(line.dropLast(9)), "is not a line of JSON"),
      ("[]", "is not an object"), ("{}", "is not a summary"),
      (line.replacing("\"surface\":", with: "\"surface\":3,\"surface\":"), "twice"),
      (line.replacing("\"attributes\":{}", with: #""attributes":{"":"x"}"#), "has an attribute"),
      (line.replacing("\"attributes\":{}", with: #""attributes":{"a":5}"#), "has an attribute"),
      (
        line.replacing("\"attributes\":{}", with: #""attributes":{"a":"1","\u0061":"2"}"#), "twice"
      ),
      (
        line.replacing(
          "\"attributes\":{}",
          with: "\"attributes\":{\"\(String(repeating: "a", count: 65))\":\"x\"}"),
        "has an attribute"
      ),
    ]
    for (bad, answer) in cases {
      #expect(bad != line)
      let path = try console.file("lines", "\(line)\n\(bad)\n\(line)\n")
      #expect(console.run("merge", path) == .notEvaluated)
      #expect(console.output.contains("\"traces\":2"))
      #expect(Self.lines(console.errors).count == 1)
      #expect(console.errors.contains("lines:2: ") && console.errors.contains(answer), "\(answer)")
    }
  }

  @Test func `lines that are none are no result`() throws {
    let path = try console.file("empty.ndjson", "\n")
    #expect(console.run("merge", path) == .notEvaluated)
    #expect(console.errors.contains("empty.ndjson: no summary lines"))
  }

  @Test func `after a few lines that cannot be read, the others are counted`() throws {
    let line = Self.smooth
    let bad = String(repeating: "no JSON\n", count: 40)
    let path = try console.file("lines", line + bad + line)
    #expect(console.run("merge", path) == .notEvaluated)
    #expect(console.output.contains("\"traces\":2"))
    let errors = Self.lines(console.errors)
    #expect(errors.count == 4)
    #expect(errors[2].contains("lines:4: is not a line of JSON"))
    #expect(errors.last == "scrolltrace: error: \(path): 37 more lines cannot be read")
  }

  @Test func `hostile names pass through whole`() throws {
    let name = #"a\"},{\u0000\ud83d\ude00\u2028=:"#
    let line = Self.hitches.replacing("\"surface\":\"display\"", with: "\"surface\":\"\(name)\"")
    let path = try console.file("lines", line)
    #expect(console.run("merge", path) == .done)
    try console.json().expect(["surface": "a\"},{\0😀\u{2028}=:"])
  }

  @Test func `hostile names of attributes pass through whole`() throws {
    let name = #"a\"},{\u0000\ud83d\ude00\u2028=:,"#
    let line = Self.hitches.replacing(
      "\"attributes\":{}", with: "\"attributes\":{\"\(name)\":\"\(name)\"}")
    let summary = try TraceSummary(line: Self.lines(line)[0])
    #expect(summary.lines.map { try? TraceSummary(line: $0) } == [summary])
    let attributes = try JSONNode(summary.lines[0])["attributes"].value as? [String: String]
    let text = "a\"},{\0😀\u{2028}=:,"
    #expect(attributes == [text: text])
  }
}
