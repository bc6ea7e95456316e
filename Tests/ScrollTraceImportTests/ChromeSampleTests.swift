import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct ChromeSampleTests {
  private static let path = PackageFiles.sample("Foreign/chrome-scroll.json")

  //             …9    10   11   12   13…    22   23   24   25   26   (refreshes, 60 Hz)
  // main        |x    |x   |    |    |x     |x   |x   |x   |x   |x
  // display     |x    |x   |x   |x   |x     |x   |    |    |    |x
  @Test func `a slow row costs main-thread updates, and a stuck screen costs swaps`() throws {
    let trace = try TraceFile.open(Self.path)
    #expect(trace.losses.isEmpty)
    #expect(trace.notices.isEmpty)
    #expect(trace.surfaces.map(\.name) == ["Display", "Main thread updates"])
    #expect(trace.surfaces.map(\.frames.count) == [29, 30])
    #expect(trace.interactions.count == 1)
    #expect(gaps(of: trace.surfaces[1]) == [3 * ChromeSample.refreshInterval])
    #expect(gaps(of: trace.surfaces[0]).map { $0 / ChromeSample.refreshInterval } == [4])
    let main = try #require(trace.mainTrack)
    #expect(trace.tracks[main.index].name == "CrRendererMain")
    #expect(trace.tracks[main.index].isCompletelyRecorded)
    // What a page measures in one call of a script is work of its thread.
    #expect(trace.asyncSpans.allSatisfy { trace.name(of: $0.label) != "row" })
    let spans = trace.tracks[main.index].spans
    let items = spans.times.indices.flatMap { trace.arguments[spans.arguments(at: $0)] }
    #expect(items.first?.value == .integer(100))
  }

  @Test func `hostile files are read in linear time or rejected`() throws {
    let count = ExtraCases.isThorough ? 20_000 : 1_000
    let event = #"{"ph":"B","ts":1,"pid":1,"tid":1,"name":"a"}"#
    let begins = "[" + Array(repeating: event, count: count).joined(separator: ",") + "]"
    #expect(try read(begins).openSpans.count == count)

    let same = #"{"ph":"b","id":1,"ts":1,"pid":1,"tid":1,"name":"a"}"#
    let asyncs = "[" + Array(repeating: same, count: count).joined(separator: ",") + "]"
    #expect(try read(asyncs).openSpans.count == count)

    let long =
      #"[{"ph":"I","ts":1,"pid":1,"tid":1,"name":""#
      + String(repeating: "x", count: 3 << 20) + "\"}]"
    let cut = try read(long)
    #expect(cut.marks.count == 1)
    #expect(cut.losses.map(\.reason) == [.limitReached])

    let names = (0..<count).map {
      #"{"ph":"I","ts":1,"pid":\#($0),"tid":\#($0),"name":"n\#($0)"}"#
    }
    #expect(try read(Array("[\(names.joined(separator: ","))]".utf8)).tracks.count == count)

    for byte: UInt8 in [0x00, 0xFF, 0x5B, 0x7B, 0x22, 0x20] {
      let bytes = [UInt8](repeating: byte, count: ExtraCases.isThorough ? 1 << 20 : 1 << 16)
      #expect(throws: ImportError.self) { try read(bytes) }
    }
    let twice = Array((ChromeSample.text() + ChromeSample.text()).utf8)
    #expect(try read(twice).losses.map(\.reason) == [.damagedBytes])
  }

  private func gaps(of surface: Surface) -> [Int] {
    let times = (0..<surface.frames.count).compactMap { surface.frames[$0].time?.nanoseconds }
    return zip(times.dropFirst(), times).map { Int(($0 - $1) / 1000) }
      .filter { $0 * 2 > ChromeSample.refreshInterval * 3 }
  }
}
