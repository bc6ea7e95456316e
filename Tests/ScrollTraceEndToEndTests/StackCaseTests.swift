import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing

/// Sampled stacks of other tools against figures that were worked out independently of this project.
@Suite(.needsExtraCases) struct StackCaseTests {
  static func folder() throws -> String { try #require(ExtraCases.folder) + "/stacks/" }

  /// The folders of profiles without frames, which are no traces.
  private static let profiles = ["cpuprofile/", "perf/", "simpleperf/", "speedscope/"]

  static func expected() throws -> [String: JSONNode] {
    let text = try String(contentsOfFile: folder() + "expected.json", encoding: .utf8)
    let files = try #require(JSONNode(text)["files"].value as? [String: Any])
    return files.filter { name, _ in !profiles.contains { name.hasPrefix($0) } }
      .mapValues(JSONNode.init(value:))
  }

  /// The files that hold samples, as they are told in no other way than by the cases.
  @Test func `samples, functions and weights agree with the figures worked out apart`() async throws
  {
    let expected = try Self.expected()
    await forEachCase(of: expected.keys.sorted(), oneFile)
    @Sendable func oneFile(name: String) throws {
      let case_ = try #require(try Self.expected()[name])
      let trace = try TraceFile.open(try Self.folder() + name)
      let report = try JSONNode(
        JSONRenderer().render(Report([TraceAnalyzer().analyze(trace)])))
      let threads = report["runs"][0]["samples"]["threads"].array
      #expect(threads.reduce(0) { $0 + ($1["samples"].integer ?? 0) } == case_["samples"].integer)
      for stream in case_["streams"].array { try Self.check(stream, in: threads) }
    }
  }

  private static func check(_ stream: JSONNode, in threads: [JSONNode]) throws {
    let thread = try #require(
      threads.first { thread in
        thread["samples"].integer == stream["samples"].integer
          && thread["weight"].integer == stream["totalWeight"].integer
          && (stream["tid"].value == nil || thread["threadId"].integer == stream["tid"].integer)
          && (stream["event"].value == nil || thread["event"].string == stream["event"].string)
      })
    #expect(thread["samplesWithoutStack"].integer == stream["samplesWithoutStack"].integer)
    if let unit = stream["weightUnit"].string { #expect(thread["weightUnit"].string == unit) }
    if let unit = stream["timeUnit"].string, let first = stream["first"].integer,
      let last = stream["last"].integer, let gap = stream["medianGap"].integer
    {
      let scale = unit == "us" ? 1000 : 1
      #expect(thread["medianGapNs"].integer == gap * scale)
      let from = try #require(thread["firstNs"].integer)
      #expect(thread["lastNs"].integer.map { $0 - from } == (last - first) * scale)
    }
    let keys = [
      "ownSamples": "samplesOwn", "totalSamples": "samplesTotal", "ownWeight": "weightOwn",
      "totalWeight": "weightTotal",
    ]
    let (found, wanted) = (thread["functions"].array, stream["functions"].array)
    #expect(found.count == wanted.count)
    for (found, wanted) in zip(found, wanted) {
      #expect(found["name"].string == wanted["name"].string)
      #expect(found["place"].string == wanted["where"].string)
      for (key, other) in keys { #expect(found[key].integer == wanted[other].integer) }
    }
  }

  @Test func `cells add up to the windows, with and without a limit`() async throws {
    let expected = try Self.expected()
    await forEachCase(of: expected.keys.sorted(), oneFile)
    @Sendable func oneFile(name: String) throws {
      let case_ = try #require(try Self.expected()[name])
      let trace = try TraceFile.open(try Self.folder() + name)
      for stream in case_["streams"].array {
        guard let windows = stream["windows"].value as? [String: Any] else { continue }
        let series = try #require(
          trace.samples.first { series in
            series.count == stream["samples"].integer
              && (stream["tid"].value == nil
                || Int(trace.tracks[series.track.index].systemID) == stream["tid"].integer)
              && (stream["event"].value == nil
                || trace.strings[series.event] == stream["event"].string)
          })
        for (set, value) in windows {
          try Self.check(JSONNode(value: value), set, of: stream, series, in: trace)
        }
      }
    }
  }

  /// Compares the account of a set of windows, whose tasks the answers list one by one.
  private static func check(
    _ value: JSONNode, _ set: String, of stream: JSONNode, _ series: SampleSeries, in trace: Trace
  ) throws {
    let scale = stream["timeUnit"].string == "us" ? 1000 : 1
    let first = try #require(stream["first"].integer)
    let last = try #require(stream["last"].integer)
    func range(_ start: Int, _ end: Int) -> TimeRange {
      TimeRange(
        start: Timestamp(clamping: Int64(start * scale)),
        end: Timestamp(clamping: Int64(end * scale)))
    }
    let windows: [TimeRange] =
      switch set {
      case "wholeRecording": [range(first, last)]
      case "middleHalf":
        [range(first + (last - first) / 4, first + 3 * (last - first) / 4)]
      default:
        value["each"].array.compactMap { task in
          task["begin"].integer.flatMap { begin in task["end"].integer.map { range(begin, $0) } }
        }
      }
    for (account, reach) in [
      (value, SampleSeries.Reach.medianGaps), (value["withoutLimit"], .middle),
    ] {
      let own = own(series, in: windows, reach: reach, of: trace)
      #expect(own.values.reduce(0, +) == (account["sampled"].integer ?? -1) * scale)
      for function in account["own"].array {
        let name = "\(function["name"].string ?? "") in \(function["where"].string ?? "")"
        #expect(own[name] == function["own"].integer.map { $0 * scale })
      }
    }
  }

  /// The time of the innermost functions.
  private static func own(
    _ series: SampleSeries, in windows: [TimeRange], reach: SampleSeries.Reach, of trace: Trace
  ) -> [String: Int] {
    let cells = SampleCells(series, reach: reach)
    var times: [String: Int] = [:]
    for window in windows {
      cells.forEach(in: window) { index, start, end in
        let stack = series.stack(at: index)
        var name = "(no stack) in "
        if stack != .empty {
          let function = trace.stackTree.function(of: stack)
          name = "\(trace.strings[function.name]) in \(trace.strings[function.module])"
        }
        times[name, default: 0] += Int(end - start)
      }
    }
    return times
  }
}
