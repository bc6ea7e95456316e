@testable import ScrollTraceCLI
import Foundation
import ScrollTraceTestSupport
import Testing

/// Recordings whose cause is known and not what their spans show first: the whole way from lines to the
/// report.
@Suite struct MisleadingRecordingTests {
  private static let found: [MisleadingRecording.Cause: String] = [
    .contention: "backgroundHoldsCores", .jumps: "jumps", .unrecordedTime: "unrecordedWork",
    .heldLock: "waitOnMainThread", .markedWait: "waitOnMainThread", .heat: "throttledDevice",
    .drawing: "renderHitches",
  ]

  private static func findings(_ cause: MisleadingRecording.Cause) throws -> [JSONNode] {
    let file = try TemporaryFile("misleading.ndjson", MisleadingRecording(cause).text)
    let run = try AnalyzeRun([file.path]).run
    let hitches = run["surfaces"][0]["hitchesInMotion"].integer
    #expect(hitches == (cause == .heat ? 13 : 12), "\(cause)")
    return run["findings"].array
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
    lock.expect(["evidence.heldByThread": "loader", "evidence.heldByWork": "write database"])
    let wait = try #require(try Self.findings(.markedWait).first)
    #expect(wait["title"].string?.contains("'feed lock'") == true)
    wait.expect(["evidence.heldByThread": "loader", "evidence.heldByWork": "write database"])
    let heat = try #require(try Self.findings(.heat).first)
    heat.expect(["evidence.state": "thermal=serious"])
    #expect(heat["removableHitchTimeNs"].isNull)
  }

  @Test func `pictures that are late after commits on time are attributed to no work`() throws {
    let text = MisleadingRecording(.drawing).text
    // Without deadlines, commits as early as those of frames on time are no cause either.
    let withoutDeadlines = text.replacing(/"deadline":\d+,/, with: "")
    for text in [text, withoutDeadlines] {
      let file = try TemporaryFile("drawing.ndjson", text)
      try AnalyzeRun([file.path]).run.expect([
        "surfaces.0.causes.count": 1, "surfaces.0.causes.0.kind": "render",
        "findings.0.kind": "renderHitches",
      ])
      for command in ["analyze", "check"] {
        let brief = CommandRun([command, file.path, "--format", "brief"]).output
        #expect(!brief.contains("decode"), "\(brief)")
      }
    }
  }
}
