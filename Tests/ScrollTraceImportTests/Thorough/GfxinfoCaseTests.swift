import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Real dumps of Android, whose numbers are known.
@Suite(.needsExtraCases) struct GfxinfoCaseTests {
  private static func trace(_ name: String) throws -> Trace {
    try TraceFile.open(try SharedCases.path(name))
  }

  private static func expected(_ name: String) throws -> [String: Any] {
    let files = try #require(SharedCases.json("more-expected.json")["files"] as? [String: Any])
    return try #require(files[name] as? [String: Any])
  }

  @Test func `M-2: Android's own sums are reported unchanged`() async {
    await forEachCase(
      of: ["flashlight-GfxInfoSample.txt", "flashlight-sample-gfxinfo-output.txt"], oneCase)
    @Sendable func oneCase(name: String) throws {
      let expected = try Self.expected("gfxinfo/\(name)")
      let section = try #require((expected["sections"] as? [[String: Any]])?.first)
      let trace = try Self.trace("gfxinfo/\(name)")
      #expect(trace.losses.isEmpty)
      #expect(trace.surfaces.map(\.basis) == [.aggregate])
      #expect(trace.surfaces.map(\.name) == [section["package"] as? String])
      func value(_ metric: String) -> Double? {
        trace.aggregates.first { $0.metric == metric }?.values.first
      }
      for (key, metric) in [
        ("total_frames", "totalFrames"), ("janky", "jankyFrames"),
        ("janky_legacy", "jankyFramesLegacy"), ("p50_ms", "frameTimeP50"),
        ("p90_ms", "frameTimeP90"), ("p95_ms", "frameTimeP95"), ("p99_ms", "frameTimeP99"),
        ("missed_vsync", "missedVsync"), ("deadline_missed", "frameDeadlineMissed"),
      ] {
        #expect(value(metric) == (section[key] as? NSNumber)?.doubleValue, "\(key)")
      }
      let histogram = try #require(trace.aggregates.first { $0.metric == "frameTimeHistogram" })
      #expect(histogram.values.reduce(0, +) == value("totalFrames"))
      let rows = expected["profile_rows"] as? [[String: Any]] ?? []
      let lengths = trace.aggregates.filter { $0.metric == "frameLengths" }.map(\.values)
      #expect(lengths.map(\.count) == rows.compactMap { $0["rows"] as? Int })
      for (row, lengths) in zip(rows, lengths) {
        #expect(lengths.count { $0 > 16.667 } == row["rows_over_16.667"] as? Int)
        let longest = try #require(row["sum_ms_max"] as? Double)
        #expect(try abs(#require(lengths.max()) - longest) < 1e-6)
      }
    }
  }
}
