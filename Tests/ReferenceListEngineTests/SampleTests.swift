import ScrollTraceRecorder
import Foundation
import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The files in `SampleTraces`: how they are made, and what is in them.
@Suite struct SampleTests {
  static let folder = PackageFiles.url("SampleTraces")
  static let names = SampleTraces.all.map(\.name)

  /// A sample as it lies in the folder, with the path that a reader of the repository would type.
  static func analysis(_ name: String) throws -> Analysis {
    try analyses.value(for: name)
  }

  private static let analyses = MadeOnce<String, Analysis> { name in
    let bytes = try Data(contentsOf: folder.appendingPathComponent("\(name).fxt"))
    let trace = try TraceFile.read([UInt8](bytes), path: "SampleTraces/\(name).fxt")
    return TraceAnalyzer().analyze(trace)
  }

  private func sample(_ name: String) throws -> SampleTrace {
    try #require(SampleTraces.all.first { $0.name == name })
  }

  @Test func `a regenerated sample has the same bytes`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let scratch = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(UUID().uuidString).fxt").path
      let made = try sample(name).bytes(scratch: scratch)
      #expect(!FileManager.default.fileExists(atPath: scratch))
      let kept = try Data(contentsOf: Self.folder.appendingPathComponent("\(name).fxt"))
      // Compared in one: what differs would be looked for for hours.
      let isSame = made == [UInt8](kept)
      #expect(isSame, "scrolltrace demo --write-samples SampleTraces makes it anew")
      #expect(made.count < 300_000)
    }
  }

  @Test func `the analysis finds what each sample was made to show`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      guard let expected = try sample(name).expectation else { return }
      let analysis = try Self.analysis(name)
      let surface = try #require(analysis.surfaces.first)
      #expect(analysis.surfaces.count == 1)
      #expect(surface.basis == .target)
      #expect(surface.counts.total == expected.frames)
      #expect(surface.counts.presented == expected.presented)
      #expect(surface.counts.deadlineMisses == expected.deadlineMisses)
      #expect(surface.counts.hitches == expected.hitches)
      #expect(surface.hitchTime?.nanoseconds == expected.hitchTime)
      #expect(surface.measuredTime.kind == .interaction)
      #expect(surface.measuredTime.duration.nanoseconds == expected.moving)
      let ratio = try #require(surface.ratio?.millisecondsPerSecond)
      #expect((ratio * 100).rounded() / 100 == expected.ratio)
      #expect(surface.interactions.map(\.kind) == expected.interactions)
      #expect(surface.stalls?.count == expected.stalls)
      #expect(analysis.trace.losses.count == expected.losses)
      let main = try #require(analysis.trace.mainTrack)
      let open = analysis.trace.openSpans.filter { $0.track == main }
      #expect(open.map { analysis.trace.name(of: $0.label) } == expected.openSpans)
    }
  }

  @Test func `the engine's counts match the expected ones for a whole sample`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let sample = try sample(name)
      guard case .finished = sample.fate else { return }
      let counters = try sample.play().counters
      if let expectation = sample.expectation {
        #expect(counters.frames == expectation.frames)
        #expect(counters.deadlineMisses == expectation.deadlineMisses)
        #expect(counters.hitches == expectation.hitches)
        #expect(counters.cellsReused > 0)
      }
      let surface = try #require(Self.analysis(name).surfaces.first)
      #expect(surface.counts.deadlineMisses == counters.deadlineMisses)
      try surface.expectHitches(of: counters)
    }
  }

  @Test func `every sample is explained, and every row names where it is visible`() throws {
    let readme = try PackageFiles.text("SampleTraces/README.md")
    let page = try PackageFiles.text(
      "Sources/ReferenceListEngine/ReferenceListEngine.docc/ReferenceListEngine.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| S-") }
    for name in Self.names { #expect(readme.contains("| `\(name).fxt` |"), "\(name)") }
    #expect(rows.count == 17)
    for (number, row) in rows.enumerated() {
      #expect(row.hasPrefix("| S-\(number + 1) |"))
      let samples = row.split(separator: "`").filter { Self.names.contains(String($0)) }
      #expect(!samples.isEmpty, "\(row)")
    }
  }

  @Test func `the samples are small`() throws {
    let files = try #require(FileManager.default.enumerator(atPath: Self.folder.path))
    var size = 0
    for case let file as String in files {
      let path = Self.folder.appendingPathComponent(file).path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      // What a folder takes for its list is no sample.
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      size += attributes[.size] as? Int ?? 0
    }
    #expect(size < 7_000_000)
  }
}
