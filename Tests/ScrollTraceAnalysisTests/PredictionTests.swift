import ScrollTraceModel
import Testing

@testable import ScrollTraceAnalysis

/// What would go of a late frame, and why nothing would (M-17).
@Suite struct PredictionTests {
  private static func attribution(window: Int64) -> Attribution {
    let end = Timestamp(clamping: window)
    return Attribution(
      window: TimeRange(start: .zero, end: end), causes: [], waiting: .zero, notScheduled: .zero,
      blocked: .zero, notRunning: .zero, lateStart: .zero, idle: .zero, unrecorded: .zero,
      occupants: [], estimated: .zero, thread: nil)
  }

  /// A frame at 50 Hz that missed its deadline by 25 ms, and so two refreshes.
  private static func frame(_ rule: LateFrame.Rule) -> LateFrame {
    let attribution = attribution(window: 20_000_000)
    return LateFrame(
      index: 1, rule: rule, attribution: attribution, commit: attribution, room: .zero,
      followsLateFrame: false, overrun: .milliseconds(25), refreshInterval: .milliseconds(20),
      hitchTime: .milliseconds(40), length: .milliseconds(25))
  }

  private static func removed(_ rule: LateFrame.Rule, without time: Int64) -> [Int64] {
    let removed = [frame(rule)].removedWithMisses { _ in TimeSpan(nanoseconds: time) }
    return [removed.hitchTime.nanoseconds, Int64(removed.misses)]
  }

  @Test func `a frame loses a refresh of its hitch for each whole one that it ends earlier`() {
    #expect(Self.removed(.overrun, without: 4_999_999) == [0, 0])
    #expect(Self.removed(.overrun, without: 5_000_000) == [20_000_000, 0])
    #expect(Self.removed(.overrun, without: 24_999_999) == [20_000_000, 0])
    #expect(Self.removed(.overrun, without: 25_000_000) == [40_000_000, 1])
  }

  @Test func `a hitch without an overrun goes with over half of its window, else in proportion`() {
    #expect(Self.removed(.window, without: 10_000_000)[0] == 20_000_000)
    #expect(Self.removed(.window, without: 10_000_001)[0] == 40_000_000)
  }

  @Test func `a hitch that nothing in the window made stays`() {
    #expect(Self.removed(.none, without: 20_000_000)[0] == 0)
  }

  @Test func `a prediction says why nothing would go`() {
    func reason(_ subject: Prediction.Subject, upTo: Int64, of whole: Int64) -> Prediction.Reason? {
      Prediction(
        subject: subject, speedup: nil, upTo: TimeSpan(nanoseconds: upTo),
        whole: TimeSpan(nanoseconds: whole)
      ).reason
    }
    #expect(reason(.removable(.unrecorded), upTo: 0, of: 2) == .staysLate)
    #expect(reason(.removable(.unrecorded), upTo: 1, of: 2) == nil)
    #expect(reason(.removable(.unrecorded), upTo: 0, of: 0) == nil)
    #expect(reason(.other(.notScheduled), upTo: 0, of: 2) == .notOfTheApp)
  }

  @Test func `nothing is predicted for a recording without frames`() {
    let analysis = TraceAnalyzer().analyze(TraceBuilder(format: "test").finish())
    let report = PredictionReport(of: analysis)
    #expect(report.surface == nil)
    #expect(report.predictions.isEmpty && report.requiredSpeedups.isEmpty)
  }
}
