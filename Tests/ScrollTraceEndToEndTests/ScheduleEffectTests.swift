import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What the records of a scheduler change in the report on a trace of Perfetto (M-25).
@Suite struct ScheduleEffectTests {
  /// A field of a message.
  private static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(bytes.count) + bytes
  }

  private static func field(_ number: Int, _ value: Int) -> [UInt8] {
    varint(number << 3) + varint(value)
  }

  private static func varint(_ value: Int) -> [UInt8] {
    var (rest, bytes) = (UInt64(value), [UInt8]())
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// A packet in which the main thread, 4242, and thread 99 of another program take one core from each
  /// other every 50 µs.
  private static func switches(_ count: Int, from start: Int64) -> [UInt8] {
    let events = (0..<count).flatMap { index in
      let (from, to) = index % 2 == 0 ? (4242, 99) : (99, 4242)
      let change =
        field(1, Array("a".utf8)) + field(2, from) + field(4, 0) + field(5, Array("b".utf8))
        + field(6, to)
      return field(2, field(1, Int(start) + index * 50_000) + field(2, from) + field(4, change))
    }
    return field(1, field(1, field(1, 0) + events))
  }

  @Test
  func `200 records of the scheduler more or fewer change the report, and are counted`() throws {
    let sample = PackageFiles.url("SampleTraces/Foreign/android-feed.pftrace")
    let bytes = [UInt8](try Data(contentsOf: sample))
    func analysis(_ count: Int, from start: Int64 = 0) throws -> (hitch: Attribution, slices: Int) {
      let trace = try TraceFile.read(bytes + (count > 0 ? Self.switches(count, from: start) : []))
      let analysis = TraceAnalyzer().analyze(trace)
      let surface = try #require(analysis.surfaces.first { $0.name == "com.example.feed" })
      return (
        try #require(surface.hitches.first?.attribution),
        trace.tracks.reduce(0) { $0 + $1.threadStates.count }
      )
    }
    let without = try analysis(0)
    #expect(without.slices == 0 && without.hitch.thread == nil)
    let start = without.hitch.window.start.nanoseconds + 1_000_000
    let (some, all) = try (analysis(200, from: start), analysis(400, from: start))
    #expect(all.slices - some.slices == 400)
    // Every other 50 µs the thread was ready.
    #expect(some.hitch.notScheduled == .milliseconds(5))
    #expect(all.hitch.notScheduled == .milliseconds(10))
    let (before, after) = (without.hitch.causes, all.hitch.causes)
    #expect(before.map(\.name) == after.map(\.name))
    #expect(after[0].selfTime < before[0].selfTime)
  }
}
