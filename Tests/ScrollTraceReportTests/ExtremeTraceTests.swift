import Foundation
import ScrollTraceAnalysis
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing

@Suite struct ExtremeTraceTests {
  /// Times as damaged files hold them: nothing, a little, everything.
  private static let times: [Int64] = [
    0, 1, 16_666_667, 1_000_000_000, 1 << 40, 1 << 62, Int64.max - 1, Int64.max,
  ]

  @Test func `times at the ends of the clock break no report`() async {
    await forEachCase(of: ExtraCases.some(2, of: 1...20), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      func time() -> Timestamp? {
        Self.times.randomElement(using: &random).map { base in
          let (sum, overflow) = base.addingReportingOverflow(
            Int64.random(in: 0...50_000_000, using: &random))
          return Timestamp(clamping: overflow ? base : sum)
        }
      }
      func maybe() -> Timestamp? { Bool.random(using: &random) ? time() : nil }
      var builder = TraceBuilder(format: "drawn")
      let main = builder.mainThread()
      let surface = builder.surface("display")
      for id in 0..<60 {
        builder.updateFrame(
          id, of: surface, start: maybe(), commitStart: maybe(), commitEnd: maybe(),
          deadline: maybe(), target: maybe(), presented: maybe(),
          refreshInterval: TimeSpan(
            nanoseconds: [1, 8_333_333, 16_666_667, 3_600_000_000_000, Int64.max].randomElement(
              using: &random) ?? 1))
        builder.addSpan(
          on: main, from: time() ?? .zero, to: time() ?? .zero,
          label: builder.label(category: "work", name: "w\(id % 5)"))
      }
      builder.addInteraction(
        Interaction(kind: "drag", start: time() ?? .zero, end: maybe(), surface: nil))
      let analysis = TraceAnalyzer().analyze(builder.finish())
      for tier in GraphCharset.allCases {
        #expect(!Renders.text(analysis, width: 60, tier: tier).isEmpty)
        for frame in stride(from: seed % 7, to: 60, by: ExtraCases.isThorough ? 7 : 20) {
          #expect(!FrameViewTests.text(analysis, frame, width: 60, tier: tier).isEmpty)
        }
      }
      let json = JSONRenderer(includesSeries: true).render(Report([analysis]))
      _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
    }
  }
}
