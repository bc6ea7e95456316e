import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

@Suite struct CompareCommandTests {
  let console = CapturedConsole()

  /// The paths of each side in the order of the JSON report.
  private func sides(_ arguments: [String]) throws -> [[String]] {
    #expect(console.run(["compare", "--format", "json"] + arguments) == .done, "\(console.errors)")
    let report = try console.json()
    let paths = report["runs"].array.map {
      $0["input"]["path"].string?.split(separator: "/").last.map(String.init)
    }
    return ["base", "new"].map { side in
      report["comparison"][side]["runs"].array.compactMap(\.integer).compactMap { paths[$0] }
    }
  }

  /// Four traces, none a copy of another.
  private func distinctTraces() throws -> [String] {
    try ["a", "b", "c", "d"].enumerated().map { index, name in
      let path = try console.trace("\(name).json")
      let text = try console.content("\(name).json")
      return try console.file("\(name).json", text + String(repeating: " ", count: index)) == path
        ? path : ""
    }
  }

  @Test func `a reload and its fix show the same items, however often, and can be compared`() {
    for (base, new) in [
      ("item-reload", "item-reconfigure"), ("snapshot-reload", "snapshot-differences"),
    ] {
      let paths = [base, new].map { PackageFiles.sample($0 + ".fxt") }
      #expect(console.run(["compare"] + paths) == .done)
      #expect(!console.output.contains("scenario"), "\(console.output)")
      #expect(!console.output.contains("NOT EVALUATED"))
    }
  }

