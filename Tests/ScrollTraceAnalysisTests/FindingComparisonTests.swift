import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// The findings before and after a change.
@Suite struct FindingComparisonTests {
  /// A list that decodes in these late frames and loads in those.
  private func run(decoding: Set<Int>, loading: Set<Int> = []) -> Analysis {
    var trace = FindingTrace(late: decoding.union(loading))
    for number in decoding { trace.span("image.decode", Double(number) * 10 + 0.5, 13) }
    for number in loading { trace.span("data.load", Double(number) * 10 + 0.5, 13) }
    return TraceAnalyzer().analyze(trace.trace())
  }

  private func statuses(_ base: Analysis, _ new: Analysis) -> [FindingStatus] {
    Comparison(base: [base], new: [new]).findings.map(\.status)
  }

  @Test func `findings are gone, smaller, larger, unchanged or new`() {
    let few = run(decoding: [10])
    let many = run(decoding: [10, 20, 30])
    let none = run(decoding: [])
    #expect(statuses(many, none) == [.gone])
    #expect(statuses(many, few) == [.smaller])
    #expect(statuses(many, many) == [.unchanged])
    #expect(statuses(few, many) == [.larger])
    #expect(statuses(none, few) == [.appeared])
    #expect(statuses(few, run(decoding: [], loading: [10])) == [.gone, .appeared])
  }

  @Test func `what would go stands beside what went, where the change is visible`() throws {
    let (base, new) = (run(decoding: [10, 20, 30]), run(decoding: [10]))
    let fixed = try #require(Comparison(base: [base], new: [new]).predictionOutcome)
    #expect(fixed.removed == .milliseconds(20) && fixed.upTo == .milliseconds(30))
    let most = run(decoding: [10, 20])
    #expect(Comparison(base: [base], new: [most]).predictionOutcome == nil)
  }

  @Test func `two fixed findings say nothing about what would go without either`() {
    let base = run(decoding: [10, 20], loading: [30, 40])
    #expect(Comparison(base: [base], new: [run(decoding: [])]).predictionOutcome == nil)
  }
}
