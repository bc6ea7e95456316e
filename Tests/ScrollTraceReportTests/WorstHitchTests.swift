import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// Which hitches a report names first, and how many it counts.
@Suite struct WorstHitchTests {
  /// Of the eight slow frames of the feed, only those from 1.9 s to 4 s are in motion.
  private let analysis: Analysis = {
    var options = AnalysisOptions()
    options.interactions = [
      AnalysisOptions.NamedRange(
        name: "fling", from: .milliseconds(1900), to: .milliseconds(4000))
    ]
    return FeedTrace().analysis(options)
  }()

  @Test func `hitches that count in the ratio come before longer ones that do not (M-5)`() throws {
    let surface = try #require(analysis.evaluatedPrimarySurface)
    let inside = surface.worstHitches.prefix(surface.hitchesInMotion)
    #expect(surface.hitchesInMotion > 0 && surface.hitchesOutside > 0)
    #expect(inside.allSatisfy { $0.lengthInMotion > .zero })
    let longest = try #require(surface.hitches.map(\.length).max())
    #expect(surface.worstHitches[0].length < longest)
  }

  @Test func `the verdict counts hitches in motion, and the next step is the worst of them`() throws
  {
    let surface = try #require(analysis.evaluatedPrimarySurface)
    let text = Renders.text(analysis, width: 200)
    let worst = try #require(surface.worstHitches.first?.frame)
    #expect(text.contains("\n\(surface.hitchesInMotion) frames came late while scrolling;"))
    #expect(text.hasSuffix(" --frame \(worst)\n"))
  }

  @Test func `if deadlines are unknown, hitches at rest are counted separately (M-5)`() throws {
    var builder = TraceBuilder(format: "listed")
    builder.source.path = "a.xml"
    let surface = builder.surface("display")
    builder.setBasis(.hitchList, of: surface)
    for second in 1...6 as ClosedRange<Int64> {
      builder.addListedHitch(
        ListedHitch(
          start: .zero + .milliseconds(second * 1000 - 500), length: .milliseconds(10 + second)),
        of: surface)
    }
    builder.extend(to: Timestamp(clamping: 10_000_000_000))
    builder.addInteraction(
      from: Timestamp(clamping: 1_500_000_000), to: Timestamp(clamping: 3_500_000_000))
    let text = Renders.text(TraceAnalyzer().analyze(builder.finish()), width: 200)
    #expect(text.contains("\n2 frames came late while scrolling;"))
    #expect(text.contains("Worst hitches (5 of 6, 4 outside interactions)"))
  }
}
