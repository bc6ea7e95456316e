import ScrollTraceTestSupport
import ScrollTraceKit
import Foundation
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace analyze` on lines of summaries.
struct FleetReportTests {
  let console = CapturedConsole()

  /// Lines of samples as three builds, one of which has another hitch.
  private static func lines(_ console: CapturedConsole) throws -> String {
    var lines = ""
    for (build, samples) in [
      ("1.0", ["feed-smooth", "interactions"]),
      ("1.1", ["panel-1-on-demand", "feed-commit-hitches"]),
      ("1\u{1B}[31m<b>", ["feed-smooth"]),
    ] {
      let paths = samples.map { SummarizeCommandTests.path($0) }
      _ = console.run(["summarize", "--attribute", "build=\(build)"] + paths)
      lines += console.output
    }
    return try console.file("lines.ndjson", lines)
  }

  @Test func `the report contains the sums and names the worst build first`() throws {
    let path = try Self.lines(console)
    #expect(console.run("analyze", path) == .done)
    let text = console.output
    #expect(text.contains("5 traces"))
    #expect(text.contains("traces       5"))
    #expect(text.contains("Hitches by refreshes late"))
    #expect(text.contains("By build, worst first"))
    #expect(text.contains("By state, worst first") && text.contains("By interaction, worst first"))
    #expect(text.contains("image/decode"))
    let worst = try #require(text.range(of: "\n  1.1 "))
    let better = try #require(text.range(of: "\n  1.0 "))
    #expect(worst.lowerBound < better.lowerBound)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `a trace with several surfaces counts once`() throws {
    let trace = try console.file(
      "two.ndjson",
      (0..<90).map { frame in
        let begin = frame * 16_666_667
        let times = "\"begin\":\(begin),\"presented\":\(begin + 16_666_667),\"interval\":16666667"
        return ["a", "b"].map { "{\"frame\":\(frame),\"surface\":\"\($0)\",\(times)}\n" }.joined()
      }.joined())
    #expect(console.run("summarize", trace) == .done, "\(console.errors)")
    let line = console.output
    #expect(SummarizeCommandTests.lines(line).count == 2)
    let path = try console.file("lines.ndjson", line)
    #expect(console.run("analyze", path) == .done)
    #expect(console.output.hasPrefix("at least 1 trace  "), "\(console.output)")
    #expect(console.output.contains("traces       at least 1\n"))
  }

  @Test func `causes have their function, and words for time without work`() throws {
    _ = console.run("summarize", SummarizeCommandTests.path("feed-commit-hitches"))
    let line = console.output
      .replacing(
        #""category":"scrolltrace.image","name":"decode""#,
        with: #""category":null,"name":"unrecorded","function":"Feed.configure""#
      )
      .replacing(
        #""category":"scrolltrace.cell","name":"configure""#,
        with: #""category":null,"name":"notScheduled""#)
    #expect(console.run("analyze", try console.file("lines.ndjson", line)) == .done)
    #expect(console.output.contains("  Feed.configure (not instrumented)\n"))
    #expect(console.output.contains("  not scheduled\n"))
  }

  @Test func `merging first changes nothing`() throws {
    let path = try Self.lines(console)
    _ = console.run("merge", path, "--by", "attribute:build")
    let merged = try console.file("merged.ndjson", console.output)
    for format in ["text", "markdown", "html"] {
      #expect(console.run("analyze", path, "--format", format) == .done)
      let direct = console.output
      #expect(console.run("analyze", merged, "--format", format) == .done)
      #expect(console.output == direct)
      #expect(
        !direct.unicodeScalars.contains("\u{1B}") && (format == "text" || !direct.contains("<b>")))
    }
  }

  @Test func `the figures of one trace are those of its own report`() throws {
    let trace = SummarizeCommandTests.path("feed-commit-hitches")
    let lines = try console.file("one.ndjson", console.summarize(trace))
    #expect(console.run("analyze", lines) == .done)
    #expect(console.output.contains("CRITICAL  31.88 ms/s: 5 hitches, 100.0 ms of hitch time"))
    #expect(console.run("analyze", trace, "--full") == .done)
    #expect(console.output.contains("CRITICAL  32 ms/s of hitch time"))
    #expect(console.output.contains("5 frames came late while scrolling"))
    #expect(console.output.contains("an old picture for 100.0 ms of"))
  }

  @Test func `what a report on sums cannot have is a usage error`() throws {
    let path = try Self.lines(console)
    #expect(console.run("analyze", path, "--format", "json") == .usage)
    #expect(console.errors.contains("'merge' adds them up"))
    #expect(console.run("analyze", path, "--frame", "3") == .usage)
    #expect(console.run("analyze", path, "--always-moving") == .usage)
    #expect(console.run("analyze", path, SummarizeCommandTests.path("feed-smooth")) == .usage)
  }

  @Test func `bad lines are reported and the others are drawn`() throws {
    _ = try Self.lines(console)
    let good = try console.content("lines.ndjson")
    let path = try console.file("mixed.ndjson", good + "{\"schema\":\"scrolltrace.summary/3\"}\n")
    #expect(console.run("analyze", path) == .notEvaluated)
    #expect(console.output.contains("5 traces"))
    #expect(console.errors.contains("mixed.ndjson:6: ") && console.errors.contains("summary/3"))
    let only = try console.file("bad.ndjson", "{\"schema\":\"scrolltrace.summary/3\"}\n")
    #expect(console.run("analyze", only) == .notEvaluated)
    #expect(console.output.isEmpty)
  }

  @Test func `traces that cannot be evaluated are counted`() throws {
    let empty = try console.file("empty.fxt", "")
    let path = try console.file("lines.ndjson", console.summarize("--keep-going", empty))
    #expect(console.run("analyze", path) == .done)
    #expect(console.output.contains("NOT MEASURABLE"))
    #expect(console.output.contains("traces       1, 1 unreadable"))
  }
}
