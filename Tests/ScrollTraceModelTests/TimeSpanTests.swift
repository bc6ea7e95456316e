import ScrollTraceModel
import Testing

@Suite struct TimeSpanTests {
  @Test func `sums of hostile durations saturate`() {
    let most = TimeSpan(nanoseconds: Int64.max)
    #expect(most + most == most)
    #expect((TimeSpan.zero - most) - most == TimeSpan(nanoseconds: Int64.min))
    #expect(most * -2 == TimeSpan(nanoseconds: Int64.min))
  }
}
