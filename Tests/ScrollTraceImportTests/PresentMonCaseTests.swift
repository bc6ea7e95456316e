import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Real tables of PresentMon and CapFrameX, whose numbers are known.
@Suite(.needsExtraCases) struct PresentMonCaseTests {
  private static func trace(_ name: String) throws -> Trace {
    try TraceFile.open(try SharedCases.path(name))
  }

  private static func expected(_ name: String) throws -> [String: Any] {
    let files = try #require(SharedCases.json("more-expected.json")["files"] as? [String: Any])
    return try #require(files[name] as? [String: Any])
  }

  @Test func `CapFrameX's files have the expected frames`() async {
    await forEachCase(
      of: [
        "CapFrameXFileWithHeader.csv", "PresentMonTestOutputFilename.csv", "ShortFile.csv",
        "InvalidColumnFile.csv",
      ], oneCase)
    @Sendable func oneCase(name: String) throws {
      let expected = try Self.expected("capframex/\(name)")
      let trace = try Self.trace("capframex/\(name)")
      #expect(trace.source.format == "presentmon")
      #expect(trace.losses.isEmpty)
      #expect(trace.surfaces.map(\.name) == expected["applications"] as? [String])
      let frames = trace.surfaces[0].frames
      #expect(frames.count == expected["rows"] as? Int)
      #expect(frames.count { $0.outcome == .dropped } == expected["dropped"] as? Int)
      let ends = frames.compactMap { $0.commitEnd?.nanoseconds }
      #expect(ends.count == frames.count)
      let lengths = zip(ends.dropFirst(), ends).map { Double($0 - $1) / 1e6 }
      let sum = try #require(expected["frame_ms_sum"] as? Double)
      let longest = try #require(expected["max"] as? Double)
      // The first frame's length is told by a row, and by no two times.
      #expect(sum - lengths.reduce(0, +) <= longest + 0.01)
      #expect(try abs(#require(lengths.max()) - longest) < 0.2)
      if let span = expected["time_span_s"] as? Double {
        #expect(abs(lengths.reduce(0, +) - span * 1e3) < 0.001)
      } else {
        #expect(trace.says("no time column"))
      }
      let presented = frames.compactMap { $0.presented?.nanoseconds }
      #expect(presented.count == frames.count - (expected["dropped"] as? Int ?? 0))
      let changes = try #require(expected["display_change_ms_sum"] as? Double)
      let shown = Double(try #require(presented.last) - (try #require(presented.first))) / 1e6
      #expect(changes - shown > 0 && changes - shown < 20)
    }
  }

  /// What one layout says of a frame; times by the machine's counter.
  private struct Told {
    var start: Int64?
    var end: Int64
    var presented: Int64?
    var outcome: FrameOutcome
  }

  /// The frames of a capture by surface; version 1 counts from the begin of the capture.
  private static func told(_ name: String, since zero: Int64 = 0) throws -> [String: [Told]] {
    let trace = try trace("presentmon/\(name)")
    #expect(trace.losses.isEmpty)
    var told: [String: [Told]] = [:]
    for surface in trace.surfaces {
      for frame in surface.frames {
        let end = try #require(frame.commitEnd).nanoseconds + zero
        let begin = frame.start.map { $0.nanoseconds + zero }
        let presented = frame.presented.map { $0.nanoseconds + zero }
        told[surface.name, default: []].append(
          Told(start: begin, end: end, presented: presented, outcome: frame.outcome))
      }
    }
    return told
  }

  /// The counter at the begin of a capture, by a row that tells a time by both clocks.
  private static func zero(_ name: String) throws -> Int64 {
    let path = try SharedCases.path("presentmon/\(name)")
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(whereSeparator: \.isNewline).map { $0.split(separator: ",") }
    let names = lines[0].map(String.init)
    let seconds = try #require(names.firstIndex(of: "TimeInSeconds"))
    let ticks = try #require(names.firstIndex(of: "QPCTime"))
    let time = try #require(Double(lines[1][seconds]))
    return try #require(Int64(lines[1][ticks])) * 100 - Int64((time * 1e9).rounded())
  }

  @Test func `frames present in all layouts of a capture have the same values`() async {
    await forEachCase(of: ["test_case_0", "test_case_2", "test_case_4"], oneCase)
    @Sendable func oneCase(name: String) throws {
      let old = try Self.told(name + "_v1.csv", since: Self.zero(name + "_v1.csv"))
      let second = try Self.told(name + "_v2.csv")
      let current = try Self.told(name + ".csv")
      #expect(second.keys.sorted() == current.keys.sorted())
      #expect(old.keys.sorted() == second.keys.sorted())
      func agree(_ left: Int64?, _ right: Int64?) -> Bool {
        guard let left, let right else { return true }
        return abs(left - right) <= 200
      }
      var count = 0
      for (surface, frames) in second {
        for frame in frames {
          for other in [old, current] {
            let same = try #require(
              other[surface]?.first { abs($0.end - frame.end) <= 200 }, "\(surface) \(frame.end)")
            #expect(agree(same.start, frame.start), "\(surface) \(frame.end)")
            #expect(agree(same.presented, frame.presented), "\(surface) \(frame.end)")
            #expect(same.outcome == frame.outcome, "\(surface) \(frame.end)")
          }
          count += 1
        }
      }
      #expect(count > 90)
    }
  }
}
