import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace predict`.
@Suite struct PredictCommandTests {
  let console: CapturedConsole
  static let sample = PackageFiles.sample("feed-commit-hitches.fxt")

  init() throws {
    console = try CapturedConsole()
  }

  private func run(_ arguments: String...) -> ScrollTraceCLI.ExitStatus {
    console.run(["predict", Self.sample] + arguments)
  }

  @Test func `each cause has what would go without it, largest first (M-17)`() {
    #expect(run() == .done)
    let rows = console.output.split(separator: "\n").filter { $0.contains("100.0 ms  ") }
    #expect(rows.first?.hasSuffix("image/decode") == true)
    #expect(
      console.output.contains(
        "LARGEST  without image/decode, up to all of it: 100.0 ms of 100.0 ms would go"))
    #expect(console.output.hasSuffix(" AFTER\n"))
  }

  @Test func `work is named as in reports, with or without the reserved prefix`() {
    for name in ["image/decode=3", "scrolltrace.image/decode=3", "image=3"] {
      #expect(run("--speedup", name) == .done)
      #expect(console.output.contains(", 3.0 times as fast"))
    }
  }

  @Test func `unknown work is an error that lists the known work`() {
    #expect(run("--speedup", "image/decod=2") == .notEvaluated)
    #expect(console.output.isEmpty)
    #expect(
      console.errors.contains(
        "has no work 'image/decod' on its main thread; known: 'phase/prepare', 'image/decode', "))
  }

  @Test func `a speedup prints no required speedups, unless they are requested too`() {
    #expect(run("--speedup", "image=2") == .done)
    #expect(!console.output.contains("Speedup required"))
    #expect(run("--speedup", "image=2", "--target-hz", "90") == .done)
    #expect(console.output.contains("Speedup required for zero hitch time at 90 Hz"))
  }

  @Test func `a report and the prediction agree on what would go`() throws {
    let stall = Self.sample.replacingOccurrences(
      of: "feed-commit-hitches", with: "stall-without-frames")
    #expect(console.run(["predict", stall, "--width", "200"]) == .done)
    #expect(console.output.contains("up to all of it: 400.0 ms of 400.0 ms would go"))
    #expect(console.run(["analyze", stall, "--full", "--width", "200"]) == .done)
    #expect(console.output.contains("Up to all of it: 400.0 ms of 400.0 ms."))
  }
}
