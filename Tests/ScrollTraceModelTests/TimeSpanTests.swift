import ScrollTraceModel
import Testing

@Suite struct TimeSpanTests {
  @Test func `sums of hostile lengths stop at the ends of the range`() {
    let most = TimeSpan(nanoseconds: Int64.max)
    #expect(most + most == most)
    #expect((TimeSpan.zero - most) - most == TimeSpan(nanoseconds: Int64.min))
    #expect(most * -2 == TimeSpan(nanoseconds: Int64.min))
  }
}
