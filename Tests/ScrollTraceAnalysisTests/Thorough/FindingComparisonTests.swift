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

  private func statuses(_ base: Analysis, _ new: Analysis) -> [FindingComparison.Status] {
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

  private func predicted(_ analysis: Analysis, _ milliseconds: (Int64, Int64)) -> [Finding] {
    analysis.findings.map { finding in
      var finding = finding
      finding.predictedRemoval = Finding.PredictedRemoval(
        low: .milliseconds(milliseconds.0), high: .milliseconds(milliseconds.1),
        replayed: .milliseconds(milliseconds.1), hitRate: nil)
      return finding
    }
  }

  @Test func `a prediction is compared with what happened`() throws {
    let (base, new) = (run(decoding: [10, 20, 30]), run(decoding: [10]))
    let comparison = Comparison(base: [base], new: [new])
    #expect(comparison.predictionOutcome == nil)
    let met = try #require(comparison.ranked(base: predicted(base, (15, 30))).predictionOutcome)
    #expect(met.removed == .milliseconds(20) && met.isInRange)
    let missed = try #require(comparison.ranked(base: predicted(base, (25, 30))).predictionOutcome)
    #expect(!missed.isInRange)
  }

  @Test func `two fixed findings say nothing about the prediction for either`() {
    let base = run(decoding: [10, 20], loading: [30, 40])
    let comparison = Comparison(base: [base], new: [run(decoding: [])])
    #expect(comparison.ranked(base: predicted(base, (10, 30))).predictionOutcome == nil)
  }
}
