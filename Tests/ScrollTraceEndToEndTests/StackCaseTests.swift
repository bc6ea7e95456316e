import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing

/// Sampled stacks of other tools against figures that were worked out independently of this project.
@Suite(.needsExtraCases) struct StackCaseTests {
  typealias Object = [String: Any]

  static func folder() throws -> String { try #require(ExtraCases.folder) + "/stacks/" }

  /// The folders of profiles without frames, which are no traces.
  private static let profiles = ["cpuprofile/", "perf/", "simpleperf/", "speedscope/"]

  static func expected() throws -> [String: Object] {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder() + "expected.json"))
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? Object)
    let files = try #require(all["files"] as? [String: Object])
    return files.filter { name, _ in !profiles.contains { name.hasPrefix($0) } }
  }

  static func int(_ value: Any?) -> Int64? { (value as? NSNumber)?.int64Value }

  /// The files that hold samples, as they are told in no other way than by the cases.
  @Test func `samples, functions and weights agree with the figures worked out apart`() async throws
  {
    let expected = try Self.expected()
    await forEachCase(of: expected.keys.sorted(), oneFile)
    @Sendable func oneFile(name: String) throws {
      let case_ = try #require(try Self.expected()[name])
      let trace = try TraceFile.open(try Self.folder() + name)
      let report = JSONRenderer().render(Report([TraceAnalyzer().analyze(trace)]))
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(report.utf8)) as? Object)
      let run = try #require((document["runs"] as? [Object])?.first)
      let threads = (run["samples"] as? Object)?["threads"] as? [Object] ?? []
      #expect(
        threads.reduce(0) { $0 + (Self.int($1["samples"]) ?? 0) } == Self.int(case_["samples"]))
      for stream in case_["streams"] as? [Object] ?? [] { try Self.check(stream, in: threads) }
    }
  }

  private static func check(_ stream: Object, in threads: [Object]) throws {
    let thread = try #require(
      threads.first { thread in
        int(thread["samples"]) == int(stream["samples"])
          && int(thread["weight"]) == int(stream["totalWeight"])
          && (stream["tid"] == nil || int(thread["threadId"]) == int(stream["tid"]))
          && (stream["event"] == nil || thread["event"] as? String == stream["event"] as? String)
      })
    #expect(int(thread["samplesWithoutStack"]) == int(stream["samplesWithoutStack"]))
    #expect(int(thread["weight"]) == int(stream["totalWeight"]))
    if let unit = stream["weightUnit"] as? String {
      #expect(thread["weightUnit"] as? String == unit)
    }
    if let unit = stream["timeUnit"] as? String, let first = int(stream["first"]),
      let last = int(stream["last"]), let gap = int(stream["medianGap"])
    {
      let scale: Int64 = unit == "us" ? 1000 : 1
      #expect(int(thread["medianGapNs"]) == gap * scale)
      let from = try #require(int(thread["firstNs"]))
      #expect(int(thread["lastNs"]).map { $0 - from } == (last - first) * scale)
    }
    let keys = [
      "ownSamples": "samplesOwn", "totalSamples": "samplesTotal", "ownWeight": "weightOwn",
      "totalWeight": "weightTotal",
    ]
    let (found, wanted) = (
      thread["functions"] as? [Object] ?? [], stream["functions"] as? [Object] ?? []
    )
    #expect(found.count == wanted.count)
    for (found, wanted) in zip(found, wanted) {
      #expect(found["name"] as? String == wanted["name"] as? String)
      #expect(found["place"] as? String == wanted["where"] as? String)
      for (key, other) in keys { #expect(int(found[key]) == int(wanted[other])) }
    }
  }

  @Test func `cells add up to the windows, with and without a limit`() async throws {
    let expected = try Self.expected()
    await forEachCase(of: expected.keys.sorted(), oneFile)
    @Sendable func oneFile(name: String) throws {
      let case_ = try #require(try Self.expected()[name])
      let trace = try TraceFile.open(try Self.folder() + name)
      for stream in case_["streams"] as? [Object] ?? [] {
        guard let windows = stream["windows"] as? Object else { continue }
        let series = try #require(
          trace.samples.first { series in
            int64(series.count) == Self.int(stream["samples"])
              && (stream["tid"] == nil
                || Int64(trace.tracks[series.track.index].systemID) == Self.int(stream["tid"]))
              && (stream["event"] == nil
                || trace.strings[series.event] == stream["event"] as? String)
          })
        for (set, value) in windows {
          let value = try #require(value as? Object)
          try Self.check(value, set, of: stream, series, in: trace)
        }
      }
      @Sendable func int64(_ count: Int) -> Int64 { Int64(count) }
    }
  }

  /// Compares the account of a set of windows, whose tasks the answers list one by one.
  private static func check(
    _ value: Object, _ set: String, of stream: Object, _ series: SampleSeries, in trace: Trace
  ) throws {
    let scale: Int64 = stream["timeUnit"] as? String == "us" ? 1000 : 1
    let first = try #require(int(stream["first"]))
    let last = try #require(int(stream["last"]))
    func range(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(
        start: Timestamp(clamping: start * scale), end: Timestamp(clamping: end * scale))
    }
    let windows: [TimeRange] =
      switch set {
      case "wholeRecording": [range(first, last)]
      case "middleHalf":
        [range(first + (last - first) / 4, first + 3 * (last - first) / 4)]
      default:
        (value["each"] as? [Object] ?? []).compactMap { task in
          int(task["begin"]).flatMap { begin in int(task["end"]).map { range(begin, $0) } }
        }
      }
    let limited = own(series, in: windows, reach: .medianGaps, of: trace)
    #expect(limited.values.reduce(0, +) == (int(value["sampled"]) ?? -1) * scale)
    for function in value["own"] as? [Object] ?? [] {
      #expect(limited[key(function)] == int(function["own"]).map { $0 * scale })
    }
    let without = try #require(value["withoutLimit"] as? Object)
    let unlimited = own(series, in: windows, reach: .middle, of: trace)
    #expect(unlimited.values.reduce(0, +) == (int(without["sampled"]) ?? -1) * scale)
    for function in without["own"] as? [Object] ?? [] {
      #expect(unlimited[key(function)] == int(function["own"]).map { $0 * scale })
    }
  }

  private static func key(_ function: Object) -> String {
    "\(function["name"] ?? "") in \(function["where"] as? String ?? "")"
  }

  /// The time of the innermost functions.
  private static func own(
    _ series: SampleSeries, in windows: [TimeRange], reach: SampleSeries.Reach, of trace: Trace
  ) -> [String: Int64] {
    let cells = SampleCells(series, reach: reach)
    var times: [String: Int64] = [:]
    for window in windows {
      cells.forEach(in: window) { index, start, end in
        let stack = series.stack(at: index)
        var name = "(no stack) in "
        if stack != .empty {
          let function = trace.stackTree.function(of: stack)
          name = "\(trace.strings[function.name]) in \(trace.strings[function.module])"
        }
        times[name, default: 0] += end - start
      }
    }
    return times
  }
}
