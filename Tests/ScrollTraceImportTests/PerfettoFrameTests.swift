import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Android's frame timeline, against the tables of Perfetto's own tests.
@Suite(.needsExtraCases) struct PerfettoFrameTests {
  private static let presented: Set<String> = [
    "On-time Present", "Late Present", "Early Present",
  ]

  @Test func `frames match those of the table, in any order and with wrapping`() async {
    await forEachCase(
      of: [
        "corrupt/shuffled_packets", "corrupt/compressed_packets", "corrupt/gzip_whole_file",
        "corrupt/trailing_zero_bytes", "frames/frame_timeline_events",
      ], oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try PerfettoCases.trace("\(name).pftrace")
      let table = try PerfettoCases.table(
        name.hasPrefix("frames")
          ? "frames/GraphicsParser__actual_frame_timeline_events.expected.csv"
          : "\(name).actual.csv")
      for (surface, process) in zip(trace.surfaces, ["1000", "666"]) {
        let rows = table.filter { $0["pid"] == process }
        let token = process == "666" ? "display_frame_token" : "surface_frame_token"
        #expect(surface.frames.count >= Set(rows.map { $0[token] }).count)
        for index in 0..<surface.frames.count {
          let frame = surface.frames[index]
          let mine = rows.filter { $0[token] == "\(frame.id)" }
          let shown = mine.filter { $0["present_type"] != "Dropped Frame" && $0["dur"] != "-1" }
          let ends = shown.compactMap { row in
            row["ts"].flatMap(Int64.init).flatMap { t in
              row["dur"].flatMap(Int64.init).map { t + $0 }
            }
          }
          #expect(frame.commitEnd?.nanoseconds == ends.max())
          let starts = mine.compactMap { $0["ts"].flatMap(Int64.init) }
          #expect(frame.commitStart?.nanoseconds == starts.min())
          if mine.contains(where: { Self.presented.contains($0["present_type"] ?? "") }) {
            #expect(frame.outcome == .presented)
          }
          guard mine.count == 1 else { continue }
          #expect(frame.sourceLabel.map { trace.strings[$0] } == mine[0]["jank_type"])
        }
      }
      let expected = try PerfettoCases.table(
        "frames/GraphicsParser__expected_frame_timeline_events.expected.csv")
      for row in expected where row["dur"] != "-1" && row["display_frame_token"] != "18" {
        let isApp = row["pid"] == "1000"
        let token = row[isApp ? "surface_frame_token" : "display_frame_token"]
        let surface = trace.surfaces[isApp ? 0 : 1]
        let frame = try #require(
          surface.frames.first { "\($0.id)" == token })
        let start = try #require(row["ts"].flatMap(Int64.init))
        let length = try #require(row["dur"].flatMap(Int64.init))
        #expect(frame.deadline?.nanoseconds == start + length)
        #expect(try #require(frame.start).nanoseconds <= start)
      }
    }
  }

  @Test func `frames with one number are one frame of the process, as Perfetto counts them`() throws
  {
    let trace = try PerfettoCases.trace("frames/frame_timeline_metric.pftrace")
    #expect(trace.surfaces.map(\.name) == ["process1", "process2", "process3", "process4"])
    #expect(trace.surfaces.map(\.frames.count).prefix(2) == [2, 2])
    let dropped = trace.surfaces[3].frames
    #expect((0..<dropped.count).allSatisfy { dropped[$0].outcome == .dropped })
  }

  /// Reads an app's frames at these times, each due one refresh later.
  ///
  /// - Parameter presentation: Android's word: 1 is on time, 2 late.
  private func intervals(
    _ times: [(start: Int, refresh: Int)], presentation: Int
  ) throws -> [Int64?] {
    let trace = try PerfettoMade.trace(
      times.enumerated().flatMap { index, time in
        let cookie = index * 2 + 1
        return [
          PerfettoMade.frame(3, at: time.start, cookie: cookie, token: cookie, process: 7),
          PerfettoMade.frameEnd(at: time.start + time.refresh, cookie: cookie),
          PerfettoMade.frame(
            4, at: time.start + 1000, cookie: cookie + 1, token: cookie, process: 7,
            presentation: presentation),
          PerfettoMade.frameEnd(at: time.start + time.refresh / 2, cookie: cookie + 1),
        ]
      })
    let surface = try #require(trace.surfaces.first)
    #expect(surface.derivesRefreshInterval)
    return surface.frames.map { $0.refreshInterval?.nanoseconds }
  }

  @Test func `an app that is always late does not make the display slower`() throws {
    let refresh = 16_666_667
    let each = (0..<20).map { (start: $0 * 2 * refresh, refresh: refresh) }
    #expect(try Set(intervals(each, presentation: 2)) == [16_666_667])
    // On time, at half the rate on purpose.
    #expect(try Set(intervals(each, presentation: 1)) == [33_333_334])
    // A few that came sooner are enough.
    // The steps are of 1, 2 and 2 refreshes.
    let mixed = (0..<60).map { (start: ($0 * 5 + 5) / 3 * refresh, refresh: 20_000_000) }
    #expect(try Set(intervals(mixed, presentation: 2)) == [16_666_667])
  }

  @Test func `frames on time follow a display that changes its rate`() throws {
    let fast = (0..<30).map { (start: $0 * 8_333_333, refresh: 8_333_333) }
    let slow = (1...20).map { (start: 29 * 8_333_333 + $0 * 16_666_667, refresh: 16_666_667) }
    let expected =
      Array(repeating: Int64(8_333_333), count: 29) + Array(repeating: 16_666_667, count: 21)
    #expect(try intervals(fast + slow, presentation: 1) == expected)
    #expect(try Set(intervals(fast + slow, presentation: 2)) == [8_333_333])
  }

  @Test func `a few frames of a second window between refreshes are no faster display`() throws {
    let refresh = 16_666_667
    let times = (0..<100).flatMap { index -> [(start: Int, refresh: Int)] in
      let start = index * refresh
      return index % 5 == 0 ? [(start, refresh), (start + 1_500_000, refresh)] : [(start, refresh)]
    }
    #expect(try Set(intervals(times, presentation: 1)) == [16_666_667])
  }

  @Test func `invalid parts of events are counted`() throws {
    let trace = try PerfettoCases.trace("frames/frame_timeline_events.pftrace")
    #expect(trace.losses.map(\.reason) == [.unmatchedEnd])
    let missing = try PerfettoCases.trace("corrupt/missing_cookie.pftrace")
    #expect(missing.losses.map(\.reason) == [.malformedRecord])
    let empty = try PerfettoCases.trace("corrupt/empty_frame_event.pftrace")
    #expect(empty.losses.map(\.reason) == [.malformedRecord])
    let type = try PerfettoCases.trace("corrupt/present_type_out_of_range.pftrace")
    #expect(type.losses.map(\.reason) == [.invalidValue])
    #expect(type.surfaces[0].frames.count == 1)
    let negative = try PerfettoCases.trace("corrupt/negative_timestamp.pftrace")
    #expect(negative.losses.map(\.reason).contains(.timeOutOfRange))
    let early = try PerfettoCases.trace("corrupt/end_before_start.pftrace")
    #expect(early.losses.map(\.reason) == [.unmatchedEnd])
  }

  @Test func `times of another clock are converted by a snapshot`() throws {
    let trace = try PerfettoCases.trace("corrupt/mini_monotonic_with_snapshot.pftrace")
    #expect(trace.losses.isEmpty)
    let row = try PerfettoCases.table("corrupt/mini_monotonic_with_snapshot.actual.csv")[0]
    let start = trace.surfaces[0].frames[0].commitStart?.nanoseconds
    #expect(start.map { "\($0)" } == row["ts"])
  }

  @Test func `files that Perfetto rejects are read around the damage`() async {
    await forEachCase(
      of: [
        "garbage_prefix_ff", "toplevel_group_wiretype3", "inner_len_overrun", "bitflip_06",
        "bitflip_12", "bitflip_14", "bitflip_20",
      ], oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try PerfettoCases.trace("corrupt/\(name).pftrace")
      #expect(!trace.losses.isEmpty)
      let count = trace.surfaces.map(\.frames.count).reduce(0, +)
      #expect(count >= 10, "\(count) frames, \(trace.losses)")
    }
  }
}
