import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// A list whose frames are smooth and whose images never arrive, in every form.
@Suite struct BlankFormTests {
  /// What the host marks.
  struct Marks: Sendable {
    var hasInteraction = true
    var displays = true
    /// The time until an image arrives, or `nil` for never.
    var arrival: Int?
  }

  private static func file(_ marks: Marks, _ name: String = "list.ndjson") throws -> TemporaryFile {
    let (r, ms, count) = (LineTrace.refresh, LineTrace.millisecond, 120)
    var lines = LineTrace(end: count * r, drag: marks.hasInteraction ? 0..<count * r : nil)
    lines.add(#"{"state":"screen","value":"feed","at":0}"#)
    lines.add(#"{"state":"screen","value":"photos","at":\#(count / 2 * r)}"#)
    lines.smooth(.target, count)
    for item in 0..<count / 10 {
      let start = item * 10 * r + ms
      func mark(_ category: String, _ name: String, at time: Int) {
        lines.add(
          #"{"mark":"\#(name)","category":"scrolltrace.\#(category)","at":\#(time),"list":"photos","#
            + #""item":\#(item)}"#)
      }
      if marks.displays { mark("cell", "willDisplay", at: start) }
      mark("image", "placeholder", at: start)
      if let arrival = marks.arrival { mark("image", "final", at: start + arrival) }
      mark("cell", "didEndDisplaying", at: start + 60 * r)
    }
    return try TemporaryFile(name, lines.text)
  }

  private static let all = [
    Marks(), Marks(displays: false), Marks(hasInteraction: false),
    Marks(hasInteraction: false, displays: false),
  ]

  @Test func `it is good in no form of a report, a check or a comparison`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(marks: Marks) throws {
      let file = try Self.file(marks)
      let formats = [
        "text", "brief", "json", "markdown", "junit", "github", "openmetrics", "benchmark-action",
        "bencher", "html",
      ]
      // Every form once, and a few of the other lists.
      let isFirst = marks.hasInteraction && marks.displays
      for format in isFirst ? formats : ExtraCases.some(3, of: formats) {
        for command in ["analyze", "check"] {
          let run = CommandRun([command, file.path, "--format", format])
          #expect(run.status == .done)
          #expect(!Self.isGood(run.output), "\(marks) \(command) \(format)")
        }
      }
      #expect(!Self.isGood(CommandRun(["predict", file.path]).output))
    }
  }

  private static func isGood(_ output: String) -> Bool {
    let words = [
      "GOOD", " good ", #""rating": "good""#, #"value="good""#, #">good<"#, "| good |",
      #"scrolltrace_rating="good"} 1"#, "scrolltrace baseline",
    ]
    // The list of thresholds names all ratings.
    return output.split(separator: "\n").filter { !$0.contains("good &lt; 5") }
      .contains { line in words.contains { line.contains($0) } && !line.contains("good < 5") }
  }

  @Test func `its ratio is in the report, its finding leads to it, and a budget catches it`() throws
  {
    for marks in Self.all {
      let file = try Self.file(marks)
      let run = try AnalyzeRun([file.path]).run
      run.expect(["surfaces.0.rating": "warning"])
      #expect(run["lists"][0]["blank"]["ratioMsPerS"].number ?? 0 > 900)
      run.expect(["findings.0.kind": "blankCells"])
      let command = try #require(run["findings"][0]["command"].string)
      let shown = CommandRun(command.split(separator: " ").dropFirst().map(String.init))
      #expect(shown.output.contains("blank"), "\(command)")
      let budget = #"{"limits": {"lists.blank.ratioMsPerS": "100 ms/s"}}"#
      #expect(CommandRun(["check", file.path, "--budget", budget]).status == .exceeded)
    }
  }

  @Test func `rows of interactions and states have the blank time in them`() throws {
    let file = try Self.file(Marks())
    let surface = try AnalyzeRun([file.path]).run["surfaces"][0]
    surface.expect(["interactions.0.rating": "warning"])
    for state in 0..<2 { #expect(surface["states"][state]["rating"].string == "warning") }
    let quick = try Self.file(Marks(arrival: 5 * LineTrace.millisecond))
    try AnalyzeRun([quick.path]).run["surfaces"][0]["interactions"].expect(["0.rating": "good"])
  }

  @Test func `compare tells the blank time of both sides`() throws {
    let slow = try Self.file(Marks(), "slow.ndjson")
    let quick = try Self.file(Marks(arrival: 5 * LineTrace.millisecond), "quick.ndjson")
    let worse = CommandRun(["compare", quick.path, slow.path])
    #expect(worse.output.contains("blank time"))
    #expect(worse.output.contains(" blank +"))
    let late = try Self.file(Marks(arrival: 400 * LineTrace.millisecond), "late.ndjson")
    let smaller = CommandRun(["compare", slow.path, late.path]).output
    #expect(smaller.contains(" total  cells show placeholders"), "\(smaller)")
    #expect(!CommandRun(["compare", quick.path, quick.path]).output.contains("blank time"))
  }
}
