import Foundation
import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

/// Traces recorded with Chrome, against figures that another program worked out.
@Suite(.enabled(if: SharedCases.areAvailable)) struct RealChromeTraceTests {
  private static let names = ["heavy.json.gz", "heavy_devtools.json.gz", "heavy_main_min.json.gz"]

  private func open(_ name: String, marks: String?) throws -> (Trace, [String: Any]) {
    let trace = try TraceFile.open(
      SharedCases.path("chromium/" + name), options: ImportOptions(interactionsFromMarks: marks))
    let all = try SharedCases.json("chromium/expected.json")
    return (trace, try #require(all[name] as? [String: Any]))
  }

  /// Marks where the figures were taken between marks, input where they were taken by input.
  private func marks(for name: String) -> String? { name == "heavy.json.gz" ? nil : "g*" }

  @Test(arguments: names) func `swaps and main frames are counted as expected`(name: String) throws
  {
    let (trace, expected) = try open(name, marks: marks(for: name))
    let counts = try #require(expected["all"] as? [String: Int])
    #expect(trace.surfaces.map(\.name) == ["Display", "Main thread updates"])
    #expect(trace.surfaces.map(\.basis) == [.cadence, .cadence])
    #expect(trace.surfaces.map(\.frames.count) == [counts["swaps"], counts["main_frames"]])
    #expect(trace.surfaces.map(\.timesLieOnRefreshGrid) == [false, true])
    let interval = try #require(expected["interval_us"] as? Double)
    for surface in trace.surfaces {
      #expect(surface.frames[0].interval?.nanoseconds == Int64(interval * 1000))
    }
    #expect(trace.losses.isEmpty)
    let open = try #require(expected["open_slices_at_end"] as? Int)
    let unmatched = try #require(expected["unmatched_async"] as? Int)
    #expect(trace.openSpans.count == open + unmatched)
  }

  @Test(arguments: names) func `interactions are the expected windows`(name: String) throws {
    let (trace, expected) = try open(name, marks: marks(for: name))
    let scroll = try #require(expected["scroll"] as? [String: Any])
    let windows = try #require(scroll["windows_us"] as? [[Int64]])
    #expect(trace.interactions.map { $0.begin.nanoseconds / 1000 } == windows.map { $0[0] })
    #expect(trace.interactions.map { ($0.end?.nanoseconds ?? 0) / 1000 } == windows.map { $0[1] })
  }

  @Test(arguments: names) func `M-3 on the frames gives the expected sums`(name: String) throws {
    let (trace, expected) = try open(name, marks: marks(for: name))
    let scroll = try #require(expected["scroll"] as? [String: Any])
    let display = try #require(scroll["display_by_m3"] as? [String: Any])
    #expect(skipped(trace.surfaces[0], in: trace).milliseconds == display["hitch_ms"] as? Double)
    #expect(skipped(trace.surfaces[0], in: trace).count == display["hitches"] as? Int)
    let main = try #require(scroll["main_frames"] as? [String: Any])
    #expect(skipped(trace.surfaces[1], in: trace).milliseconds == main["hitch_ms"] as? Double)
    #expect(skipped(trace.surfaces[1], in: trace).count == main["hitches"] as? Int)
  }

  @Test(arguments: names) func `threads are busy as long as expected`(name: String) throws {
    let (trace, expected) = try open(name, marks: marks(for: name))
    let scroll = try #require(expected["scroll"] as? [String: Any])
    let main = try #require(trace.mainTrack)
    #expect(trace.tracks[main.index].systemID == UInt64(expected["renderer_main_tid"] as? Int ?? 0))
    #expect(trace.tracks[main.index].isCompletelyRecorded)
    let mainFigures = try #require(scroll["main_thread"] as? [String: Any])
    #expect(busy(trace.tracks[main.index], in: trace) == mainFigures["busy_ms"] as? Double)

    // The figures leave out threads that are busy for at most 0.1 % of the time.
    let window = try #require(scroll["total_ms"] as? Double)
    let background = trace.tracks.indices
      .filter { $0 != main.index && trace.processes[trace.tracks[$0].process.index].isHost }
      .map { busy(trace.tracks[$0], in: trace) }
      .filter { $0 > window * 0.001 }
      .reduce(0, +)
    let expectedBackground = try #require(scroll["renderer_background_busy_ms"] as? Double)
    #expect(abs(background - expectedBackground) < 0.01)
  }

  @Test(arguments: names) func `a trace is known by its content alone`(name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appendingPathComponent("unknown").path
    try FileManager.default.copyItem(atPath: SharedCases.path("chromium/" + name), toPath: copy)
    let trace = try TraceFile.open(copy)
    #expect(trace.source.format == "chrome-json")
    #expect(trace.source.path == copy)
    #expect(trace.surfaces.count == 2)
  }

  @Test(arguments: [
    ("catapult-thread_time_visualisation.json.gz", [148, 118]),
    ("devtools-mcp-web-dev-with-commit.json.gz", [18, 320]),
    ("lighthouse-animation-trace.json.gz", [280, 280]),
    ("lighthouse-timespan-responsiveness-m103.trace.json", []),
  ])
  func `older generations of Chrome give what frames they have`(name: String, frames: [Int]) throws
  {
    let trace = try TraceFile.open(SharedCases.path("chrome-other/" + name))
    #expect(trace.surfaces.map(\.frames.count) == frames)
    #expect(trace.losses.isEmpty)
    let main = try #require(trace.mainTrack)
    #expect(trace.tracks[main.index].name == "CrRendererMain")
    #expect(frames.isEmpty == trace.notices.contains(.noFrames))
  }

  // MARK: - M-3 and M-11, in a few lines of their own

  private func skipped(_ surface: Surface, in trace: Trace) -> (count: Int, milliseconds: Double) {
    var count = 0
    var sum: Int64 = 0
    for interaction in trace.interactions {
      let times = (0..<surface.frames.count).compactMap { surface.frames[$0].place }
        .filter { $0 >= interaction.begin && $0 < interaction.end ?? trace.range.end }
      let interval = surface.frames[0].interval?.nanoseconds ?? 0
      for (time, before) in zip(times.dropFirst(), times) {
        let gap = (time - before).nanoseconds
        guard gap * 2 > interval * 3 else { continue }
        count += 1
        let refreshes = Int64((Double(gap) / Double(interval)).rounded())
        sum += surface.timesLieOnRefreshGrid ? (refreshes - 1) * interval : gap - interval
      }
    }
    return (count, Double(sum) / 1e6)
  }

  private func busy(_ track: Track, in trace: Trace) -> Double {
    let union = TimeRangeSet(union: (0..<track.spans.count).map { track.spans[$0].range })
    let total = trace.interactions.reduce(TimeSpan.zero) { sum, interaction in
      sum
        + union.coveredLength(
          of: TimeRange(begin: interaction.begin, end: interaction.end ?? trace.range.end))
    }
    return total.milliseconds
  }
}
