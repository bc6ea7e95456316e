import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace predict`.
@Suite struct PredictCommandTests {
  let console = CapturedConsole()
  static let sample = PackageFiles.sample("feed-commit-hitches.fxt")

  private func run(_ arguments: String...) -> ScrollTraceCLI.ExitStatus {
    console.run(["predict", Self.sample] + arguments)
  }

  @Test func `each cause has what would go without it, largest first (M-17)`() {
    #expect(run() == .done)
    let rows = console.output.split(separator: "\n").filter { $0.contains("100.0 ms  ") }
    #expect(rows.first?.hasSuffix("image/decode") == true)
    #expect(
      console.output.contains(
        "LARGEST  without image/decode, up to all 100.0 ms of hitch time is removed"))
    #expect(console.output.hasSuffix(" AFTER\n"))
  }

  @Test func `work that is not instrumented is to be recorded, not changed`() {
    #expect(console.run("predict", PackageFiles.sample("Foreign/frames.csv")) == .done)
    #expect(console.output.contains("LARGEST  without what is not instrumented"))
    #expect(console.output.contains("Next: write lines for spans around the main thread's work"))
    #expect(!console.output.contains("AFTER"))
  }

  @Test func `a speedup of less than a twentieth is not one of 1,0`() {
    #expect(console.run("predict", PackageFiles.sample("captured-cell.fxt")) == .done)
    #expect(console.output.contains("at most 99% of its time (1.01 times as fast)"))
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

  /// A drag of 300 frames at 60 Hz with some spans on the main thread from the start of each commit on.
  private func trace(
    _ commit: (_ frame: Int) -> (milliseconds: Int, spans: [(name: String, milliseconds: Int)])
  ) throws -> String {
    var lines = [#"{"scrolltrace": "ndjson/1", "unit": "us"}"#]
    lines.append(#"{"interaction": "drag", "begin": 0, "end": \#(300 * 16_667)}"#)
    for frame in 0..<300 {
      let (begin, work) = (frame * 16_667, commit(frame))
      let (due, target) = (begin + 16_667, begin + 2 * 16_667)
      let shown = work.milliseconds > 16 ? target + 16_667 : target
      lines.append(
        #"{"frame": \#(frame), "begin": \#(begin), "commitStart": \#(begin), "#
          + #""commitEnd": \#(begin + work.milliseconds * 1000), "deadline": \#(due), "#
          + #""target": \#(target), "presented": \#(shown), "interval": 16667}"#)
      var start = begin + 100
      for span in work.spans {
        let duration = span.milliseconds * 1000
        lines.append(
          #"{"span": "\#(span.name)", "category": "app", "begin": \#(start), "#
            + #""duration": \#(duration)}"#)
        start += duration
      }
    }
    return try console.file("drag.ndjson", lines.joined(separator: "\n") + "\n")
  }

  /// What would go without each cause, in milliseconds, with the causes.
  private var rows: [(time: Double, cause: Substring)] {
    let match = /^ +([0-9.]+) (ms|s) +[0-9.]+ m?s  (.+)$/.anchorsMatchLineEndings()
    return console.output.matches(of: match).map {
      ((Double($0.1) ?? 0) * ($0.2 == "s" ? 1000 : 1), $0.3)
    }
  }

  @Test func `rows descend, and causes of the same frames are named together below them`() throws {
    let path = try trace { frame in
      switch frame % 20 {
      case 5: (25, [("load", 5), ("configure", 5)])
      case 12: (20, [("load", 10)])
      case 17: (20, [("configure", 10)])
      case 2, 9: (20, [("layout", 10)])
      default: (4, [])
      }
    }
    #expect(console.run(["predict", path, "--width", "200"]) == .done)
    let rows = self.rows
    #expect(rows.count == 4 && rows.map(\.time) == rows.map(\.time).sorted(by: >))
    #expect(console.output.components(separatedBy: " together: 750.0 ms of 1.25 s").count == 2)
  }

  @Test func `the largest cause has a row, however small it is`() throws {
    let path = try trace { frame in
      guard frame % 4 == 1 else { return (4, []) }
      return frame == 57 ? (18, [("layout", 3)]) : (24, [("layout", 1)])
    }
    #expect(console.run(["predict", path, "--speedup", "app/layout=3", "--width", "200"]) == .done)
    let largest = try #require(rows.first)
    #expect(largest.cause == "app/layout, 3.0 times as fast")
    #expect(console.output.contains("LARGEST  with app/layout, 3.0 times as fast, up to 16.7 ms"))
  }

  @Test func `frames of several rates are each judged at their own`() throws {
    var (lines, time, number) = ([#"{"scrolltrace": "ndjson/1", "unit": "us"}"#], 0, 0)
    for (interval, frames, length) in [(8_333, 100, 10_000), (16_667, 150, 20_000)] {
      for frame in 0..<frames {
        let isLate = frame % 5 == 2
        let (end, due) = (time + (isLate ? length : 3_000), time + interval)
        lines.append(
          #"{"frame": \#(number), "begin": \#(time), "commitStart": \#(time), "#
            + #""commitEnd": \#(end), "deadline": \#(due), "target": \#(due + interval), "#
            + #""presented": \#(due + interval * (isLate ? 2 : 1)), "interval": \#(interval)}"#)
        (time, number) = (time + interval * (isLate ? 2 : 1), number + 1)
      }
    }
    lines.append(#"{"interaction": "drag", "begin": 0, "end": \#(time)}"#)
    let path = try console.file("rates.ndjson", lines.joined(separator: "\n") + "\n")
    let title = "Speedup required for zero hitch time at "
    #expect(console.run(["predict", path]) == .done)
    let now = "\n  now          50 late commits, 666.7 ms of hitch time"
    #expect(console.output.contains(title + "the recorded rates" + now), "\(console.output)")
    #expect(console.run(["predict", path, "--target-hz", "60"]) == .done)
    #expect(console.output.contains(title + "60 Hz (16.67 ms)\n  now          30 late commits"))
  }

  @Test
  func `what is not the main thread's is said beside the largest, and analyze is next`() throws {
    let late = PackageFiles.sample("Foreign/chrome-scroll.json")
    #expect(console.run(["predict", late, "--width", "200"]) == .done)
    let cause = "the main thread had nothing to do"
    let output = console.output
    #expect(output.contains("\(cause): no change of the main thread's work removes this\n"))
    let largest = try #require(output.split(separator: "\n").first { $0.hasPrefix("LARGEST") })
    #expect(largest.hasSuffix(" ms has another cause: \(cause)"), "\(largest)")
    #expect(output.contains("  Next: ") && !output.contains(" AFTER\n"))
  }

  @Test func `a report and the prediction agree on what would go`() throws {
    let stall = Self.sample.replacingOccurrences(
      of: "feed-commit-hitches", with: "stall-without-frames")
    #expect(console.run(["predict", stall, "--width", "200"]) == .done)
    #expect(console.output.contains("up to all 400.0 ms of hitch time is removed"))
    #expect(console.run(["analyze", stall, "--full", "--width", "200"]) == .done)
    #expect(console.output.contains("Saves up to all 400.0 ms of hitch time."))
  }
}
