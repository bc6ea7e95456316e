import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Traces recorded with Chrome, against figures that another program worked out.
@Suite(.needsExtraCases) struct RealChromeTraceTests {
  private static let names = [
    "heavy.json.gz", "heavy_devtools.json.gz", "heavy_main_min.json.gz",
    "heavy_main_min.pftrace.gz",
  ]

  private func open(_ name: String) throws -> (Trace, [String: Any]) {
    let trace = try TraceFile.open(SharedCases.path("chromium/" + name))
    let all = try SharedCases.json("chromium/expected.json")
    return (trace, try #require(all[name] as? [String: Any]))
  }

  @Test func `swaps and main frames are counted as expected`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let (trace, expected) = try open(name)
      let counts = try #require(expected["all"] as? [String: Int])
      #expect(trace.surfaces.map(\.name) == ["Display", "Main thread updates"])
      #expect(trace.surfaces.map(\.basis) == [.cadence, .cadence])
      let display = trace.surfaces[0]
      let frames = display.frames
      #expect(frames.count { $0.outcome == .presented } == counts["swaps"])
      #expect(trace.surfaces[1].frames.count == counts["main_frames"])
      #expect(trace.surfaces.map(\.isDisplayStream) == [true, false])
      let outcomes = try #require((expected["scroll"] as? [String: Any])?["begin_frame_outcomes"])
      let dropped = (outcomes as? [String: Int])?["dropped"] ?? 0
      #expect(frames.count { $0.outcome == .dropped } >= dropped)
      #expect(trace.surfaces.map(\.timesLieOnRefreshGrid) == [false, true])
      let interval = try #require(expected["interval_us"] as? Double)
      for surface in trace.surfaces {
        #expect(surface.frames[0].refreshInterval?.nanoseconds == Int64(interval * 1000))
      }
      let open = try #require(expected["open_slices_at_end"] as? Int)
      let unmatched = try #require(expected["unmatched_async"] as? Int)
      if trace.source.format == "chrome-json" {
        #expect(trace.losses.isEmpty)
        #expect(trace.openSpans.count == open + unmatched)
      } else {
        // The figures count every half of a pair, also ends that have lost their begin.
        #expect(trace.losses.isEmpty)
        #expect(trace.openSpans.count == open)
        #expect(
          trace.notices.count { "\($0)".contains("only the end is known: \(unmatched)") } == 1)
      }
    }
  }

  @Test func `interactions are the windows of wheel input`() throws {
    let (trace, expected) = try open("heavy.json.gz")
    let scroll = try #require(expected["scroll"] as? [String: Any])
    let windows = try #require(scroll["windows_us"] as? [[Int64]])
    #expect(trace.interactions.map { $0.start.nanoseconds / 1000 } == windows.map { $0[0] })
    #expect(trace.interactions.map { ($0.end?.nanoseconds ?? 0) / 1000 } == windows.map { $0[1] })
  }

  @Test func `older generations of Chrome yield the frames they have`() async {
    await forEachCase(of: [
      ("catapult-thread_time_visualisation.json.gz", [148, 118]),
      ("devtools-mcp-web-dev-with-commit.json.gz", [18, 320]),
      ("lighthouse-animation-trace.json.gz", [280, 280]),
      ("lighthouse-timespan-responsiveness-m103.trace.json", []),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ name: String, _ frames: [Int]) throws {
      let trace = try TraceFile.open(SharedCases.path("chrome-other/" + name))
      let kept = trace.surfaces.map { surface in
        (0..<surface.frames.count).count { surface.frames[$0].outcome != .dropped }
      }
      #expect(kept == frames)
      #expect(trace.losses.isEmpty)
      let main = try #require(trace.mainTrack)
      #expect(trace.tracks[main.index].name == "CrRendererMain")
      #expect(frames.isEmpty == trace.notices.contains(.noFrames))
    }
  }
}
