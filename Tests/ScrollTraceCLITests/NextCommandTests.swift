import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// The commands that reports propose, as they are run.
@Suite struct NextCommandTests {
  let console = CapturedConsole()
  static let sample = PackageFiles.sample("feed-commit-hitches.fxt")

  /// The words of the first next step, from the name of the command on.
  private var proposed: [String] {
    let line = console.output.split(separator: "\n").first { $0.hasPrefix("Next   ") } ?? ""
    let command = line.dropFirst(7).components(separatedBy: "  ").first ?? ""
    return command.split(separator: " ").dropFirst().map(String.init)
  }

  @Test func `the suggested command has every option that the report was evaluated with`() async {
    let options = [
      ["--refresh-rate", "90", "--always-moving"], ["--define", "fling=0s..2s"],
      ["--only", "drag", "--surface", "display"],
      ["--thresholds", "xcode-organizer", "--from", "100ms"], ["--max-line-bytes", "4096"],
    ]
    await forEachCase(of: ExtraCases.some(3, of: options), oneCase)
    @Sendable func oneCase(options: [String]) throws {
      #expect(console.run(["analyze", Self.sample, "--width", "400"] + options) == .done)
      let next = proposed
      let at = try #require(next.firstIndex(of: options[0]))
      #expect(next.contains(options[1]), "\(next)")
      #expect(next.prefix(2) == ["analyze", Self.sample] && at > 1)
      #expect(console.run(next) == .done)
      #expect(console.output.contains("HITCH  frame "))
    }
  }

  @Test func `a prediction suggests a comparison under the same options`() {
    #expect(console.run("predict", Self.sample, "--define", "fling=0s..2s") == .done)
    #expect(console.output.hasSuffix("\(Self.sample) AFTER --define fling=0s..2s\n"))
  }

  @Test func `a finding without a frame is shown by the whole report if there is no hitch`() {
    let sizes = PackageFiles.sample("sizes-estimate.fxt")
    #expect(console.run("analyze", sizes, "--width", "400") == .done)
    let lines = console.output.split(separator: "\n")
    #expect(lines.count { $0.contains("analyze \(sizes) --full") } == 2, "\(console.output)")
    #expect(!console.output.contains("--hitches all"))
  }

  @Test func `two definitions of motion contradict each other`() {
    for other in [["--define", "a=0s..1s"], ["--define-from-marks", "a*"]] {
      #expect(console.run(["analyze", Self.sample, "--always-moving"] + other) == .usage)
      #expect(console.errors.contains("'--always-moving' and '\(other[0])' cannot be combined"))
      #expect(console.output.isEmpty)
    }
  }

  @Test func `a name outside the trace is an error that lists the existing names`() {
    for (options, message) in [
      (["--from", "50s"], "--from 50.000 s is past the end; duration 3."),
      (["--define", "drag=50s..60s"], "the interaction 'drag' begins past the end; duration "),
      (["--define-from-marks", "zzz*"], "that matches 'zzz*'; "),
    ] {
      #expect(console.run(["analyze", Self.sample] + options) == .notEvaluated)
      #expect(console.output.isEmpty)
      #expect(console.errors.contains(message), "\(console.errors)")
    }
  }
}
