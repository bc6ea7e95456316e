import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// The list of rules for findings.
@Suite struct FindingRulesTests {
  @Test func `each rule has its own identifier`() {
    #expect(Set(FindingRules.ids).count == FindingRules.all.count)
    #expect(FindingRules.ids.allSatisfy { !$0.rawValue.isEmpty })
  }

  @Test func `the catalogue has every rule in order, with when it is said and its fix`() throws {
    let page = PackageFiles.url("Sources/ScrollTraceAnalysis/ScrollTraceAnalysis.docc/Findings.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
    #expect(rows.map { $0.split(separator: "`")[1] } == FindingRules.ids.map { $0.rawValue[...] })
    #expect(rows.allSatisfy { $0.split(separator: " | ").count == 4 })
    let count = "The \(rows.count) findings of a report"
    #expect(try String(contentsOf: page, encoding: .utf8).contains(count))
  }
}
