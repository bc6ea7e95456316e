import Foundation
import ScrollTraceKit
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace inspect` on the samples.
struct InspectTests {
  let console = CapturedConsole()

  private static let samples = [
    "damaged", "feed-commit-hitches", "feed-smooth", "killed-mid-scroll", "rate-change",
    "stall-without-frames",
  ]

  private static func path(_ sample: String) -> String {
    PackageFiles.sample("\(sample).fxt")
  }

  @Test func `a finished recording that was cut later says so`() throws {
    let whole = try PackageFiles.bytes(of: "feed-smooth.fxt")
    let path = try console.file("cut.fxt", Array(whole.prefix(whole.count / 2)))
    #expect(console.run("inspect", path) == .lossy)
    #expect(console.output.contains("Finished yes, but cut later"))
  }

  @Test func `hitches listed by the source are content too`() throws {
    #expect(console.run("inspect", PackageFiles.sample("Foreign/hitches.xml")) == .done)
    #expect(console.output.contains("5 listed hitches"))
  }

  @Test func `a summary describes the content of a sample`() async {
    await forEachCase(of: Self.samples, oneCase)
    @Sendable func oneCase(sample: String) throws {
      let console = CapturedConsole()
      let status = console.run("inspect", Self.path(sample))
      #expect(status == (sample == "damaged" ? .lossy : .done))
      #expect(console.output.contains("Chunks "))
      #expect(console.output.contains("complete  scrolltrace.phase"))
      #expect(console.output.contains("DAMAGE") == (sample == "damaged"))
      #expect(console.output.contains("OPEN SPANS AT THE END") == (sample == "killed-mid-scroll"))
      let lines = console.output.split { $0 == "\n" }
      #expect(lines.dropFirst().allSatisfy { $0.count <= 80 })
    }
  }

  @Test func `a summary counts time from the start of the trace, whatever its clock`() throws {
    _ = console.run("inspect", Self.path("feed-commit-hitches"))
    #expect(console.output.contains("DROPS     FROM       TO"))
    #expect(
      console.output.contains("  main (main, id 1)     2262       3      0  0.000 s  3.317 s"))
  }

  @Test func `missing chunks have a column, and no row is wider than 80 columns`() throws {
    var bytes = try PackageFiles.bytes(of: "feed-smooth.fxt")
    // The second of the main thread's three chunks was never written.
    var pad = FXTWriter()
    pad.appendPad(words: RecordingLayout.chunkSize / 8)
    let second = RecordingLayout.pageSize + 4 * RecordingLayout.chunkSize
    bytes.replaceSubrange(second..<(second + 8), with: pad.bytes.prefix(8))
    // The time of the first event of its first chunk is far off, which makes a column wide.
    var position = RecordingLayout.pageSize + RecordingLayout.chunkSize
    while bytes[position] & 0xF != 4 {
      position += (Int(bytes[position]) >> 4 | Int(bytes[position + 1]) << 4) * 8
    }
    bytes[position + 15] = 0x40
    let path = try console.file("gap.fxt", bytes)
    #expect(console.run("inspect", path) == .lossy)
    let lines = console.output.split { $0 == "\n" }
    #expect(lines.contains { $0.contains("RECORDS  CHUNKS  MISSING  DROPS") })
    let main = try #require(lines.first { $0.hasPrefix("  main (main, id 1) ") })
    #expect(main.split(separator: " ").dropFirst(5).prefix(2) == ["2", "1"])
    #expect(lines.dropFirst().allSatisfy { $0.count <= 80 })
    _ = console.run("inspect", Self.path("feed-smooth"))
    #expect(!console.output.contains("MISSING"))
  }

  @Test func `sampled stacks are content, with their number per thread`() throws {
    var builder = TraceBuilder(format: "test")
    let process = builder.process(1)
    for (id, count) in [(7, 3), (8, 1)] as [(UInt64, Int64)] {
      let series = builder.sampleSeries(of: builder.track(id, of: process), reach: .middle)
      let function = builder.sampledFunction(builder.string("work"), in: .empty)
      let stack = builder.stack(of: function, calledBy: .empty) ?? .empty
      for time in 0..<count {
        builder.addSample(of: stack, at: Timestamp(clamping: time), to: series)
      }
    }
    let inspection = TraceInspection(
      path: "a", trace: builder.finish(), inventory: nil, sink: .terminal)
    #expect(inspection.text.contains("4 sampled stacks"))
    #expect(inspection.text.contains("\n  Samples  3 on thread 7, 1 on thread 8\n"))
    #expect(inspection.json.text.contains("\"sampledStacks\": 4"))
    let smooth = CapturedConsole()
    _ = smooth.run("inspect", Self.path("feed-smooth"))
    #expect(!smooth.output.contains("Samples"))
  }

  @Test func `a summary is JSON on request`() throws {
    #expect(console.run("inspect", Self.path("damaged"), "--format", "json") == .lossy)
    let object = try console.json()
    #expect(object["schema"].string == "scrolltrace.inspection/2")
    #expect(object["damage"].count == object["damagedPlaces"].integer)
    #expect(object["records"].array.contains { $0["category"].string == "scrolltrace.frame" })
  }
}
