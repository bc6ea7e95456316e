import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// Recordings whose cause is known and not what their spans show first: the whole way from lines to the
/// report.
@Suite struct MisleadingRecordingTests {
  private static let found: [MisleadingRecording.Cause: String] = [
    .contention: "backgroundHoldsCores", .jumps: "jumps", .unrecordedTime: "unrecordedWork",
    .heldLock: "waitOnMainThread", .markedWait: "waitOnMainThread", .heat: "throttledDevice",
    .drawing: "renderHitches",
  ]

  private static func findings(_ cause: MisleadingRecording.Cause) throws -> [JSONNode] {
    let file = TemporaryFile("misleading.ndjson")
    try MisleadingRecording(cause).text.write(
      toFile: file.path, atomically: true, encoding: .utf8)
    let run = try AnalyzeRun([file.path]).run
    let hitches = run["surfaces"][0]["hitchesInMotion"].integer
    #expect(hitches == (cause == .heat ? 13 : 12), "\(cause)")
    let findings = run["findings"]
    return (0..<(findings.count ?? 0)).map { findings[$0] }
  }

  @Test func `the first finding is the true cause`() async {
    await forEachCase(of: MisleadingRecording.Cause.allCases, oneCase)
    @Sendable func oneCase(cause: MisleadingRecording.Cause) throws {
      let findings = try Self.findings(cause)
      #expect(findings.first?["kind"].string == Self.found[cause])
    }
  }

  @Test func `no prediction promises what would not come`() async {
    await forEachCase(of: [.contention, .drawing], oneCase)
    @Sendable func oneCase(cause: MisleadingRecording.Cause) throws {
      for finding in try Self.findings(cause) {
        let high = finding["removableHitchTimeNs"].integer ?? 0
        #expect(high <= 0, "\(finding["kind"].string ?? "") promises \(high)")
      }
    }
  }

  @Test func `the thread that holds the lock and the state of the hot device are named`() throws {
    let lock = try #require(try Self.findings(.heldLock).first)
    #expect(lock["evidence"]["heldByThread"].string == "loader")
    #expect(lock["evidence"]["heldByWork"].string == "write database")
    let wait = try #require(try Self.findings(.markedWait).first)
    #expect(wait["title"].string?.contains("'feed lock'") == true)
    #expect(wait["evidence"]["heldByThread"].string == "loader")
    #expect(wait["evidence"]["heldByWork"].string == "write database")
    let heat = try #require(try Self.findings(.heat).first)
    #expect(heat["evidence"]["state"].string == "thermal=serious")
    #expect(heat["removableHitchTimeNs"].isNull)
  }

  @Test func `pictures that are late after commits on time are attributed to no work`() throws {
    let text = MisleadingRecording(.drawing).text
    // Without deadlines, commits as early as those of frames on time are no cause either.
    let withoutDeadlines = text.replacing(/"deadline":\d+,/, with: "")
    for text in [text, withoutDeadlines] {
      let file = TemporaryFile("drawing.ndjson")
      try text.write(toFile: file.path, atomically: true, encoding: .utf8)
      let run = try AnalyzeRun([file.path]).run
      let causes = run["surfaces"][0]["causes"]
      #expect(causes.count == 1)
      #expect(causes[0]["kind"].string == "render")
      #expect(run["findings"][0]["kind"].string == "renderHitches")
      for command in ["analyze", "check"] {
        let brief = CommandRun([command, file.path, "--format", "brief"]).output
        #expect(!brief.contains("decode"), "\(brief)")
      }
    }
  }
}
