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
      let unknown = try read(sample.bytes)
      let named = try TraceFile.open(sample.path)
      #expect(unknown.source.format == sample.format && named.source.format == sample.format)
      #expect(unknown.range == named.range)
      #expect(unknown.losses.isEmpty)
    }
  }

  @Test func `every truncated sample is an error, is reported or has less in it`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(sample: Sample) throws {
      let bytes = sample.bytes
      let whole = try read(bytes)
      // The last byte may be white space, whose loss loses nothing.
      let step = bytes.count / (ExtraCases.isThorough ? 2_000 : 40) | 1
      for count in stride(from: 0, to: bytes.count - 1, by: step) {
        guard let trace = try? read(Array(bytes[..<count])) else { continue }
        #expect(trace.frameCount <= whole.frameCount, "cut at \(count)")
        if ["flutter", "chrome-json", "xctrace"].contains(sample.format) {
          #expect(!trace.losses.isEmpty && !trace.isComplete, "cut at \(count)")
        } else if sample.format == "perfetto" {
          // Cut between two packets nothing is missing but what never came.
          let isCut = trace.lossCounts[.cutAtEnd] != nil
          #expect(isCut == (trace.source.wasClosed == false), "cut at \(count)")
        }
      }
    }
  }

  @Test func `flipped bits never stop a reader`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(sample: Sample) {
      let step = sample.bytes.count * 8 / (ExtraCases.isThorough ? 2_000 : 30) | 1
      forEachFlippedBit(of: sample.bytes, step: step) { _ = try? read($0) }
    }
  }

  @Test func `no swapped value stops a reader`() async {
    await forEachCase(of: Self.all.filter { $0.format != "perfetto" }, oneCase)
    @Sendable func oneCase(sample: Sample) {
      let (bytes, ends) = (sample.bytes, Set(",:}]<>\n".utf8))
      let places = bytes.indices.filter { ends.contains(bytes[$0]) }
      let hostile = [
        "null", "true", "-1", "1e300", "-1e-300", "1e-400", "-0", "0x10", "9223372036854775807",
        "-9223372036854775808", "99999999999999999999999", "1e999", "\"\"", "\"NaN\"", "[]", "{}",
        "[[[[1]]]]", "NaN", "inf", "NA", "", "\"", "\"a,b\"", ",", "\u{FFFD}", "\"\\ud800\"",
        "[null,{},\"x\",1e99]", "0.5", "2", String(repeating: "9", count: 5000),
        String(repeating: "[", count: 200),
      ]
      for (index, value) in ExtraCases.some(15, of: Array(hostile.enumerated())) {
        // Each value stands in other places, all over the file.
        let step = max(1, places.count / (ExtraCases.isThorough ? 15 : 2))
        for place in stride(from: index % step, to: places.count - 1, by: step) {
          _ = try? read(
            Array(bytes[...places[place]]) + Array(value.utf8) + bytes[places[place + 1]...])
        }
      }
    }
  }

  @Test func `text of another encoding is rejected`() async {
    await forEachCase(of: Self.all.filter { $0.format != "perfetto" }, oneCase)
    @Sendable func oneCase(sample: Sample) throws {
      let units = String(decoding: sample.bytes, as: UTF8.self).utf16
      let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
        let error = #expect(throws: ImportError.self) { try read(bytes) }
        #expect(error?.description.contains("UTF-16") == true)
      }
    }
  }
}

extension Trace {
  fileprivate var frameCount: Int { surfaces.reduce(0) { $0 + $1.frames.count } }
}
