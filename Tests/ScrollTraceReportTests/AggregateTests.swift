import Foundation
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct AggregateTests {
  private static var analysis: Analysis {
    var builder = TraceBuilder(format: "gfxinfo")
    builder.setBasis(.aggregate, of: builder.surface("com.example"))
    builder.addAggregate(
      Aggregate("totalFrames", unit: "frames", values: [21], source: "com.example"))
    builder.addAggregate(
      Aggregate("frameTimeP50", unit: "ms", values: [19.5], source: "com.example"))
    builder.addAggregate(
      Aggregate("histogram", unit: "frames", values: [1, 2, 18], source: "com.example"))
    return TraceAnalyzer().analyze(builder.finish())
  }

  @Test func `M-2: sums of the source are reported unchanged, and nothing is evaluated`() throws {
    let text = JSONRenderer().render(Report([Self.analysis]))
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let run = try #require((report["runs"] as? [[String: Any]])?.first)
    let told = try #require(run["aggregates"] as? [[String: Any]])
    #expect(told.map { $0["metric"] as? String } == ["totalFrames", "frameTimeP50", "histogram"])
    #expect(told.map { $0["values"] as? [Double] } == [[21], [19.5], [1, 2, 18]])
    let surface = try #require((run["surfaces"] as? [[String: Any]])?.first)
    #expect(surface["basis"] as? String == "aggregate")
    #expect(surface["hitchTimeNs"] is NSNull)
    #expect((surface["frames"] as? [String: Any])?["total"] is NSNull)
  }

  @Test func `the next step names where the frames are`() async {
    await forEachCase(of: [
      ("macrobenchmark", "*.perfetto-trace"), ("flashlight", "dumpsys gfxinfo"),
      ("xctest", "Instruments"), ("metrickit", "Instruments"), ("flutter", "record frames"),
      ("long-animation-frames", "scrolltrace.js"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ format: String, _ words: String) throws {
      var builder = TraceBuilder(format: format)
      builder.setBasis(.aggregate, of: builder.surface("feed"))
      builder.addAggregate(Aggregate("a", unit: "", values: [1], source: "feed"))
      let text = Renders.text(TraceAnalyzer().analyze(builder.finish()))
      #expect(text.split(separator: "Next:").last?.contains(words) == true)
    }
  }

  @Test func `the text report lists what has one value, and names what it omits`() {
    let text = Renders.text(Self.analysis)
    #expect(text.contains("NOT MEASURABLE  the source reports totals, not frames"))
    #expect(text.contains("  com.example  totalFrames      21  frames"))
    #expect(text.contains("  com.example  frameTimeP50  19.50  ms"))
    #expect(text.contains("and 1 more; --format json lists all"))
    #expect(!text.contains("main thread"), "where all there is are sums, no thread is missed")
  }
}
