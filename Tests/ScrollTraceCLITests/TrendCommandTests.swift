import ScrollTraceTestSupport
import Foundation
import ScrollTraceKit
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace trend`.
struct TrendCommandTests {
  let console = CapturedConsole()

  /// The sums of a trace without hitches, and of one with some.
  private static let samples = Result {
    try ["feed-smooth", "interactions"].map { sample in
      let lines = CapturedConsole().summarize(SummarizeCommandTests.path(sample))
      return try TraceSummary(line: SummarizeCommandTests.lines(lines)[0])
    }
  }

  /// Lines of 14 builds; from 1.8 on, their traces hitch.
  private static func lines(
    _ console: CapturedConsole, builds: Int = 14, changedAt change: Int = 8
  ) throws -> String {
    let samples = try Self.samples.get()
    // Not in order: the names decide.
    let lines = (0..<builds).reversed().flatMap { build in
      samples[build < change ? 0 : 1].mapKeys { key in
        var key = key
        _ = key.attributes.set("build", to: "1.\(build)")
        return key
      }.lines
    }
    return try console.file("lines.ndjson", lines.joined(separator: "\n"))
  }

  @Test func `builds are in numeric order, and the change is named`() throws {
    let path = try Self.lines(console)
    #expect(console.run("trend", path) == .done)
    let text = console.output
    #expect(text.contains("WORSE  since build 1.8: 0.00 → 27.97 ms/s (+27.97 ± 0.00)"))
    #expect(text.contains("1 change in 14 builds"))
    let nine = try #require(text.firstRange(of: "\n  1.9 "))
    let ten = try #require(text.firstRange(of: "\n  1.10 "))
    #expect(nine.lowerBound < ten.lowerBound)
    #expect(text.contains("▲ 0.00 → 27.97 ms/s"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    for format in ["markdown", "html"] {
      #expect(console.run("trend", path, "--format", format) == .done)
      #expect(console.output.contains("Benjamini"))
    }
  }

  @Test func `scripts learn of a worse build, and of too few builds, by the exit status`() throws {
    func status(_ builds: Int, changedAt change: Int, _ flags: String...) throws
      -> ScrollTraceCLI.ExitStatus
    {
      let path = try Self.lines(console, builds: builds, changedAt: change)
      return console.run(["trend", path] + flags)
    }
    #expect(try status(14, changedAt: 8, "--exit-code") == .exceeded)
    #expect(try status(14, changedAt: 8) == .done)
    #expect(try status(14, changedAt: 14, "--exit-code") == .done)
    #expect(try status(10, changedAt: 5, "--exit-code") == .notEvaluated)
    #expect(console.output.contains("TOO FEW"), "\(console.output)")
    #expect(try status(10, changedAt: 5) == .done)
  }

  @Test func `a selection that no line fits names those there are`() throws {
    let path = try Self.lines(console)
    for (arguments, problem) in [
      (
        ["trend", path, "--only", "build=nope"],
        "--only build=nope: no line has this value; there are 1.0, "
      ),
      (
        ["trend", path, "--split", "scren"],
        "--split scren: no line has this attribute; there are build"
      ),
      (
        ["merge", path, "--by", "attribute:bild"],
        "--by attribute:bild: no line has this attribute; there are build"
      ),
      (
        ["merge", path, "--by", "state:scren"],
        "--by state:scren: no line has this state; there are screen\n"
      ),
      (
        ["trend", path, "--split", "state:scren"],
        "--split state:scren: no line has this state; there are screen\n"
      ),
      (
        ["trend", path, "--only", "build=1.2", "--only", "refresh=120 Hz"],
        "--only refresh=120 Hz: no line has this value; there are 60 Hz"
      ),
    ] {
      #expect(console.run(arguments) == .notEvaluated)
      #expect(console.errors.contains(problem), "\(console.errors)")
      #expect(console.output.isEmpty)
    }
  }

  @Test func `of several values of one part, traces need one`() throws {
    let path = try Self.lines(console)
    func builds(_ flags: String...) -> Int {
      _ = console.run(["trend", path] + flags)
      return console.output.split(separator: "\n").count { $0.hasPrefix("  1.") }
    }
    #expect(builds("--only", "build=1.2", "--only", "build=1.3") == 2)
    #expect(builds("--only", "refresh=60") == 14)
    #expect(console.run("trend", path, "--only", "screen=Feed", "--only", "screen=List") == .usage)
    #expect(console.errors.contains("not by both"))
  }

  @Test func `equal lines count once, and that is said`() throws {
    let paths = try (0..<3).map { build in
      let sample = SummarizeCommandTests.path("feed-smooth")
      let line = console.summarize(sample, "--attribute", "build=1.\(build)")
      return try console.file("\(build).ndjson", build == 1 ? line + line : line)
    }
    #expect(console.run(["trend"] + paths) == .done)
    #expect(console.errors.contains("warning: 1 line omitted, because counted before"))
    #expect(console.run(["analyze"] + paths) == .done)
    #expect(console.errors.contains("warning: 1 line omitted, because counted before"))
  }

  @Test func `merged lines give the same trend`() throws {
    let path = try Self.lines(console)
    _ = console.run("merge", path, "--by", "attribute:build")
    let merged = try console.file("merged.ndjson", console.output)
    _ = console.run("trend", path)
    let expected = console.output
    _ = console.run("trend", merged)
    #expect(console.output == expected)
  }

  @Test
  func `where no line has a device, a change may be one of their mix, and that is said`() throws {
    let path = try Self.lines(console)
    #expect(console.run("trend", path) == .done)
    #expect(
      console.output.contains("no line has the attribute device: another mix of devices"),
      "\(console.output)")
    #expect(console.run("trend", path, "--split", "refresh") == .done)
    #expect(!console.output.contains("no line has"))
    let devices = try console.content("lines.ndjson").replacing(
      "\"attributes\":{", with: "\"attributes\":{\"device\":\"A\",")
    #expect(console.run("trend", try console.file("devices.ndjson", devices)) == .done)
    #expect(!console.output.contains("no line has"))
  }

  @Test func `every metric has a trend`() throws {
    let path = try Self.lines(console)
    for metric in ["hitchTimeRatioMsPerS", "over10Share", "hitchNs.p99", "commitNs.p99"] {
      #expect(console.run("trend", path, "--metric", metric) == .done)
      let words = console.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      // A percentile of hitches is no measure of how much of the time they take.
      let isOfHitches = metric == "hitchNs.p99"
      #expect(words.contains("of the hitches alone: more short ones lower it") == isOfHitches)
      #expect(!isOfHitches || !words.contains("BETTER") && !words.contains("WORSE"))
    }
  }

  @Test func `lines without the attribute get an answer`() throws {
    let path = try Self.lines(console)
    #expect(console.run("trend", path, "--by", "device") == .notEvaluated)
    #expect(console.errors.contains("summarize --attribute device=VALUE"))
    #expect(console.run("trend", try console.file("empty", "")) == .notEvaluated)
  }

  @Test func `names are in the order of their numbers`() {
    let names = [
      "", "1", "1.9", "1.9.1", "1.09.2", "1.10-beta", "1.10-rc.1", "1.10", "1.11a2", "1.11b1",
      "1.11rc1", "1.11", "2", "10", "a1", "a01b",
    ]
    for (index, name) in names.enumerated() {
      for (other, later) in names.enumerated() where name != later {
        #expect(Trend.precedes(name, later) == (index < other), "\(name) and \(later)")
      }
    }
  }
}
