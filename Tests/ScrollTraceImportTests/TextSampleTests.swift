import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The samples that are text and that a test writes.
@Suite struct TextSampleTests {
  /// One of them.
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let format: String
    let text: String
    /// How long it may be.
    let limit: Int

    var path: String { FrameTableSamples.path(name) }
    var testDescription: String { name }
  }

  private static let all =
    FrameTableSamples.all.map { Sample(name: $0.0, format: $0.1, text: $0.2, limit: 16_000) }
    + [
      Sample(
        name: "flutter-snapshot.json", format: "flutter", text: FlutterSample.text, limit: 48_000),
      Sample(
        name: "feed.systrace", format: "systrace", text: SystraceSample.text, limit: 24_000),
    ]

  @Test func `the sample in the package is what its writer produces`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(sample: Sample) throws {
      let url = URL(fileURLWithPath: sample.path)
      if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
        try Data(sample.text.utf8).write(to: url)
        Issue.record("the sample was written anew")
      }
      #expect(try Data(contentsOf: url) == Data(sample.text.utf8))
      #expect(sample.text.utf8.count < sample.limit)
    }
  }

  @Test func `the name of a file does not matter`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(sample: Sample) throws {
      let bytes = Array(sample.text.utf8)
      let unknown = try TraceFile.read(MemoryByteSource(bytes), path: "unknown")
      let named = try TraceFile.open(sample.path)
      #expect(unknown.source.format == sample.format && named.source.format == sample.format)
      #expect(unknown.range == named.range)
      #expect(unknown.losses.isEmpty)
    }
  }
}
