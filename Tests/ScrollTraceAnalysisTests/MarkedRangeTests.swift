import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@Suite struct MarkedRangeTests {
  private func trace(marks: [String], asyncSpans: [String] = []) -> Trace {
    var builder = TraceBuilder(format: "marks")
    let track = builder.track(1, of: builder.process(1))
    for (index, name) in marks.enumerated() {
      builder.addMark(
        on: track, at: Timestamp(clamping: Int64(index)),
        label: builder.label(category: "host", name: name))
    }
    for name in asyncSpans {
      builder.addAsyncSpan(
        on: track, from: .zero, to: Timestamp(clamping: 5),
        label: builder.label(category: "host", name: name))
    }
    return builder.finish()
  }

  @Test func `M-5: pairs of marks yield the pattern that selects them as interactions`() async {
    await forEachCase(of: [
      (["g1:begin", "g1:end", "g2:begin", "g2:end"], "g*"),
      (["fling-start", "fling-end", "ready"], "fling"),
      (["drag.begin", "drag.end", "fling.begin", "fling.end"], "drag"),
      (["g1:begin", "g2:end"], nil),
      (["a'b:begin", "a'b:end"], nil),
      (["navigationStart", "navigationEnd"], nil),
      ([], nil),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ marks: [String], _ pattern: String?) throws {
      let trace = trace(marks: marks)
      #expect(trace.patternOfMarkedRanges == pattern)
      var options = AnalysisOptions()
      options.interactionMarks = pattern
      guard pattern != nil else { return }
      let notices = TraceAnalyzer(options).analyze(trace).notices
      #expect(notices == TraceAnalyzer().analyze(trace).notices)
    }
  }

  @Test func `M-5: asynchronous work with a matching name is not taken for an interaction`() {
    let trace = trace(
      marks: ["g1:begin", "g1:end", "g2:begin", "g2:end"], asyncSpans: ["gpu-work"])
    #expect(trace.patternOfMarkedRanges == "g1")
  }
}
