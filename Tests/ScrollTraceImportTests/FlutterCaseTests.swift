import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Real exports of DevTools, whose numbers are known.
@Suite(.needsExtraCases) struct FlutterCaseTests {
  @Test func `the frames are those that DevTools lists`() async {
    await forEachCase(
      of: [
        "devtools-performance-snapshot.json", "devtools-world-clock-export.json",
      ], oneCase)
    @Sendable func oneCase(name: String) throws {
      let files = try #require(SharedCases.json("more-expected.json")["files"] as? [String: Any])
      let expected = try #require(files["flutter/\(name)"] as? [String: Any])
      func number(_ key: String) throws -> Double {
        try #require(expected[key] as? NSNumber).doubleValue
      }
      let trace = try TraceFile.open(SharedCases.path("flutter/\(name)"))
      #expect(trace.source.format == "flutter")
      #expect(trace.surfaces.map(\.name) == ["Flutter"])
      #expect(trace.surfaces.map(\.basis) == [.deadline])
      let frames = trace.surfaces[0].frames
      #expect(Double(frames.count) == (try number("frames")))
      let lengths = try frames.map { frame in
        try (#require(frame.commitEnd) - #require(frame.start)).milliseconds
      }.sorted()
      // DevTools counts in microseconds, the vsyncs of the timeline in nanoseconds.
      #expect(try abs(#require(lengths.last) - number("elapsed_ms_max")) < 0.001)
      let middle = (lengths[lengths.count / 2] + lengths[(lengths.count - 1) / 2]) / 2
      #expect(try abs(middle - number("elapsed_p50")) < 0.001)
      #expect(lengths.count { $0 > 1000 / 60 } == (try Int(number("elapsed_over_budget"))))
      #expect(frames.allSatisfy { $0.deadline != nil })
    }
  }

  @Test func `both threads' work is imported with the names of the timeline`() throws {
    let path = try SharedCases.path("flutter/devtools-performance-snapshot.json")
    let trace = try TraceFile.open(path)
    #expect(trace.mainTrack.map(trace.displayName(of:)) == "io.flutter.1.ui")
    let raster = try #require(trace.tracks.first { $0.name == "io.flutter.1.raster" })
    #expect(raster.spans.count > 3)
  }
}
