import ScrollTraceKit
import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `--from`, `--to`, `--only`, `--state`, `--surface` and `--frame`.
@Suite struct LookCloserTests {
  let console = CapturedConsole()
  static let sample = PackageFiles.sample("feed-commit-hitches.fxt")

  private func run(_ arguments: String...) -> ScrollTraceCLI.ExitStatus {
    console.run(["analyze", Self.sample] + arguments)
  }

  @Test func `a missing name is one line that lists the existing names, and no report`() {
    for (flag, value, message) in [
      ("--surface", "glass", "has no surface 'glass'; known: 'display'"),
      (
        "--only", "fling",
        "has no interaction 'fling'; known: 'drag', 'deceleration' or 1 to 2\n"
      ),
      ("--state", "screen=detail", "has no state 'screen=detail'; known: 'screen=feed'"),
      ("--frame", "500", "has no frame 500 of 'display'; nearest: 185 (of 1 to 185)\n"),
    ] {
      #expect(run(flag, value) == .notEvaluated)
      #expect(console.output.isEmpty)
      #expect(console.errors.contains(message), "\(console.errors)")
      #expect(console.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `a selection is shown in the text and in JSON`() throws {
    #expect(run("--only", "drag", "--from", "200ms", "--state", "screen=feed") == .done)
    #expect(
      console.output.contains(
        "selected: from 0.200 s on, interaction 'drag', state 'screen=feed'; 250.0 ms in"))
    #expect(run("--from", "200ms", "--surface", "display", "--format", "json") == .done)
    let selection = try console.json()["runs"][0]["input"]["selection"]
    selection.expect(["fromNs": 200_000_000, "surface": "display"])
    #expect(selection["toNs"].isNull)
  }

  @Test func `a frame is reported instead of the whole report, whether it is late or not`() {
    #expect(run("--frame", "14") == .done)
    #expect(
      console.output.contains("HITCH  frame 14 of display: 33.3 ms (2 refreshes) of hitch time"))
    #expect(!console.output.contains("Interactions"))
    #expect(run("--frame=100") == .done)
    #expect(console.output.contains("NO HITCH  frame 100 of display: on time"))
  }

  @Test func `a frame can be written as data and as pages`() throws {
    #expect(run("--frame", "14", "--format", "json") == .done)
    try console.json().expect([
      "schema": "scrolltrace.frame/2", "runs.0.frame.status": "hitch",
      "runs.0.frame.window.causes.0.category": "scrolltrace.image",
    ])
    for format in ["html", "markdown"] {
      #expect(run("--frame", "14", "--format", format) == .done)
      #expect(console.output.contains("frame 14 of display: 33.3 ms (2 refreshes) of hitch time"))
      #expect(!console.output.contains("Findings"))
    }
  }

  @Test func `misuse prints the usage`() {
    for arguments in [
      ["--from", "2s", "--to", "1s"], ["--from", "1"], ["--from=-1s"], ["--to", "1e9s"],
      ["--state", "screen"], ["--state", "=x"], ["--frame", "x"], ["--frame", "-1"],
      ["--frame", "99999999999999999999"], ["--frame", "14", "--format", "junit"],
      ["--frame", "14", "--format", "json", "--series"], ["--frame", "14", "--hitches", "9"],
      ["--from", "99999999999s"],
    ] {
      #expect(console.run(["analyze", Self.sample] + arguments) == .usage, "\(arguments)")
      #expect(console.output.isEmpty)
    }
  }

  @Test func `unknown names are printed, not interpreted`() {
    #expect(run("--surface", "\u{1B}]0;x\u{07}\n::error::y") == .notEvaluated)
    #expect(!console.errors.contains("\u{1B}"))
    #expect(console.errors.split(separator: "\n").count == 1)
  }
}
