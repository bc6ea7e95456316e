import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// The rates of the slowest frames (M-10).
@Suite struct FrameRateTests {
  /// A drag with a frame every 10 ms, in which the first `slow` spacings last 40 ms.
  private func surface(
    spacings count: Int, slow: Int, isDragged: Bool = true
  ) throws -> SurfaceAnalysis {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    var time = Timestamp.zero
    for index in 0...count {
      builder.updateFrame(index, of: surface, presented: time, refreshInterval: .milliseconds(10))
      if index < count { time = time + .milliseconds(index < slow ? 40 : 10) }
    }
    builder.extend(to: time)
    if isDragged {
      builder.addInteraction(from: .zero, to: time)
    }
    return try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
  }

  @Test
  func `M-10: spacings are those of pictures in order, though a frame overtook another`() throws {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    for (index, shown) in [Int64(20), 40, 30, 50].enumerated() {
      builder.updateFrame(
        index, of: surface, start: .zero + .milliseconds(Int64(index)),
        presented: .zero + .milliseconds(shown), refreshInterval: .milliseconds(10))
    }
    let surfaces = TraceAnalyzer().analyze(builder.finish()).surfaces
    let spacing = try #require(surfaces.first?.frameSpacing)
    #expect(spacing.p50 == .milliseconds(10))
    #expect(spacing.max == .milliseconds(10))
  }

  @Test func `the slowest 1% is the mean of the longest hundredth of the spacings`() throws {
    // Two of 200 spacings count; of the longest ones only one is slow.
    let rates = try #require(try surface(spacings: 200, slow: 1).frameRates)
    #expect(rates.slowest1Percent == 1000.0 / 25)
    #expect(rates.slowest01Percent == nil)
    #expect(try #require(rates.average) > 90)
  }

  @Test func `the slowest 0.1% need 1000 spacings, and the slowest 1% need 100`() throws {
    #expect(try surface(spacings: 99, slow: 1).frameRates?.slowest1Percent == nil)
    #expect(try surface(spacings: 100, slow: 1).frameRates?.slowest1Percent == 25)
    #expect(try surface(spacings: 999, slow: 1).frameRates?.slowest01Percent == nil)
    let rates = try #require(try surface(spacings: 1_000, slow: 1).frameRates)
    #expect(rates.slowest01Percent == 25)
    #expect(rates.slowest1Percent == 1000.0 / 13)
  }

  @Test func `if no movement is known, a rest is not a slow frame`() throws {
    let surface = try surface(spacings: 200, slow: 2, isDragged: false)
    #expect(surface.frameRates == nil)
    #expect(surface.frameSpacing?.max == .milliseconds(40))
  }

  @Test func `M-10: the rate is that of the pictures in motion`() throws {
    let surface = try surface(spacings: 100, slow: 0)
    #expect(surface.countsInMotion.presented == 101)
    #expect(surface.ledger?.pictures == 101)
    #expect(surface.frameRates?.average == 101)
  }
}
