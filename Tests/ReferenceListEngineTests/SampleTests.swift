import Foundation
import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceReport
import Testing

/// The files in `SampleTraces`: how they are made, what is in them, and what is said of them.
@Suite struct SampleTests {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("SampleTraces")
  static let names = SampleTraces.all.map(\.name)

  /// A sample as it lies in the folder, with the path that a reader of the repository would type.
  static func analysis(_ name: String) throws -> Analysis {
    let bytes = try Data(contentsOf: folder.appendingPathComponent("\(name).fxt"))
    let trace = try TraceFile.read(
      MemoryByteSource([UInt8](bytes)), path: "SampleTraces/\(name).fxt")
    return TraceAnalyzer().analyze(trace)
  }

  private func sample(_ name: String) throws -> SampleTrace {
    try #require(SampleTraces.all.first { $0.name == name })
  }

  @Test(arguments: names)
  func `a sample made anew has the same bytes`(name: String) throws {
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).fxt").path
    let made = try sample(name).bytes(scratch: scratch)
    #expect(!FileManager.default.fileExists(atPath: scratch))
    let kept = try Data(contentsOf: Self.folder.appendingPathComponent("\(name).fxt"))
    // Compared in one: what differs would be looked for for hours.
    let isSame = made == [UInt8](kept)
    #expect(isSame, "scrolltrace demo --samples SampleTraces makes it anew")
    #expect(made.count < 300_000)
  }

  @Test(arguments: names)
  func `the analysis finds what a sample is made to show`(name: String) throws {
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

  @Test(arguments: names)
  func `the engine has counted what is expected of a whole sample`(name: String) throws {
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
    #expect(surface.counts.total == counters.frames)
    #expect(surface.counts.deadlineMisses == counters.deadlineMisses)
    #expect(surface.counts.hitches == counters.hitches)
    let hitchTime = try #require(surface.hitchTime) + (surface.hitchTimeOutsideInteractions ?? .zero)
    #expect(hitchTime.nanoseconds == counters.hitchTime)
  }

  @Test func `every sample is explained, and every row names where it is seen`() throws {
    let readme = try String(
      contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
    let page = Self.folder.deletingLastPathComponent().appendingPathComponent(
      "Sources/ReferenceListEngine/ReferenceListEngine.docc/ReferenceListEngine.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| S-") }
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
    #expect(size < 6_000_000)
  }

  @Test(arguments: names)
  func `the reports on a sample are those that are kept`(name: String) throws {
    let report = Report([try Self.analysis(name)])
    for (ending, renderer) in Self.forms {
      let text = renderer.render(report)
      try expect(text, in: "\(name).\(ending)")
      // A page that is to be opened anywhere, and sent by mail.
      #expect(text.utf8.count < 1_000_000)
    }
  }

  /// Every form of a report, by the ending of its files.
  private static let forms: [(ending: String, renderer: any ReportRenderer)] = [
    ("txt", TextRenderer()), ("json", JSONRenderer()), ("md", MarkdownRenderer()),
    ("html", HTMLRenderer()), ("xml", JUnitRenderer()), ("github.txt", GitHubRenderer()),
    ("prom", OpenMetricsRenderer()), ("benchmark.json", BenchmarkActionRenderer()),
    ("bmf.json", BencherRenderer()),
  ]

  @Test func `the comparison of the panel's first run with its third is the one that is kept`()
    throws
  {
    let comparison = Comparison(
      base: [try Self.analysis("panel-1-on-demand")], new: [try Self.analysis("panel-3-background")]
    )
    let report = Report(comparison)
    try expect(TextRenderer().render(report), in: "panel-1-with-3.txt")
    try expect(JSONRenderer().render(report), in: "panel-1-with-3.json")
    try expect(MarkdownRenderer().render(report), in: "panel-1-with-3.md")
    try expect(HTMLRenderer().render(report), in: "panel-1-with-3.html")
  }

  @Test func `what is predicted of the panel's first run is what is kept`() throws {
    let run = try Self.analysis("panel-1-on-demand")
    let report = Report([run], predictions: [PredictionReport(of: run)])
    try expect(TextRenderer().render(report), in: "panel-1-predicted.txt")
    try expect(JSONRenderer().render(report), in: "panel-1-predicted.json")
  }

  /// Compares with the golden file, or rewrites it where RECORD_GOLDENS is set, and fails then.
  private func expect(_ text: String, in file: String) throws {
    let url = Self.folder.appendingPathComponent("Reports/\(file)")
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
      Issue.record("recorded \(file); run again without RECORD_GOLDENS")
      return
    }
    let kept = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text == kept, "RECORD_GOLDENS=1 swift test --filter SampleTests rewrites it")
  }
}
