import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction
import ScrollTraceTestSupport
import Testing

/// M-19: findings are ranked by the hitch time that their change removes.
@Suite struct PredictionRankingTests {
  /// Without its 5 ms of loading frame 10 is in time; the others would still be late without any one.
  @Test
  func `M-19: the change that removes most hitch time comes first, then the work in most of it`() {
    var trace = FindingTrace(late: [10, 20, 30])
    trace.span("data.load", 101, 5)
    for begin in [201.0, 301] { trace.span("image.decode", begin, 3) }
    for begin in [205.0, 305] { trace.span("cell.prepare", begin, 4) }
    for begin in [209.0, 309] { trace.span("draw", begin, 1) }
    trace.mark("data.lateResult", 400)
    let analysis = TraceAnalyzer().analyze(trace.trace())
    #expect(analysis.findings.allSatisfy { $0.predictedRemoval == nil })
    let ranking = PredictionRanking(of: analysis)
    let findings = ranking.analysis.findings
    #expect(
      findings.map(\.id) == [
        .loadOnMainThread, .preparedOnDemandWhileIdle, .decodeOnMainThread,
        .staleResultInReusedCell,
      ])
    #expect(findings[1].details.time == .milliseconds(128))
    #expect(
      findings.map { $0.predictedRemoval?.replayed } == [.milliseconds(10), .zero, nil, nil])
    #expect(ranking.predictions.map(\.removed) == [.milliseconds(10), .zero, .zero])
  }

  @Test func `the change of the only finding removes the hitch it caused`() {
    var trace = FindingTrace(late: [20])
    trace.span("image.decode", 200.5, 13)
    let ranking = PredictionRanking(of: TraceAnalyzer().analyze(trace.trace()))
    #expect(
      ranking.analysis.findings.map { $0.predictedRemoval?.replayed } == [.milliseconds(10)])
    #expect(ranking.predictions.map(\.changes) == [[.decodeInBackground]])
  }

  @Test func `without a hitch nothing is predicted`() {
    let ranking = PredictionRanking(of: TraceAnalyzer().analyze(FindingTrace(frames: 29).trace()))
    #expect(ranking.analysis.findings.map(\.id) == [.fewFrames])
    #expect(ranking.predictions.isEmpty)
  }
}
