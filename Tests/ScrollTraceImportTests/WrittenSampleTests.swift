import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The samples that a test writes.
@Suite struct WrittenSampleTests {
  /// One of them.
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let format: String
    let bytes: [UInt8]
    /// How long it may be.
    let limit: Int

    init(_ name: String, _ format: String, _ bytes: some Sequence<UInt8>, limit: Int) {
      (self.name, self.format, self.bytes, self.limit) = (name, format, Array(bytes), limit)
    }

    var path: String { FrameTableSamples.path(name) }
    var testDescription: String { name }
  }

  private static let all =
    FrameTableSamples.all.map { Sample($0.0, $0.1, $0.2.utf8, limit: 16_000) }
    + [
      Sample("flutter-snapshot.json", "flutter", FlutterSample.text.utf8, limit: 48_000),
      Sample("feed.systrace", "systrace", SystraceSample.text.utf8, limit: 24_000),
      Sample("chrome-scroll.json", "chrome-json", ChromeSample.text().utf8, limit: 60_000),
      Sample("hitches.xml", "xctrace", XctraceSample.whole().utf8, limit: 16_000),
      Sample("android-feed.pftrace", "perfetto", PerfettoSample.whole(), limit: 24_000),
    ]

  @Test func `the sample in the package is what its writer produces`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(sample: Sample) throws {
      let url = URL(fileURLWithPath: sample.path)
      if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
        try Data(sample.bytes).write(to: url)
        Issue.record("the sample was written anew")
      }
      #expect(try Data(contentsOf: url) == Data(sample.bytes))
      #expect(sample.bytes.count < sample.limit)
    }
  }

  @Test func `the name of a file does not matter`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(sample: Sample) throws {
      let unknown = try TraceFile.read(MemoryByteSource(sample.bytes), path: "unknown")
      let named = try TraceFile.open(sample.path)
      #expect(unknown.source.format == sample.format && named.source.format == sample.format)
      #expect(unknown.range == named.range)
      #expect(unknown.losses.isEmpty)
    }
  }

  @Test func `flipped bits never stop a reader`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(sample: Sample) {
      let step = sample.bytes.count * 8 / (ExtraCases.isThorough ? 2_000 : 60) | 1
      forEachFlippedBit(of: sample.bytes, step: step) {
        _ = try? TraceFile.read(MemoryByteSource($0), path: "unknown")
      }
    }
  }
}
