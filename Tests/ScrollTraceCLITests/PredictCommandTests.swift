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

  @Test func `changes without effect are named in one line, not in rows (M-17)`() {
    #expect(run() == .done)
    let rows = console.output.split(separator: "\n").filter { $0.contains("%  ") }
    #expect(rows.contains { $0.contains("%  decode images in the") })
    #expect(!rows.contains { $0.contains("prepare cells in idle time") })
    #expect(console.output.contains("  No difference: prepare cells in idle time; halve"))
  }

  @Test func `work is named as in reports, with or without the reserved prefix`() {
    for name in ["image/decode=3", "scrolltrace.image/decode=3", "image=3"] {
      #expect(run("--speedup", name) == .done)
      #expect(console.output.contains("%  cut image"))
    }
  }

  @Test func `unknown work is an error that lists the known work`() {
    #expect(run("--speedup", "image/decod=2") == .notEvaluated)
    #expect(console.output.isEmpty)
    #expect(
      console.errors.contains(
        "has no work 'image/decod' on its main thread; known: 'phase/prepare', 'image/decode', "))
  }

  @Test func `a requested change prints no required speedups, unless they are requested too`() {
    #expect(run("--change", "prepare-when-idle") == .done)
    #expect(!console.output.contains("Speedup required"))
    #expect(run("--change", "prepare-when-idle", "--smooth-at", "90") == .done)
    #expect(console.output.contains("Speedup required for zero hitch time at 90 Hz"))
  }

  @Test func `remaining work inside commits is not reported as a cause outside of them`() {
    #expect(run("--interaction", "all=0s..20s", "--width", "200") == .done)
    #expect(
      console.output.contains("cell, even all together: 66.7 ms of hitch time remains"))
  }

  @Test func `the best change is followed by how to verify it`() {
    #expect(run() == .done)
    #expect(console.output.contains("BEST  decode images in the background: likely "))
    #expect(console.output.contains("31.88 → 0.00 ms/s in the replay"))
    #expect(console.output.hasSuffix(" AFTER\n"))
    #expect(run("--change", "prepare-when-idle") == .done)
    #expect(console.output.contains("NO GAIN  no tried change removes hitch time"))
  }

  @Test func `work that a report recommends moving is predicted as removed, also here`() throws {
    let stall = Self.sample.replacingOccurrences(
      of: "feed-commit-hitches", with: "stall-without-frames")
    #expect(console.run(["predict", stall]) == .done)
    #expect(console.output.contains("%  without work/migrate"))
    #expect(console.run(["analyze", stall]) == .done)
    #expect(console.output.contains(" to 400.0 ms of 400.0 ms of hitch time; "))
  }
}
