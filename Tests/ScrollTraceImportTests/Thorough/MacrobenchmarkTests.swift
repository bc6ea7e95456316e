import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct MacrobenchmarkTests {
  private static func read(_ text: String) throws -> Trace {
    try TraceFile.read(MemoryByteSource(Array(text.utf8)), path: "")
  }

  private static func aggregates(_ trace: Trace) -> [String: [Double]] {
    Dictionary(trace.aggregates.map { ($0.metric, $0.values) }) { first, _ in first }
  }

  private static func benchmark(_ sampled: String, _ rest: String = "") -> String {
    #"{"benchmarks":[{"name":"scroll","className":"a.b.Feed","sampledMetrics":{\#(sampled)}\#(rest)}]}"#
  }

  @Test func `M-1: overruns above zero are missed deadlines, of all iterations together`() throws {
    let trace = try Self.read(
      Self.benchmark(#""frameOverrunMs":{"P50":-1.0,"runs":[[-3,2.5,-1],[0,4],[]]}"#))
    #expect(trace.source.format == "macrobenchmark" && trace.losses.isEmpty)
    let aggregates = Self.aggregates(trace)
    #expect(aggregates["sampledFrames"] == [5])
    #expect(aggregates["deadlinesMissed"] == [2], "to be done right at the deadline is in time")
    #expect(aggregates["deadlinesMissedShare"] == [40])
    #expect(aggregates["overrunSum"] == [6.5])
    #expect(aggregates["overrunMaximum"] == [4])
    #expect(aggregates["deadlinesMissedPerIteration"] == [1, 1, 0])
    #expect(aggregates["frameOverrunMs"] == [-3, 2.5, -1, 0, 4])
    #expect(trace.aggregates.first { $0.metric == "frameOverrunMs" }?.unit == "ms")
    #expect(trace.aggregates.allSatisfy { $0.source == "Feed.scroll" })
  }

  @Test func `M-2: frames without times are sums, and nothing is evaluated`() throws {
    let trace = try Self.read(
      Self.benchmark(#""frameDurationCpuMs":{"P50":4.0,"P90":4.8,"runs":[[4,5],[3]]}"#))
    #expect(trace.surfaces.map(\.name) == ["Feed.scroll"])
    #expect(trace.surfaces.map(\.basis) == [.aggregate])
    #expect(!trace.source.hasKnownLength)
    #expect(Self.aggregates(trace)["frameDurationCpuMsP90"] == [4.8])
  }

  @Test func `M-8: percentiles that do not match the samples are reported`() throws {
    let runs = #""runs":[[1,2],[3,4,5]]"#
    let right = try Self.read(Self.benchmark(#""frameDurationCpuMs":{"P50":3,"P90":4.6,\#(runs)}"#))
    let wrong = try Self.read(Self.benchmark(#""frameDurationCpuMs":{"P50":3,"P90":5,\#(runs)}"#))
    let notice = Notice.source("percentiles that do not match the samples: 1")
    #expect(!right.notices.contains(notice))
    #expect(wrong.notices.contains(notice))
  }

  @Test func `a benchmark without frames is reported`() throws {
    let trace = try Self.read(
      #"{"benchmarks":[{"name":"start","metrics":{"timeToInitialDisplayMs":{"minimum":1,"median":2,"#
        + #""maximum":3,"runs":[1,2,3]}},"sampledMetrics":{},"thermalThrottleSleepSeconds":0}]}"#)
    #expect(trace.surfaces.isEmpty)
    #expect(Self.aggregates(trace)["timeToInitialDisplayMsMedian"] == [2])
    #expect(
      trace.notices.contains(
        .source("no benchmark measured frames; FrameTimingMetric does, within measureRepeated")))
  }

  @Test func `an emulator and an unlocked clock are reported`() throws {
    let trace = try Self.read(
      #"{"context":{"build":{"model":"sdk_gphone64","fingerprint":"google/sdk_gphone64/emu64x:14"},"#
        + #""cpuLocked":false},"benchmarks":[{"name":"a","metrics":{"gfxFrameJankPercent":{"#
        + #""median":2,"coefficientOfVariation":0.1,"runs":[2]}},"thermalThrottleSleepSeconds":0}]}"#
    )
    #expect(
      trace.notices.prefix(2) == [
        .source("measured on sdk_gphone64; its clock was not locked"),
        .source("measured on an emulator: its times say little about a device"),
      ])
    #expect(trace.surfaces.map(\.basis) == [.aggregate])
    let units = trace.aggregates.map { "\($0.metric) \($0.unit)" }
    #expect(
      units == [
        "gfxFrameJankPercentMedian %", "gfxFrameJankPercentCoefficientOfVariation ",
        "gfxFrameJankPercent %",
      ])
  }

  @Test func `invalid numbers are counted, and the rest is kept`() throws {
    let trace = try Self.read(
      Self.benchmark(
        #""frameOverrunMs":{"P50":null,"runs":[[1,null,"2"],7,{}]}"#,
        #","metrics":{"a":{"median":"x","runs":[1,[2,3],null]}}"#))
    #expect(Self.aggregates(trace)["frameOverrunMs"] == [1, 7])
    #expect(Self.aggregates(trace)["a"] == [1, 2, 3])
    #expect(trace.losses.map(\.reason) == [.invalidValue])
    #expect(trace.losses.first?.count == 6)
  }

  @Test func `results without a benchmark are rejected`() async {
    await forEachCase(
      of: [
        #"{"benchmarks":[],"sampledMetrics":1}"#, #"{"benchmarks":{},"sampledMetrics":[]}"#,
        #"{"sampledMetrics":{}}"#, #"{"benchmarks":[7,null],"sampledMetrics":0}"#,
      ], oneCase)
    @Sendable func oneCase(text: String) throws {
      #expect(throws: ImportError.self) { try Self.read(text) }
    }
  }

  @Test func `very many samples and benchmarks are read in linear time`() throws {
    let samples = Array(repeating: "1.5", count: 300_000).joined(separator: ",")
    let trace = try Self.read(Self.benchmark(#""frameOverrunMs":{"runs":[[\#(samples)]]}"#))
    #expect(Self.aggregates(trace)["overrunSum"] == [450_000])
    let one = #"{"name":"a","metrics":{"m":{"median":1,"runs":[1]}}}"#
    let many = Array(repeating: one, count: 6000).joined(separator: ",")
    let limited = try Self.read(#"{"benchmarks":[\#(many)],"sampledMetrics":0}"#)
    #expect(limited.aggregates.count == 10_000)
    #expect(limited.losses.map(\.reason) == [.limitReached])
  }

  @Test func `the sample misses one deadline in each iteration`() throws {
    let trace = try TraceFile.open(ResultSamples.path("feed-benchmarkData.json"))
    #expect(trace.losses.isEmpty)
    #expect(Self.aggregates(trace)["deadlinesMissedPerIteration"] == [1, 1, 1])
    #expect(
      !trace.notices.contains { notice in
        if case .source(let text) = notice { text.contains("percentiles") } else { false }
      })
  }
}
