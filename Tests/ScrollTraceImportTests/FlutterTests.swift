import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct FlutterTests {
  private static func frames(_ trace: Trace) throws -> FrameColumns {
    try #require(trace.surfaces.first { $0.name == "Flutter" }).frames
  }

  private static func snapshot(_ frames: String, _ rest: String = "") -> String {
    #"{"devToolsSnapshot":true,"performance":{"flutterFrames":[\#(frames)],"#
      + #""displayRefreshRate":60.0\#(rest)}}"#
  }

  private static let listed =
    #"{"number":7,"startTime":1000300,"elapsed":20300,"build":5000,"raster":9000,"#
    + #""vsyncOverhead":300}"#

  /// A timeline of one frame: its vsync at 1 s, due 16.667 ms later, drawn 20.3 ms after it.
  private static let timeline = #"""
    {"name":"VsyncProcessCallback","ph":"B","pid":1,"tid":5,"ts":1000200,
    "args":{"StartTime":"1000000500","TargetTime":"1016667166"}},
    {"name":"Animator::BeginFrame","ph":"B","pid":1,"tid":5,"ts":1000310,"args":{"frame_number":"7"}},
    {"name":"Animator::BeginFrame","ph":"E","pid":1,"tid":5,"ts":1005300},
    {"name":"VsyncProcessCallback","ph":"E","pid":1,"tid":5,"ts":1005310},
    {"name":"Rasterizer::DoDraw","ph":"B","pid":1,"tid":6,"ts":1011300,"args":{"frame_number":"7"}},
    {"name":"Rasterizer::DoDraw","ph":"E","pid":1,"tid":6,"ts":1020300},
    {"name":"SceneDisplayLag","ph":"b","id":"1","pid":1,"tid":6,"ts":1020300,"args":{
    "frame_target_time":"1016667166","current_frame_target_time":"1033333832",
    "vsync_transitions_missed":"1"}},
    {"name":"SceneDisplayLag","ph":"e","id":"1","pid":1,"tid":6,"ts":1033333}
    """#

  @Test func `an app that DevTools does not call a profile build is a debug build`() throws {
    func states(_ isProfileBuild: Bool) throws -> [String?] {
      let text =
        #"{"devToolsSnapshot":true,"connectedApp":{"isProfileBuild":\#(isProfileBuild)},"#
        + #""performance":{"flutterFrames":[\#(Self.listed)],"displayRefreshRate":60.0}}"#
      return try read(text).states.filter { $0.key == "configuration" }.map(\.value)
    }
    #expect(try states(false) == ["debug"])
    #expect(try states(true).isEmpty)
  }

  @Test func `M-1: a listed frame lasts from its vsync until it is drawn`() throws {
    let trace = try read(Self.snapshot(Self.listed))
    #expect(trace.source.format == "flutter" && trace.losses.isEmpty)
    let frame = try #require(try Self.frames(trace).first)
    #expect(frame.id == 7)
    #expect(frame.start == Timestamp(nanoseconds: 1_000_000_000))
    #expect(frame.commitStart == Timestamp(nanoseconds: 1_000_300_000))
    #expect(frame.commitEnd == Timestamp(nanoseconds: 1_020_300_000))
    #expect(frame.refreshInterval == TimeSpan(nanoseconds: 16_666_666))
    #expect(frame.deadline == Timestamp(nanoseconds: 1_016_666_666), "one refresh after the vsync")
    #expect(trace.surfaces[0].basis == .deadline)
    let tracks = trace.tracks.map { ($0.name, $0.spans.count, $0.spans[0].range) }
    #expect(tracks.map(\.0) == ["1.ui", "1.raster"])
    #expect(tracks.map { ($0.2.end - $0.2.start).nanoseconds } == [5_000_000, 9_000_000])
    #expect(trace.mainTrack.map(trace.displayName(of:)) == "1.ui")
  }

  @Test func `M-2: the timeline gives a listed frame its deadline, in either order`() throws {
    let events = #""traceEvents":[\#(Self.timeline)]"#
    let before = #"{"devToolsSnapshot":true,\#(events),"performance":{"flutterFrames":["#
    for text in [
      before + Self.listed + "]}}", Self.snapshot(Self.listed, "," + events),
      #"{"devToolsSnapshot":true,"performance":{"flutterFrames":[\#(Self.listed)]},\#(events)}"#,
    ] {
      let trace = try read(text)
      let frame = try #require(try Self.frames(trace).first)
      #expect(trace.surfaces[0].basis == .deadline)
      #expect(
        frame.start == Timestamp(nanoseconds: 1_000_000_500), "exact if it is recorded exactly")
      #expect(frame.deadline == Timestamp(nanoseconds: 1_016_667_166))
      #expect(frame.refreshInterval == TimeSpan(nanoseconds: 16_666_666))
      #expect(frame.commitEnd == Timestamp(nanoseconds: 1_020_300_000))
      #expect(frame.sourceLabel.map { trace.strings[$0] } == "1 vsync missed")
      #expect(trace.tracks.map(\.name) == ["1.ui", "1.raster"])
    }
  }

  @Test func `a timeline of flutter drive yields the same frame on its own`() throws {
    let trace = try read(#"{"traceEvents":[\#(Self.timeline)]}"#)
    #expect(trace.source.format == "chrome-json")
    let frame = try #require(try Self.frames(trace).first)
    #expect(frame.id == 7)
    #expect(frame.start == Timestamp(nanoseconds: 1_000_000_500))
    #expect(frame.commitStart == Timestamp(nanoseconds: 1_000_310_000))
    #expect(frame.commitEnd == Timestamp(nanoseconds: 1_020_300_000))
    #expect(frame.deadline == Timestamp(nanoseconds: 1_016_667_166))
  }

  @Test func `vsyncs in microseconds are read, those of another clock are not`() throws {
    let micro = Self.timeline.replacing("1000000500", with: "1000000")
      .replacing("1016667166", with: "1016667")
    let frame = try #require(try Self.frames(read(#"{"traceEvents":[\#(micro)]}"#)).first)
    #expect(frame.start == Timestamp(nanoseconds: 1_000_000_000))
    #expect(frame.deadline == Timestamp(nanoseconds: 1_016_667_000))
    let far = Self.timeline.replacing("1000000500", with: "9000000000000500")
    #expect(try read(#"{"traceEvents":[\#(far)]}"#).surfaces.isEmpty)
  }

  @Test func `a frame that was never drawn has no end`() throws {
    let undrawn = Self.timeline.replacing(
      #""frame_number":"7"}},"# + "\n" + #"{"name":"Rasterizer"#, with: "X"
    )
    .replacing("DoDraw", with: "DoNothing")
    let frame = try #require(try Self.frames(read(#"{"traceEvents":[\#(undrawn)]}"#)).first)
    #expect(frame.commitStart != nil && frame.commitEnd == nil)
  }

  @Test func `a timeline in Perfetto's format is read from its list of bytes`() throws {
    let packets = PerfettoMade.flutter.map(String.init).joined(separator: ", ")
    for text in [
      Self.snapshot(Self.listed, #","traceBinary":[\#(packets)]"#),
      #"{"devToolsSnapshot":true,"performance":{"traceBinary":[\#(packets)],"flutterFrames":["#
        + Self.listed + "]}}",
    ] {
      let trace = try read(text)
      #expect(trace.losses.isEmpty)
      let frame = try #require(try Self.frames(trace).first)
      #expect(frame.deadline == Timestamp(nanoseconds: 1_016_667_166))
      #expect(frame.commitEnd == Timestamp(nanoseconds: 1_020_300_000))
    }
  }

  @Test
  func `numbers outside the range of a byte end the reading, and earlier frames are kept`() async {
    await forEachCase(
      of: ["1,256,3", "-1", "1.5", "null", "[1]", "1,,2", "300000000000000000000"], oneCase)
    @Sendable func oneCase(bytes: String) throws {
      let trace = try read(Self.snapshot(Self.listed, #","traceBinary":[\#(bytes)]"#))
      #expect(try Self.frames(trace).count == 1)
      #expect(trace.losses.contains { $0.reason == .damagedBytes })
    }
  }

  @Test func `an empty timeline costs nothing`() throws {
    let trace = try read(Self.snapshot(Self.listed, #","traceBinary":[]"#))
    #expect(try Self.frames(trace).count == 1)
  }

  @Test func `an incomplete frame is lost and counted`() throws {
    let broken = [
      "null", "7", "{}", Self.listed.replacing("\"build\"", with: "\"bild\""),
      Self.listed.replacing("1000300", with: "-5"), Self.listed.replacing("5000,", with: "-1,"),
      Self.listed.replacing("1000300", with: "1e30"), Self.listed.replacing(":7", with: ":-7"),
    ]
    let trace = try read(Self.snapshot(([Self.listed] + broken).joined(separator: ",")))
    #expect(try Self.frames(trace).count == 1)
    #expect(trace.losses.map(\.reason) == [.invalidValue])
    #expect(trace.losses[0].count == UInt64(broken.count))
  }

  @Test func `a snapshot of another screen is rejected in one line`() throws {
    let text = #"{"devToolsSnapshot":true,"activeScreenId":"memory","memory":{"a":[1,2]}}"#
    let error = #expect(throws: ImportError.self) { try read(text) }
    #expect(error?.reason == "the snapshot contains no frames: it shows the screen 'memory'")
  }

  @Test func `a profiler's samples are not a timeline`() throws {
    let trace = try read(
      Self.snapshot(
        Self.listed,
        #","cpuProfile":{"traceEvents":[{"ph":"X","ts":1,"dur":9,"pid":1,"tid":1,"name":"a"}]}"#))
    #expect(trace.tracks.map(\.name) == ["1.ui", "1.raster"])
  }

  // MARK: - Summaries

  @Test func `M-2: a summary with start times has frames, evaluated by their cadence`() throws {
    let trace = try read(
      #"{"average_frame_build_time_millis":4.5,"60hz_frame_percentage":100.0,"note":"x","#
        + #""frame_build_times":[4000,21000],"frame_rasterizer_times":[1,2],"#
        + #""frame_begin_times":[0,16700],"frame_rasterizer_begin_times":[0,1]}"#)
    #expect(trace.source.format == "flutter" && trace.losses.isEmpty)
    let frames = try Self.frames(trace)
    #expect(trace.surfaces[0].basis == .cadence)
    #expect(frames.map(\.start) == [.zero, Timestamp(nanoseconds: 16_700_000)])
    #expect(frames[1].commitEnd == Timestamp(nanoseconds: 37_700_000))
    #expect(frames[1].refreshInterval == TimeSpan(nanoseconds: 16_666_666))
  }

  @Test
  func `a summary without start times has no frames, and names the file that has them`() throws {
    let trace = try read(
      #"{"scroll":{"average_frame_build_time_millis":4.5,"frame_count":54,"#
        + #""frame_build_times":[4000,21000]},"other":{"a":1}}"#)
    #expect(trace.surfaces.isEmpty && trace.losses.isEmpty && !trace.source.hasKnownLength)
    #expect(trace.notices.contains(.noFrames))
    #expect(trace.says("its timeline.json has the frames"))
  }

  @Test func `an empty timeline does not prevent another one from being read`() throws {
    let trace = try read(
      #"{"devToolsSnapshot":true,"performance":{"traceBinary":[],"traceEvents":[\#(Self.timeline)],"#
        + #""flutterFrames":[\#(Self.listed)]}}"#)
    let frame = try #require(try Self.frames(trace).first)
    #expect(frame.deadline == Timestamp(nanoseconds: 1_016_667_166))
  }

  @Test func `M-1: frames of two apps with the same numbers are not confused`() throws {
    let second = Self.timeline.replacing(#""pid":1,"#, with: #""pid":2,"#)
    let first = Self.timeline.replacing("DoDraw", with: "DoNothing")
    let trace = try read(#"{"traceEvents":[\#(first),\#(second)]}"#)
    #expect(trace.surfaces.map(\.name) == ["Flutter (1)", "Flutter (2)"])
    #expect(trace.surfaces.map { $0.frames.map { $0.commitEnd != nil } } == [[false], [true]])
  }

  @Test func `frames with an unknown vsync are counted`() throws {
    let blind = Self.timeline.replacing("VsyncProcessCallback", with: "Something")
    let trace = try read(#"{"traceEvents":[\#(blind)]}"#)
    #expect(trace.surfaces.isEmpty)
    #expect(trace.says("omitted: 1"))
  }
}
