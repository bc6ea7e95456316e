import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct FlashlightTests {
  private static func read(_ text: String) throws -> Trace {
    try TraceFile.read(MemoryByteSource(Array(text.utf8)), path: "")
  }

  private static func aggregates(_ trace: Trace) -> [String: [Double]] {
    Dictionary(trace.aggregates.map { ($0.metric, $0.values) }) { first, _ in first }
  }

  private static func measure(_ time: Int, fps: String, _ threads: String) -> String {
    #"{"cpu":{"perName":{\#(threads)},"perCore":{"0":1}},"fps":\#(fps),"ram":100.5,"time":\#(time)}"#
  }

  private static func result(_ iterations: [[String]], _ rest: String = "") -> String {
    let list = iterations.map { #"{"time":1000,"measures":[\#($0.joined(separator: ","))]}"# }
    return #"{"name":"Feed","iterations":[\#(list.joined(separator: ","))]\#(rest)}"#
  }

  @Test func `the average covers the intervals common to all iterations, like Flashlight's own`()
    throws
  {
    let trace = try Self.read(
      Self.result([
        [Self.measure(500, fps: "60", #""a":1"#), Self.measure(1000, fps: "50", #""a":1"#)],
        [Self.measure(500, fps: "30", #""a":1"#)],
      ]))
    #expect(trace.source.format == "flashlight" && trace.losses.isEmpty)
    let aggregates = Self.aggregates(trace)
    #expect(aggregates["fpsAverage"] == [45])
    #expect(aggregates["fpsPerIteration"] == [55, 30])
    #expect(aggregates["fpsMinimum"] == [30])
    #expect(try abs(#require(aggregates["intervalsBelow90Percent"]?.first) - 200.0 / 3) < 1e-9)
    #expect(aggregates["ramMaximum"] == [100.5])
    #expect(trace.surfaces.map(\.basis) == [.aggregate])
    #expect(trace.range.end == Timestamp(nanoseconds: 2_000_000_000))
  }

  @Test func `M-11: the main thread's CPU share is reported if a thread has that name`()
    throws
  {
    let threads = #""UI Thread":30,"(mqt_js)":50,"RenderThread":20"#
    let trace = try Self.read(Self.result([[Self.measure(500, fps: "60", threads)]]))
    let aggregates = Self.aggregates(trace)
    #expect(aggregates["cpuAverage"] == [100])
    #expect(aggregates["cpuMain"] == [30] && aggregates["cpuBackground"] == [70])
    #expect(aggregates["cpuMainShare"] == [30])
    let each = trace.aggregates.filter { $0.metric == "cpuOfThread" }
    #expect(each.map(\.source) == ["Feed: mqt_js", "Feed: UI Thread", "Feed: RenderThread"])
    #expect(each.map(\.values) == [[50], [30], [20]])
    let unnamed = try Self.read(
      Self.result([[Self.measure(500, fps: "60", #""(com.example)":30,"mqt_js":50"#)]]))
    #expect(Self.aggregates(unnamed)["cpuMainShare"] == nil)
    #expect(
      unnamed.notices.count { "\($0)".contains("no thread is marked as the main thread") } == 1)
  }

  @Test func `a 120 Hz display is measured against its own rate`() throws {
    let measures = [[Self.measure(500, fps: "100", #""a":1"#)]]
    let fast = try Self.read(Self.result(measures, #","specs":{"refreshRate":120}"#))
    #expect(Self.aggregates(fast)["intervalsBelow90Percent"] == [100])
    let usual = try Self.read(Self.result(measures))
    #expect(Self.aggregates(usual)["intervalsBelow90Percent"] == [0])
  }

  @Test func `repeated iterations do not count`() throws {
    let text = Self.result([
      [Self.measure(500, fps: "10", #""a":1"#)], [Self.measure(500, fps: "60", #""a":1"#)],
    ]).replacing(
      #"{"iterations":[{"time""#, with: #"{"iterations":[{"isRetriedIteration":true,"time""#
    ).replacing(
      #""iterations":[{"time""#, with: #""iterations":[{"isRetriedIteration":true,"time""#)
    let trace = try Self.read(text)
    #expect(Self.aggregates(trace)["fpsAverage"] == [60])
    #expect(trace.notices.contains(.source("iterations that were retried, omitted: 1")))
  }

  @Test func `samples of an iteration follow those of the previous one`() throws {
    let trace = try Self.read(
      Self.result([
        [Self.measure(500, fps: "60", #""a":1"#)], [Self.measure(400, fps: "50", #""a":2"#)],
      ]))
    let fps = try #require(trace.counters.first { trace.name(of: $0.label) == "fps" })
    #expect(fps.times == [500_000_000, 1_400_000_000])
    #expect(fps.values == [60, 50])
    let cpu = try #require(trace.counters.first { trace.name(of: $0.label) == "cpu" })
    #expect(trace.strings[cpu.series] == "a" && cpu.values == [1, 2])
  }

  @Test func `unmeasured values are unknown, and impossible ones are counted`() throws {
    let trace = try Self.read(
      Self.result([
        [
          Self.measure(500, fps: "null", #""a":null,"b":-1,"c":"x","d":1e300,"e":4"#), "null", "7",
        ]
      ]))
    #expect(Self.aggregates(trace)["fpsAverage"] == nil)
    #expect(Self.aggregates(trace)["cpuAverage"] == [4])
    #expect(trace.losses.map(\.reason) == [.invalidValue])
    #expect(trace.losses.first?.count == 5)
  }

  @Test func `several results in an array are several surfaces`() throws {
    let one = Self.result([[Self.measure(500, fps: "60", #""a":1"#)]])
    let trace = try Self.read("[\(one),\(one.replacing("Feed", with: "Other"))]")
    #expect(trace.surfaces.map(\.name) == ["Feed", "Other"])
  }

  @Test func `results without measurements are rejected`() async {
    await forEachCase(
      of: [
        #"{"iterations":[],"perName":1}"#, #"{"iterations":[{"measures":[]}],"perName":1}"#,
        #"[{"perName":{}},7]"#, #"{"iterations":{"measures":{"perName":1}}}"#,
      ], oneCase)
    @Sendable func oneCase(text: String) throws {
      #expect(throws: ImportError.self) { try Self.read(text) }
    }
  }

  @Test func `an interval without a CPU measurement is not an idle one`() throws {
    let silent = #"{"fps":60,"ram":100,"time":1000}"#
    let trace = try Self.read(
      Self.result([[Self.measure(500, fps: "60", #""UI Thread":80"#), silent, silent]]))
    #expect(
      Self.aggregates(trace)["cpuAverage"] == [80] && Self.aggregates(trace)["cpuMain"] == [80])
  }
}
