import Testing

@testable import ScrollTraceAnalysis

/// The list of rules for findings.
@Suite struct FindingRulesTests {
  @Test func `each rule has its own identifier`() {
    #expect(Set(FindingRules.ids).count == FindingRules.all.count)
    #expect(FindingRules.ids.allSatisfy { !$0.rawValue.isEmpty })
  }

  @Test func `each threshold has its own name and a source`() {
    let thresholds = FindingRules.all.flatMap { type(of: $0).thresholds }
    #expect(!thresholds.isEmpty)
    #expect(thresholds.allSatisfy { $0.source.hasSuffix(".") && $0.source.count > 10 })
    let sources = Dictionary(grouping: thresholds, by: \.name).mapValues { Set($0.map(\.source)) }
    #expect(sources.values.allSatisfy { $0.count == 1 })
  }
}
