import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-2, M-5: a list of hitches of which nobody says how long was recorded.
@Suite struct UnknownLengthTests {
  /// Two hitches of 10 ms, at 1 s and at 2 s.
  private static func trace(hitches: Bool = true, hasKnownLength: Bool = false) -> Trace {
    var builder = TraceBuilder(format: "drawn")
    builder.source.hasKnownLength = hasKnownLength
    builder.extend(to: .zero)
    let surface = builder.surface("Display")
    builder.setBasis(.hitchList, of: surface)
    for second in [1, 2] as [Int64] where hitches {
      builder.addListedHitch(
        ListedHitch(
          start: .zero + .milliseconds(second * 1000), length: .milliseconds(10)),
        of: surface)
    }
    return builder.finish()
  }

  private static func analyze(
    _ trace: Trace, _ change: (inout AnalysisOptions) -> Void = { _ in }
  ) -> SurfaceAnalysis {
    var options = AnalysisOptions()
    change(&options)
    return TraceAnalyzer(options).analyze(trace).surfaces[0]
  }

  private static func range(_ from: Int64, _ to: Int64) -> AnalysisOptions.NamedRange {
    AnalysisOptions.NamedRange(
      name: "fling", from: .milliseconds(from), to: .milliseconds(to))
  }

  @Test func `M-5: the part of a listed hitch after the start of an interaction counts`() {
    let surface = Self.analyze(Self.trace(hasKnownLength: true)) {
      $0.interactions = [Self.range(1_004, 1_500)]
    }
    #expect(surface.hitchTime == .milliseconds(6))
    #expect(surface.hitchTimeOutsideInteractions == .milliseconds(14))
    #expect(surface.hitchesInMotion == 1)
  }

  @Test func `hitches are reported, but no ratio`() {
    let surface = Self.analyze(Self.trace())
    #expect(surface.hitches.count == 2)
    #expect(surface.hitchTime == .milliseconds(20))
    #expect(surface.ratio == nil)
    #expect(Self.analyze(Self.trace(hasKnownLength: true)).ratio != nil)
  }

  @Test func `an empty list proves nothing, nor does a motion without an end`() {
    #expect(!Self.analyze(Self.trace(hitches: false)).isEvaluated)
    #expect(!Self.analyze(Self.trace()) { $0.isAlwaysMoving = true }.isEvaluated)
  }

  @Test func `a range defined by the user counts as recorded, wherever it ends`() throws {
    let surface = Self.analyze(Self.trace()) { $0.interactions = [Self.range(1500, 5500)] }
    #expect(surface.measuredTime.duration == .milliseconds(4000))
    #expect(try #require(surface.ratio).millisecondsPerSecond == 2.5)
    #expect(surface.hitchTimeOutsideInteractions == .milliseconds(10))
    let empty = Self.analyze(Self.trace(hitches: false)) {
      $0.interactions = [Self.range(0, 1000)]
    }
    #expect(empty.ratio?.millisecondsPerSecond == 0)
    // A trace that tells its length does not become longer.
    let known = Self.analyze(Self.trace(hasKnownLength: true)) {
      $0.interactions = [Self.range(1500, 5500)]
    }
    #expect(known.measuredTime.duration == .milliseconds(510))
  }

  @Test func `no range is too long`() {
    let surface = Self.analyze(Self.trace()) {
      $0.interactions = [
        AnalysisOptions.NamedRange(
          name: "a", from: TimeSpan(nanoseconds: Int64.min), to: TimeSpan(nanoseconds: Int64.max))
      ]
    }
    #expect(surface.hitches.count == 2)
    #expect(surface.ratio != nil)
  }

  @Test func `an interaction without length has no hitch time, not zero`() throws {
    var builder = TraceBuilder(format: "drawn")
    builder.source.hasKnownLength = true
    let surface = builder.surface("Display")
    builder.setBasis(.hitchList, of: surface)
    builder.addListedHitch(
      ListedHitch(start: .zero + .milliseconds(5), length: .milliseconds(10)), of: surface)
    for (start, end) in [(0, 1_000), (1_500, 1_500)] as [(Int64, Int64)] {
      builder.addInteraction(from: .zero + .milliseconds(start), to: .zero + .milliseconds(end))
    }
    builder.extend(to: .zero + .milliseconds(2_000))
    let rows = Self.analyze(builder.finish()).interactions
    #expect(rows.map(\.hitchTime) == [.milliseconds(10), nil])
  }
}
