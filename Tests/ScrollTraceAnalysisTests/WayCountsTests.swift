import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// The usual way of a recording of which a part was forgotten (M-3).
@Suite struct WayCountsTests {
  @Test func `forgetting frames does not change the usual latency`() async {
    await forEachCase(of: 0..<20, oneCase)
    @Sendable func oneCase(seed: Int) {
      var random = SeededGenerator(seed: UInt64(seed))
      let count = Int.random(in: 1...40, using: &random)
      let all = (0..<count).map { _ in Int64.random(in: -20...20, using: &random) }
      let cut = Int.random(in: 0...count, using: &random)
      var counts = WayCounts.Counts()
      for way in all[..<cut] { counts.add(way) }
      #expect(counts.median(with: Array(all[cut...])) == FrameSequence.median(all))
    }
  }

  @Test func `without latencies the usual latency is unknown`() {
    #expect(WayCounts.Counts().median(with: []) == nil)
  }

  @Test func `any number of latencies takes little memory, and the median stays close`() throws {
    var counts = WayCounts.Counts()
    for way in 0..<100_000 { counts.add(Int64(way)) }
    #expect(counts.counts.count <= 4_096)
    let median = try #require(counts.median(with: []))
    #expect((49_900...50_000).contains(median))
  }

  @Test func `frames are counted once, and only those before the limit`() throws {
    let trace = WorkedExamples.e16().trace()
    let live = LiveAnalysis(of: trace)
    var ways: [String: WayCounts] = [:]
    for limit in [200, 100, 500, 500, 300] as [Int64] {
      live.addWays(until: .zero + .milliseconds(limit), to: &ways)
    }
    let counts = try #require(ways.values.first)
    let total = max(
      counts.presented.counts.values.reduce(0, +), counts.estimated.counts.values.reduce(0, +))
    let early = (0..<trace.surfaces[0].frames.count).count {
      (trace.surfaces[0].frames[$0].start ?? .zero) < .zero + .milliseconds(500)
    }
    #expect(total == early)
    #expect(
      LiveAnalysis(of: trace, ways: ways).surfaces.map(\.hitches.count)
        == live.surfaces.map(\.hitches.count))
  }
}
