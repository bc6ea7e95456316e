import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What a recording has lost never adds hitch time (M-3).
@Suite struct LostChunkTests {
  private static let names = ["interactions", "image-thumbnails", "feed-commit-hitches"]

  @Test
  func `a recording without some of its chunks has no hitch that the whole one has not`() async {
    await forEachCase(of: ExtraCases.some(1, of: Self.names), oneCase)
    @Sendable func oneCase(name: String) throws {
      let data = try Data(contentsOf: URL(fileURLWithPath: PackageFiles.sample("\(name).fxt")))
      let whole = [UInt8](data)
      let expected = try Self.figures(whole)
      #expect(!expected.isEmpty)
      let size = RecordingLayout.chunkSize
      let starts = Array(stride(from: RecordingLayout.pageSize, to: whole.count, by: size))
      for start in ExtraCases.some(3, of: starts) {
        let end = min(start + size, whole.count)
        var flipped = whole
        for index in start + 20_000..<max(start + 20_000, min(end, start + 20_040)) {
          flipped[index] ^= 0x5A
        }
        let cut = Array(whole[..<((start + end) / 2)])
        let dropped = Array(whole[..<start] + whole[end...])
        for (what, bytes) in [("flipped", flipped), ("cut", cut), ("dropped", dropped)] {
          for (surface, time) in try Self.figures(bytes) {
            #expect(time <= expected[surface] ?? .zero, "\(name) at \(start) \(what): \(surface)")
          }
        }
      }
    }
  }

  /// The hitch time of each surface.
  private static func figures(_ bytes: [UInt8]) throws -> [String: TimeSpan] {
    let trace = try TraceFile.read(MemoryByteSource(bytes), path: "run.fxt")
    let surfaces = TraceAnalyzer().analyze(trace).surfaces
    return Dictionary(uniqueKeysWithValues: surfaces.map { ($0.name, $0.hitchTime ?? .zero) })
  }
}
