import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

@Suite struct StallTests {
  @Test func `M-9: a span that is not a stall does not hide one that starts in it`() throws {
    let surface = try SurfaceAnalysis(
      hz: 60,
      """
      ms    0    10   20   30   40   50   60   70   80
      begin 1
      main  [short    ]
      main          [long                    ]
      """)
    #expect(surface.stalls == Stalls(count: 1, longest: TimeSpan(nanoseconds: 50_000_000)))
  }
}
