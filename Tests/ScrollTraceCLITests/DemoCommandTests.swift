import Foundation
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace demo`: what it records, and how it says what is wrong.
@Suite struct DemoCommandTests {
  @Test func `a recording on virtual time can be analyzed at once`() throws {
    let console = try CapturedConsole()
    let path = console.folder + "/run.fxt"
    #expect(console.run("demo", "--record", path, "--virtual", "--seconds", "1") == .done)
    #expect(console.output.contains("The engine's own account:"))
    #expect(console.output.hasSuffix("Next: scrolltrace analyze \(path)\n"))
    #expect(console.errors.isEmpty)
    #expect(console.run("analyze", path) == .done)
    #expect(console.output.contains("frames judged by target times"))
  }

  @Test func `the same seed gives the same bytes and another one does not`() throws {
    let console = try CapturedConsole()
    func record(_ name: String, seed: String) throws -> Data {
      let path = console.folder + "/" + name
      let status = console.run(
        "demo", "--record", path, "--virtual", "--seconds=1", "--seed", seed, "--refresh-rate=120")
      #expect(status == .done)
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    let first = try record("a.fxt", seed: "4")
    #expect(try record("b.fxt", seed: "4") == first)
    #expect(try record("c.fxt", seed: "5") != first)
  }

  @Test func `without a file there is nothing to do`() throws {
    let console = try CapturedConsole()
    #expect(console.run("demo") == .usage)
    #expect(console.errors.contains("Missing option '--record <file>'"))
    #expect(console.errors.contains("Usage: scrolltrace demo"))
    #expect(console.run("demo", "--record", "x", "--samples", "y") == .usage)
  }

  @Test(arguments: [
    ["--seconds", "0"], ["--seconds", "601"], ["--seconds", "1.5"], ["--seed", "x"],
    ["--refresh-rate", "5"], ["--refresh-rate", "1001"],
  ])
  func `values out of range are refused before anything is written`(flag: [String]) throws {
    let console = try CapturedConsole()
    let path = console.folder + "/run.fxt"
    #expect(console.run(["demo", "--record", path, "--virtual"] + flag) == .usage)
    #expect(console.errors.contains(flag[0]))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a file that is there already is left alone`() throws {
    let console = try CapturedConsole()
    let path = try console.file("kept.fxt", "mine")
    #expect(console.run("demo", "--record", path, "--virtual") == .unjudged)
    #expect(try console.content("kept.fxt") == "mine")
    #expect(console.errors.hasPrefix("scrolltrace: \(path): "))
  }

  @Test func `samples go into a folder that is there`() throws {
    let console = try CapturedConsole()
    #expect(console.run("demo", "--samples", console.folder) == .done)
    let files = try FileManager.default.contentsOfDirectory(atPath: console.folder).sorted()
    #expect(
      files == [
        "Foreign", "damaged.fxt", "feed-commit-hitches.fxt", "feed-smooth.fxt",
        "killed-mid-scroll.fxt",
        "rate-change.fxt", "stall-without-frames.fxt",
      ])
    #expect(console.run("demo", "--samples", console.folder + "/missing") == .unjudged)
    #expect(console.errors.contains("No such file or directory"))
  }
}
