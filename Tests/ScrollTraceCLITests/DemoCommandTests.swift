import Foundation
import ReferenceListEngine
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI
@testable import ScrollTraceTerminal

/// `scrolltrace demo`: what it records, and how it says what is wrong.
@Suite struct DemoCommandTests {
  let console = CapturedConsole()

  @Test func `a recording on virtual time can be analyzed immediately`() throws {
    let path = console.folder + "/run.fxt"
    #expect(console.run("demo", "--record", path, "--virtual-time", "--duration", "1s") == .done)
    #expect(console.output.contains("Counted by the reference list:"))
    #expect(console.output.hasSuffix("Next: scrolltrace analyze \(path)\n"))
    #expect(console.errors.isEmpty)
    #expect(console.run("analyze", path, "--full") == .done)
    #expect(console.output.contains("frames evaluated against target times"))
  }

  @Test func `the same seed gives the same bytes and another seed does not`() throws {
    func record(_ name: String, seed: String) throws -> Data {
      let path = console.folder + "/" + name
      let status = console.run(
        "demo", "--record", path, "--virtual-time", "--duration=1s", "--seed", seed,
        "--refresh-rate=120")
      #expect(status == .done)
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    let first = try record("a.fxt", seed: "4")
    #expect(try record("b.fxt", seed: "4") == first)
    #expect(try record("c.fxt", seed: "5") != first)
  }

  @Test func `without a file the demo has nothing to do`() throws {
    #expect(console.run("demo") == .usage)
    #expect(console.errors.contains("The live list requires a terminal"))
    #expect(console.errors.contains("; add '--record <file>'"))
    #expect(console.errors.contains("Usage: scrolltrace demo"))
    #expect(console.run("demo", "--virtual-time") == .usage)
    #expect(console.errors.contains("Missing required option '--record <file>'"))
    #expect(console.run("demo", "--record", "x", "--write-samples", "y") == .usage)
    #expect(console.run("demo", "--experiment", "--policy", "best") == .usage)
    #expect(console.errors.contains("'--experiment' and '--policy' cannot be combined"))
    #expect(console.run("demo", "--write-samples", "y", "--seed", "4") == .usage)
  }

  @Test func `values out of range are rejected before anything is written`() async {
    await forEachCase(
      of: [
        ["--duration", "0"], ["--duration", "3601s"], ["--duration", "1.5"], ["--seed", "x"],
        ["--refresh-rate", "5"], ["--refresh-rate", "1001"], ["--items", "0"],
        ["--policy", "cells=never"], ["--policy", "speed=high"],
      ], oneCase)
    @Sendable func oneCase(flag: [String]) throws {
      let console = CapturedConsole()
      let path = console.folder + "/run.fxt"
      #expect(console.run(["demo", "--record", path, "--virtual-time"] + flag) == .usage)
      #expect(console.errors.contains(flag[0]))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `an existing file is left alone`() throws {
    let path = try console.file("kept.fxt", "mine")
    #expect(console.run("demo", "--record", path, "--virtual-time") == .notEvaluated)
    #expect(try console.content("kept.fxt") == "mine")
    #expect(console.errors.hasPrefix("scrolltrace: error: \(path): "))
    #expect(console.errors.contains("replace it with --overwrite"))
    #expect(
      console.run("demo", "--record", path, "--virtual-time", "--duration=1s", "--overwrite")
        == .done)
    #expect(console.run("analyze", path) == .done)
    #expect(console.run("demo", "--overwrite") == .usage)
  }

  @Test func `samples are written into an existing directory`() throws {
    #expect(console.run("demo", "--write-samples", console.folder) == .done)
    let files = try FileManager.default.contentsOfDirectory(atPath: console.folder).sorted()
    #expect(files == (["Foreign"] + SampleTraces.all.map { "\($0.name).fxt" }).sorted())
    if ExtraCases.isThorough {
      #expect(console.run("demo", "--write-samples", console.folder) == .done)
    }
    let other = try console.file("rate-change.fxt", "mine")
    #expect(console.run("demo", "--write-samples", console.folder) == .notEvaluated)
    #expect(
      console.errors
        == "scrolltrace: error: \(other): is another file; replace it with --overwrite\n")
    #expect(try console.content("rate-change.fxt") == "mine")
    #expect(console.run("demo", "--write-samples", console.folder, "--overwrite") == .done)
    #expect(console.run("demo", "--write-samples", console.folder + "/missing") == .notEvaluated)
    #expect(console.errors.contains("No such file or directory"))
  }

  @Test func `a script from a file plays under any policies`() throws {
    let session = try console.file(
      "scroll.txt", "scrolltrace session 1\nrest 150ms\ndrag 900 500ms\nreorder 0 300ms\n")
    let path = console.folder + "/run.fxt"
    #expect(
      console.run(
        "demo", "--record", path, "--virtual-time", "--script", session, "--policy", "best")
        == .done)
    #expect(console.run("analyze", path) == .done)
    #expect(console.output.contains("reorder"))
    let wrong = try console.file("wrong.txt", "scrolltrace session 1\nrest 150ms\nhop 3\n")
    #expect(
      console.run("demo", "--record", path + "2", "--virtual-time", "--script", wrong)
        == .notEvaluated)
    #expect(console.errors.contains("wrong.txt: line 3: 'hop 3' is not understood"))
    #expect(!FileManager.default.fileExists(atPath: path + "2"))
  }

  @Test func `a saved script replays identically`() throws {
    let (session, first, second) = (
      console.folder + "/s.txt", console.folder + "/a.fxt", console.folder + "/b.fxt"
    )
    let flags = ["--virtual-time", "--seed", "4"]
    #expect(
      console.run(["demo", "--record", first, "--save-script", session, "--duration=2s"] + flags)
        == .done)
    #expect(console.run(["demo", "--record", second, "--script", session] + flags) == .done)
    let bytes = try [first, second].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(bytes[0] == bytes[1])
    #expect(
      console.run(
        ["demo", "--record", second + "2", "--script", session, "--save-script", session] + flags)
        == .notEvaluated)
  }

  @Test func `an interrupted recording is saved with the length it reached`() {
    var played = PlayedSteps()
    played.begin(.rest(1_000_000_000), at: 0)
    played.begin(.drag(velocity: 5_000, for: 2_000_000_000), at: 300_400_000)
    played.begin(.paging(pages: 1, for: 500_000_000), at: 2_300_400_000)
    played.begin(nil, at: 2_400_000_000)
    #expect(
      played.steps == [
        .rest(300_000_000), .drag(velocity: 5_000, for: 2_000_000_000),
        .paging(pages: 1, for: 500_000_000),
      ])
  }

  @Test
  func `the experiment drops eight frames, then none, then does less main-thread work`() throws {
    #expect(console.run("demo", "--experiment") == .done)
    let lines = console.output.split(separator: "\n").map(String.init)
    let figures = lines.filter { $0.contains(" hitches, ") }
    #expect(figures.count == 3)
    #expect(figures[0].contains("8 hitches, 99.34 ms/s"))
    #expect(figures[1].contains("0 hitches") && figures[2].contains("0 hitches"))
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.filter { $0.hasPrefix(" 17 ms ┼") }.count == 3)
  }
}
