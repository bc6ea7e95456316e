import ScrollTraceModel
import Testing

@Suite struct TimeSpanTests {
  @Test func `sums of hostile durations saturate`() {
    let maximum = TimeSpan(nanoseconds: Int64.max)
    #expect(maximum + maximum == maximum)
    #expect((TimeSpan.zero - maximum) - maximum == TimeSpan(nanoseconds: Int64.min))
    #expect(maximum * -2 == TimeSpan(nanoseconds: Int64.min))
  }
}
