import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The times of which a source says that it lost the frames.
@Suite struct LostTimeImportTests {
  private func read(_ bytes: [UInt8]) throws -> Trace {
    try TraceFile.read(MemoryByteSource(bytes), path: "unknown")
  }

  /// A Perfetto trace of an app's frames at the given milliseconds, all by one writer; those in `lost`
  /// follow packets that it lost.
  private func perfetto(_ frames: [Int64], lost: Set<Int64>) -> [UInt8] {
    var packets = ProtoWriter()
    for (number, milliseconds) in frames.enumerated() {
      let start = 1_000_000_000 + milliseconds * 1_000_000
      packets.message(1) { packet in
        packet.number(8, start)
        packet.number(10, UInt64(9))
        if lost.contains(milliseconds) { packet.number(42, UInt64(1)) }
        packet.message(76) { event in
          event.message(4) {
            $0.number(1, UInt64(number + 1))
            $0.number(2, UInt64(number + 100))
            $0.number(3, UInt64(number + 500))
            $0.number(4, UInt64(4242))
            $0.text(5, "TX - app/app.Activity#1")
            $0.number(6, UInt64(1))
          }
        }
      }
      packets.message(1) { packet in
        packet.number(8, start + 8_000_000)
        packet.number(10, UInt64(9))
        packet.message(76) { event in event.message(5) { $0.number(1, UInt64(number + 1)) } }
      }
    }
    return packets.bytes
  }

  @Test func `packets that a writer of Perfetto lost leave a hole in its sequence`() throws {
    let whole = try read(perfetto([0, 16, 33, 150, 166], lost: []))
    #expect(whole.surfaces.map(\.holes) == [[]])
    let lossy = try read(perfetto([0, 16, 33, 150, 166], lost: [150]))
    let first = Timestamp.zero + .milliseconds(1_041)
    let last = Timestamp.zero + .milliseconds(1_150)
    #expect(lossy.surfaces.map(\.holes) == [[TimeRange(start: first, end: last)]])
    #expect(lossy.losses.map(\.reason) == [.sourceDroppedRecords])
  }

  @Test func `nothing is known of a process of Chrome after its buffer was full`() throws {
    let text = ChromeSample.text()
    let start = try #require(text.firstRange(of: "\"traceEvents\":["))
    let range = try read(Array(text.utf8)).range
    let middle = range.start + TimeSpan(nanoseconds: range.length.nanoseconds / 2)
    func trace(process: Int) throws -> Trace {
      let event =
        #"{"ph":"M","pid":\#(process),"tid":1,"ts":0,"name":"trace_buffer_overflowed","#
        + #""args":{"overflowed_at_ts":"\#(middle.nanoseconds / 1000)"}},"#
      var text = text
      text.insert(contentsOf: event, at: start.upperBound)
      return try read(Array(text.utf8))
    }
    let from = Timestamp(clamping: middle.nanoseconds / 1000 * 1000)
    let full = try trace(process: 2)
    let hole = TimeRange(start: from, end: range.end)
    #expect(full.surfaces.map(\.holes) == [[hole], [hole]])
    #expect(full.losses.map(\.reason) == [.sourceDroppedRecords])
    // Another process says nothing of the page's frames.
    #expect(try trace(process: 999_999).surfaces.allSatisfy(\.holes.isEmpty))
  }

  @Test func `of two spans with equal times the one written later is the outer one`() throws {
    func names(_ lines: [String]) throws -> [String] {
      let text = "{\"scrolltrace\":\"ndjson/1\",\"unit\":\"ns\"}\n" + lines.joined(separator: "\n")
      let trace = try read(Array((text + "\n").utf8))
      let spans = trace.tracks[0].spans
      return (0..<spans.count).map { trace.name(of: spans[$0].label) }
    }
    let times = #""begin":100,"end":200"#
    let spans = ["inner", "middle", "outer"].map { #"{"span":"\#($0)",\#(times)}"# }
    let before = #"{"span":"before","begin":50,"end":100}"#
    #expect(try names(spans + [before]) == ["before", "outer", "middle", "inner"])
    // A frame's commit is around what it was made of, wherever its line is.
    let frame = #"{"frame":1,"commitStart":100,"commitEnd":200}"#
    for place in 0...3 {
      var lines = spans
      lines.insert(frame, at: place)
      #expect(try names(lines) == ["display", "outer", "middle", "inner"])
    }
  }
}
