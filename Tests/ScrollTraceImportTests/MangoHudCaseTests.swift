import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// A real log of MangoHud, whose numbers are known.
@Suite(.needsExtraCases) struct MangoHudCaseTests {
  private static func trace(_ name: String) throws -> Trace {
    try TraceFile.open(try SharedCases.path(name))
  }

  @Test func `MangoHud's frames match those of the list's own log`() throws {
    let trace = try Self.trace("mangohud/gtk_prefetch_listscroll_2026-11-20_22-20-19.csv")
    #expect(trace.losses.isEmpty)
    let frames = trace.surfaces[0].frames
    #expect(frames.count == 427)
    let begins = frames.compactMap { $0.start?.nanoseconds }.map { Double($0) / 1e6 }
    let path = try SharedCases.path("mangohud/gtk_prefetch.frames.csv")
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
    let painted = rows.compactMap { Double($0.split(separator: ",")[7]) }.map { $0 / 1e3 }
    // Both tell when a frame was handed over, by clocks that differ by a constant.
    let lengths = zip(painted.dropFirst(), painted).map { (end: $0, length: $0 - $1) }
    let offset: Double = painted[55] - begins[5]
    var (all, same) = (0, 0)
    for (begin, end) in zip(begins, begins.dropFirst()) where (20.0...100.0).contains(end - begin) {
      let near = lengths.filter { abs($0.end - end - offset) < 1 }
      guard !near.isEmpty else { continue }
      all += 1
      let length: Double = end - begin
      same += near.contains { abs($0.length - length) < 0.2 } ? 1 : 0
    }
    #expect(all >= 12)
    #expect(same * 4 >= all * 3, "\(same) of \(all)")
  }
}
