import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceReport
import Testing

/// What a report says about the recorder itself.
struct RecorderRemarkTests {
  private func text(_ change: (inout TraceBuilder) -> Void) -> String {
    var builder = TraceBuilder(format: "fxt")
    change(&builder)
    if let end = Timestamp(nanoseconds: 192_000_000_000) { builder.extend(to: .zero, end) }
    let report = Report([TraceAnalyzer().analyze(builder.finish())])
    return TextRenderer(TextStyle(isFull: true)).render(report).split(
      whereSeparator: \.isWhitespace
    )
    .joined(separator: " ")
  }

  @Test func `a report states the recording overhead as an estimate (M-22)`() {
    let said = text {
      $0.source.recorderCost = RecorderCost(
        picosecondsPerRecord: 31_000, recordCount: 48_210, mainRecordCount: 30_000_000)
    }
    #expect(
      said.contains(
        "recorder: 48210 records at about 31 ns, 1.49 ms in total, 0.48% of main-thread time"
          + " (estimated)"))
    #expect(!text { _ in }.contains("recorder:"))
  }

  @Test func `the cost of sampled stacks is part of it`() {
    let said = text {
      $0.source.recorderCost = RecorderCost(
        picosecondsPerRecord: 31_000, recordCount: 1000, mainRecordCount: 1000,
        sampling: SamplingCost(
          signalCount: 2000, nanoseconds: 9_600_000, samplerNanoseconds: 80_000_000))
    }
    #expect(
      said.contains(
        "recorder: 1000 records at about 31 ns, 2000 signals to sample stacks at about 4.8 µs, 9.63 ms"
          + " in total, 0.01% of main-thread time (estimated); its sampling thread ran for 80.0 ms")
    )
  }

  @Test func `a report states the time a ring retained (W8)`() {
    let said = text {
      $0.addNotice(
        .keepsLastPart(length: TimeSpan(nanoseconds: 192_000_000_000), overwrittenChunks: 1204))
    }
    #expect(
      said.contains(
        "the recording is the last 3 min 12 s as requested; 1204 chunks were overwritten"))
  }
}

extension TraceBuilder {
  /// Makes the trace reach from one instant to another.
  fileprivate mutating func extend(to start: Timestamp, _ end: Timestamp) {
    extend(to: start)
    extend(to: end)
  }
}
