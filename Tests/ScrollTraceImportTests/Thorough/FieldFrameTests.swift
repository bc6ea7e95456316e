import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

/// Long animation frames of the web and OpenTelemetry's events `app.jank`.
@Suite struct FieldFrameTests {
  private static func read(_ text: String) throws -> Trace {
    try TraceFile.read(MemoryByteSource(Array(text.utf8)), path: "unknown")
  }

  private static func aggregates(_ trace: Trace) -> [String: [Double]] {
    Dictionary(trace.aggregates.map { ($0.metric, $0.values) }) { first, _ in first }
  }

  private static func spans(_ trace: Trace) -> [String: TimeRange] {
    var spans: [String: TimeRange] = [:]
    for track in trace.tracks {
      for index in 0..<track.spans.count {
        let name = trace.strings[trace.labels[track.spans.labels[index]].name]
        spans[name] = TimeRange(
          start: Timestamp.zero + TimeSpan(nanoseconds: track.spans.times[index].start),
          end: Timestamp.zero + TimeSpan(nanoseconds: track.spans.times[index].end))
      }
    }
    return spans
  }

  private static func frame(_ start: Double, _ duration: Double, _ rest: String = "") -> String {
    #"{"entryType":"long-animation-frame","startTime":\#(start),"duration":\#(duration)\#(rest)}"#
  }

  @Test func `M-2: long frames have times and scripts, and are no surface's frames`() throws {
    let trace = try Self.read(ResultSamples.longAnimationFrames)
    #expect(trace.surfaces.map(\.basis) == [.aggregate] && trace.surfaces[0].frames.count == 0)
    let frames = trace.asyncSpans.map(\.range)
    #expect(frames.count == 3)
    #expect(frames[0].start == Timestamp(nanoseconds: 1_016_700_000))
    #expect(frames[0].end == Timestamp(nanoseconds: 1_100_900_000))
    // Nothing was rendered in the second one, so nothing was presented.
    let counts = trace.asyncSpans.map { trace.arguments[$0.arguments].count }
    #expect(counts == [2, 1, 2])
    let spans = Self.spans(trace)
    #expect(
      spans["makeRow (FrameRequestCallback)"]?.length == .milliseconds(51)
        + TimeSpan(nanoseconds: 600_000))
    #expect(spans["BUTTON#more.onclick"]?.start == Timestamp(nanoseconds: 3_986_000_000))
    #expect(spans["compile"]?.length == TimeSpan(nanoseconds: 2_500_000))
    #expect(spans["style and layout"] != nil && trace.marks.count == 1)
    #expect(!trace.source.hasKnownLength)
    #expect(trace.notices.contains { "\($0)".contains("is unknown") })
  }

  @Test func `the sums of long frames are numbers of the source`() throws {
    let numbers = Self.aggregates(try Self.read(ResultSamples.longAnimationFrames))
    #expect(numbers["longFrames"] == [3] && numbers["longFramesWithInput"] == [1])
    #expect(numbers["longestFrame"] == [140.5])
    #expect(numbers["longFrameTime"].map { abs($0[0] - 315.9) < 1e-6 } == true)
    #expect(numbers["blockingDuration"].map { abs($0[0] - 141.9) < 1e-6 } == true)
    #expect(numbers["forcedStyleAndLayoutDuration"].map { abs($0[0] - 88.5) < 1e-6 } == true)
    let plain = Self.aggregates(try Self.read(Self.frame(1, 60)))
    #expect(plain["longFrames"] == [1] && plain["blockingDuration"] == nil)
  }

  @Test func `frames in lines, and among other entries, are read`() throws {
    let lines = [
      Self.frame(500, 60), Self.frame(100, 70),
      #"{"entryType":"longtask","startTime":100,"duration":70}"#,
    ].joined(separator: "\n")
    let trace = try Self.read(lines)
    #expect(trace.source.format == "long-animation-frames")
    #expect(trace.asyncSpans.count == 2)
    #expect(trace.asyncSpans[0].range.start == Timestamp(nanoseconds: 100_000_000))
    #expect(trace.notices.contains(.source("entries of other types, omitted: 1")))
  }

  @Test func `invalid times are counted, and zero is none`() throws {
    let script =
      #","scripts":[{"startTime":900,"duration":5},{"startTime":110,"duration":900,"invoker":"f"}]"#
    let trace = try Self.read(
      "["
        + [
          Self.frame(100, 60, script + #","renderStart":0,"presentationTime":0"#),
          Self.frame(-1, 60),
          Self.frame(100, 1e300), #"{"entryType":"long-animation-frame"}"#,
        ].joined(separator: ",") + "]")
    #expect(trace.asyncSpans.count == 1)
    #expect(trace.arguments[trace.asyncSpans[0].arguments].isEmpty)
    #expect(trace.losses.first { $0.reason == .invalidValue }?.count == 4)
    // A script that seems to outlast its frame ends with it.
    #expect(Self.spans(trace)["f"]?.end == Timestamp(nanoseconds: 160_000_000))
    #expect(throws: ImportError.self) { try Self.read("[" + Self.frame(-1, 60) + "]") }
  }

  @Test func `events of jank are sums by app and threshold, not a ratio`() throws {
    let trace = try Self.read(ResultSamples.jankEvents)
    #expect(trace.surfaces.map(\.name) == ["feed"] && trace.surfaces[0].basis == .aggregate)
    let sums = trace.aggregates.filter { $0.metric == "jankFrames" }
    #expect(sums.map(\.source) == ["feed: frames over 16.0 ms", "feed: frames over 700.0 ms"])
    #expect(sums.map(\.values) == [[23], [1]])
    let times = trace.aggregates.filter { $0.metric == "jankPeriodTime" }
    #expect(times.map(\.values) == [[20], [10]])
    #expect(trace.notices.contains { "\($0)".contains("hitch time ratio") })
  }

  @Test func `logs without such events are refused, and other records are counted`() throws {
    let other = #"{"eventName":"app.crash","attributes":[]}"#
    let jank =
      #"{"attributes":[{"key":"app.jank.frame_count","value":{"intValue":3}},"#
      + #"{"key":"event.name","value":{"stringValue":"app.jank"}}]}"#
    func logs(_ records: String) -> String {
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(records)]}],"note":"app.jank"}]}"#
    }
    let trace = try Self.read(logs(other + "," + jank))
    #expect(trace.notices.contains(.source("records of other events, omitted: 1")))
    #expect(Self.aggregates(trace)["jankFrames"] == [3])
    #expect(Self.aggregates(trace)["jankPeriodTime"] == nil)
    #expect(throws: ImportError.self) { try Self.read(logs(other)) }
  }
}
