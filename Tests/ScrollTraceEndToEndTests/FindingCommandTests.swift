import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// The command that each finding names can be copied as it is, and shows what the finding is about.
@Suite struct FindingCommandTests {
  private static let samples = [
    "feed-commit-hitches", "captured-cell", "fast-fling", "panel-1-on-demand", "sizes-estimate",
    "snapshot-reload", "stall-without-frames",
  ]

  private static func check(_ path: String) throws {
    let findings = try AnalyzeRun([path]).run["findings"]
    #expect(findings.count ?? 0 > 0)
    for finding in findings.array {
      let command = try #require(finding["command"].string)
      let words = command.split(separator: " ").map(String.init)
      #expect(words.first == "scrolltrace" && words.contains(path))
      let run = CommandRun(Array(words.dropFirst()))
      #expect(run.status == .done || run.status == .lossy, "\(command)")
      if let number = finding["worstFrame"].integer {
        #expect(
          run.output.contains("frame \(number)") || run.output.contains("Frame \(number)"),
          "\(command)")
      }
    }
  }

  @Test func `the commands of the samples' findings work`() async {
    await forEachCase(of: Self.samples, oneCase)
    @Sendable func oneCase(name: String) throws {
      try Self.check(PackageFiles.sample("\(name).fxt"))
    }
  }

  @Test func `the commands of misleading recordings' findings work`() async {
    await forEachCase(of: MisleadingRecording.Cause.allCases, oneCase)
    @Sendable func oneCase(cause: MisleadingRecording.Cause) throws {
      let file = try TemporaryFile("misleading.ndjson", MisleadingRecording(cause).text)
      try Self.check(file.path)
    }
  }
}
