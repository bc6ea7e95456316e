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

  /// A stall between two frames, with one before and one after them.
  private static let pause = """
    ms    0    10   20   30   40   50   60   70   80   90
    begin 1    2                             3    4
    done   1    2                             3    4
    due        1    2                             3    4
    main          [diff                    ]
    """

  @Test func `a stall is between frames if one is missing and both are near`() throws {
    let between = try SurfaceAnalysis(hz: 100, Self.pause)
    #expect(between.hitches.isEmpty)
    let stalls = try #require(between.stallsBetweenFrames)
    #expect(stalls.count == 1 && stalls.work.name?.hasPrefix("diff") == true)
    #expect(stalls.longest == .milliseconds(50))
    let atRest = try SurfaceAnalysis(
      hz: 100,
      """
      ms    0    10   20   30   40   50   60   70   80   90
      begin 1                                  2    3
      done   1                                  2    3
      due        1                                  2    3
      main                  [diff            ]
      """)
    #expect(atRest.stalls?.count == 1 && atRest.stallsBetweenFrames == nil)
  }

  @Test func `a stall is not told besides the hitch of its frame, nor if motion is known`() throws {
    let late = try SurfaceAnalysis(
      hz: 100,
      """
      ms    0    10   20   30   40   50   60   70   80   90
      begin 1    2                             3    4
      done   1                           2      3    4
      due        1    2                             3    4
      main       [diff                  ]
      """)
    #expect(late.hitches.count == 1 && late.stalls?.count == 1)
    #expect(late.stallsBetweenFrames == nil)
    let drag = "\ndrag  [                                          ]"
    let moving = try SurfaceAnalysis(hz: 100, Self.pause + drag)
    #expect(!moving.hitches.isEmpty && moving.stallsBetweenFrames == nil)
  }
}
