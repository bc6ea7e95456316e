import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

/// Returns a report on a trace, and whether it meets a budget.
func summary(ofTraceAt path: String) throws(ImportError) -> (text: String, passed: Bool) {
  let trace = try TraceFile.open(path)
  var options = AnalysisOptions()
  options.thresholds = .organizer
  let analysis = TraceAnalyzer(options).analyze(trace)
  var lines: [String] = []
  for surface in analysis.surfaces {
    let ratio = surface.hitchTimeRatio.map { "\($0) ms/s" } ?? "unknown"
    lines.append("\(surface.name): \(surface.hitches.count) hitches, \(ratio)")
    for hitch in surface.hitches.prefix(3) {
      lines.append("  \(hitch.kind): \(hitch.length.milliseconds) ms")
    }
  }
  lines += analysis.findingTexts + analysis.noticeTexts
  let budget = try Budget(json: #"{"thresholds": "xcode-organizer", "limits": {"hitches": 10}}"#)
  let verdict = budget.verdict(on: [analysis])
  let report = TextRenderer().render(Report([analysis], verdict: verdict))
  return (lines.joined(separator: "\n") + "\n" + report, verdict.status == .passed)
}

/// The example of the guide to the library, with the one import that it needs.
@Suite struct KitExampleTests {
  @Test func `the guide's example is the one executed here`() throws {
    let guide = try PackageFiles.text(
      "Sources/ScrollTraceKit/ScrollTraceKit.docc/UsingTheLibrary.md")
    let example = try #require(
      guide.components(separatedBy: "```swift\nimport ScrollTraceKit\n\n").last?
        .components(separatedBy: "```").first)
    #expect(
      try PackageFiles.text("Tests/ScrollTraceCLITests/KitExampleTests.swift").contains(example))
    let result = try summary(
      ofTraceAt: PackageFiles.sample("feed-smooth.fxt"))
    #expect(result.passed && result.text.contains("0 hitches"), "\(result.text)")
  }
}
