import Foundation
import Testing

@testable import ScrollTraceTesting

/// The guide's examples and the README's, held against what is compiled and printed here.
@Suite struct GuideTests {
  private let guide =
    "Sources/ScrollTraceTesting/ScrollTraceTesting.docc/ScrollTraceTesting.md"

  private func blocks(of language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "```").first ?? ""
    }
  }

  @Test func `the guide's example is the suite that runs here`() throws {
    let example = try #require(blocks(of: "swift", in: Sample.text(guide)).first)
    #expect(example == (try Sample.text("Tests/ScrollTraceTestingTests/FeedTests.swift")))
  }

  @Test func `the guide's XCTest example is compiled here`() throws {
    let example = try #require(blocks(of: "swift", in: Sample.text(guide)).dropFirst().first)
    let suite = try Sample.text("Tests/ScrollTraceTestingTests/FeedXCTests.swift")
    let line = example.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(!line.isEmpty && suite.contains(line))
  }

  @Test func `the README's test belongs to the suite that runs here`() throws {
    let line = try #require(
      Sample.text("README.md").split(separator: "`").first { $0.contains(".check(against:") })
    #expect(try Sample.text("Tests/ScrollTraceTestingTests/FeedTests.swift").contains(line))
  }

  @Test func `the guide quotes the line of a failure exactly`() throws {
    let answer = CheckOutcome(try TraceRuns(of: Sample.path("feed-commit-hitches.fxt")), .scroll)
    let console = try #require(blocks(of: "console", in: Sample.text(guide)).first)
    #expect(console.contains("(feed.check(against: .scroll) → \(answer)).passed → false"))
  }
}