  @Test func `--with marks the traces of the new side, and two operands need no --with`() throws {
    let traces = try distinctTraces()
    let (a, b, c, d) = (traces[0], traces[1], traces[2], traces[3])
    #expect(try sides([a, b]) == [["a.json"], ["b.json"]])
    #expect(try sides([a, "--with", b]) == [["a.json"], ["b.json"]])
    #expect(try sides(["--with", b, a]) == [["a.json"], ["b.json"]])
    #expect(
      try sides([a, b, "--with", c, "--with=\(d)"]) == [
        ["a.json", "b.json"], ["c.json", "d.json"],
      ])
    // All paths that a shell expands after it.
    #expect(try sides([a, b, "--with", c, d]) == [["a.json", "b.json"], ["c.json", "d.json"]])
  }

  @Test func `misuse exits with 64 and names what is missing`() {
    for (arguments, message) in [
      (["compare"], "Missing expected argument '<base>'"),
      (["compare", "a"], "Missing the new side; add a second trace"),
      (["compare", "a", "b", "c"], "Missing '--with <new>' between the two sides"),
      (["compare", "a", "--with"], "Missing value for '--with <new>'"),
      (["compare", "--with", "a"], "Missing expected argument '<base>'"),
      (["compare", "a", "b", "--series"], "'--series' requires the format json\n"),
    ] {
      #expect(console.run(arguments) == .usage)
      #expect(console.errors.contains(message), "\(console.errors)")
    }
  }

  @Test func `a side that cannot be read is not compared and exits with 2`() throws {
    let good = try console.trace("good.json")
    let missing = console.folder + "/missing.json"
    #expect(console.run("compare", good, missing) == .notEvaluated)
    #expect(console.output.isEmpty)
    #expect(console.errors.contains("missing.json: "))
    #expect(console.run("compare", good, missing, "--with", good) == .notEvaluated)
    #expect(console.output.contains("NOT M"))
  }

  @Test func `a trace that lost data exits with 3 unless loss is allowed`() throws {
    let (whole, cut) = (try console.trace("a.json"), try console.trace("cut.json", isCut: true))
    #expect(console.run("compare", whole, cut) == .lossy)
    #expect(console.output.contains("note: new lost data"))
    #expect(console.run("compare", cut, whole, "--allow-loss") == .done)
  }

  /// Four runs of a drag at 60 Hz whose first commits are long, with a frame in each refresh until some are missing.
  private func runs(
    _ name: String, frames: Int = 160, dragged: Int = 160, hasLoss: Bool = false
  ) throws -> [String] {
    try (0..<4).map { run in
      var lines = [#"{"scrolltrace": "ndjson/1", "unit": "us"}"#] + (hasLoss ? ["no line"] : [])
      lines.append(#"{"interaction": "drag", "begin": 0, "end": \#(dragged * 16_667)}"#)
      for frame in 0..<frames {
        let (begin, next) = (frame * 16_667, (frame + 1) * 16_667)
        let end = begin + (frame < 5 ? 12_000 : 4_000) + run
        lines.append(
          #"{"frame": \#(frame), "begin": \#(begin), "commitEnd": \#(end), "deadline": \#(next), "#
            + #""target": \#(next), "presented": \#(next), "interval": 16667}"#)
      }
      return try console.file("\(name)\(run).ndjson", lines.joined(separator: "\n") + "\n")
    }
  }

  @Test func `a side without half of its frames is neither better nor worse, and says so`() throws {
    let whole = try runs("whole")
    for (half, reason) in [
      (try runs("unknown", frames: 40), "of the refreshes in motion are unknown"),
      (
        try runs("lost", frames: 100, dragged: 100, hasLoss: true),
        "data was lost, and only 1.67 s of 2.67 s are left in"
      ),
    ] {
      for (base, new) in [(whole, half), (half, whole)] {
        let sides = base + ["--with"] + new + ["--allow-loss", "--width", "400"]
        #expect(console.run(["compare"] + sides) == .done)
        #expect(console.output.contains("NOT EVALUATED  "), "\(console.output)")
        #expect(console.output.contains(reason), "\(console.output)")
      }
    }
  }

  @Test func `a check does not compare with a baseline of what lost data left over either`() throws
  {
    let whole = try runs("whole")
    let half = try runs("lost", frames: 100, dragged: 100, hasLoss: true)
    let path = console.folder + "/baseline.json"
    let options = ["--baseline", path, "--allow-loss", "--width", "400", "--max-ratio", "1000"]
    for (base, new) in [(half, whole), (whole, half)] {
      #expect(console.run(["baseline", "-o", path, "--allow-loss"] + base) == .done)
      #expect(console.run(["check"] + new + options) == .notEvaluated)
      #expect(
        console.output.contains("only 1.67 s of 2.67 s are left in lost0.ndjson"),
        "\(console.output)")
    }
    // Against runs that lost as much, it is compared.
    #expect(console.run(["baseline", "-o", path, "--allow-loss"] + half) == .done)
    #expect(console.run(["check"] + half + options) == .done, "\(console.output)")
  }

  @Test func `analysis options apply to both sides`() throws {
    let trace = try console.trace("a.json")
    #expect(
      console.run("compare", trace, trace, "--always-moving", "--refresh-rate", "60", "--full")
        == .done)
    #expect(console.output.contains("Work, wall time, in 658.0 ms of interaction"))
  }

  @Test func `copies of a file on one side count once, with one warning that names them`() throws {
    let traces = try ["a", "b", "c", "d"].map { try console.trace("\($0).json") }
    #expect(
      try sides([traces[0], traces[1], "--with", traces[2], traces[3]])
        == [["a.json"], ["c.json"]])
    #expect(console.errors.split(separator: "\n").count == 1)
    #expect(console.errors.contains("warning: 2 traces were ignored as copies"))
    #expect(console.errors.contains("b.json, a copy of "))
    #expect(console.errors.contains("d.json, a copy of "))
    // A trace may be compared with itself.
    #expect(try sides([traces[0], traces[1]]) == [["a.json"], ["b.json"]])
    #expect(console.errors.isEmpty)
  }

  @Test func `an input is never overwritten`() throws {
    let (a, b) = (try console.trace("a.json"), try console.trace("b.json"))
    let before = try console.content("b.json")
    #expect(console.run("compare", a, b, "-o", b) == .notEvaluated)
    #expect(try console.content("b.json") == before)
  }
}
