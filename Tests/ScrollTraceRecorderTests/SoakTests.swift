import Foundation
import Testing

/// Long recordings into a ring: memory and file stay as they were, and the clock keeps its promise.
///
/// `SCROLLTRACE_SOAK` asks for minutes of real time, and for eight hours of virtual time beside them.
struct SoakTests {
  private static let asked = ProcessInfo.processInfo.environment["SCROLLTRACE_SOAK"]

  private static let howToRun =
    """
    it takes its time; to run it: \
    SCROLLTRACE_SOAK=60 swift test --filter SoakTests
    """

  @Test(.enabled(if: asked != nil, Comment(rawValue: howToRun)))
  func `hours in virtual time leave memory and file as they were`() throws {
    let path = TemporaryPath()
    let report = try HammerProcess.report("\(path.path) --soak 480 --virtual")
    #expect(report.contains("soak: 480 minutes, \(480 * 3600) frames"))
    #expect(report.contains("lost 0\n"))
  }

  @Test(.enabled(if: asked != nil, Comment(rawValue: howToRun)))
  func `in real time the clock keeps its promise too`() throws {
    let path = TemporaryPath()
    let minutes = Self.asked.flatMap(Int.init) ?? 1
    let report = try HammerProcess.report("\(path.path) --soak \(max(1, minutes))")
    let line = try #require(report.split(separator: "\n").first { $0.hasPrefix("clock off by") })
    let error = try #require(line.split(separator: " ").compactMap { Int64($0) }.first)
    #expect(error < 10_000, "\(report)")
  }
}
