import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceTesting

/// The guide's examples and the README's, held against what is compiled and printed here.
@Suite struct GuideTests {
  private let guide =
    "Sources/ScrollTraceTesting/ScrollTraceTesting.docc/ScrollTraceTesting.md"

  @Test func `the guide's example is the suite that runs here`() throws {
    let example = try #require(PackageFiles.blocks(of: "swift", in: guide).first)
    #expect(example == (try PackageFiles.text("Tests/ScrollTraceTestingTests/FeedTests.swift")))
  }

  @Test func `the guide's XCTest example is compiled here`() throws {
    let example = try #require(PackageFiles.blocks(of: "swift", in: guide).dropFirst().first)
    let suite = try PackageFiles.text("Tests/ScrollTraceTestingTests/FeedXCTests.swift")
    let line = example.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(!line.isEmpty && suite.contains(line))
  }

  @Test func `the README's test belongs to the suite that runs here`() throws {
    let line = try #require(
      PackageFiles.text("README.md").split(separator: "`").first { $0.contains(".check(against:") })
    #expect(try PackageFiles.text("Tests/ScrollTraceTestingTests/FeedTests.swift").contains(line))
  }

  @Test func `the guide quotes the line of a failure exactly`() throws {
    let answer = CheckOutcome(try TraceRuns(of: Sample.path("feed-commit-hitches.fxt")), .scroll)
    let console = try #require(PackageFiles.blocks(of: "console", in: guide).first)
    #expect(console.contains("(feed.check(against: .scroll) → \(answer)).passed → false"))
  }
}
