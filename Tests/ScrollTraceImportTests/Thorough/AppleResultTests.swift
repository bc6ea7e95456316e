import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// What Apple's own tools tell in sums: MetricKit of the field, XCTest of tests.
@Suite struct AppleResultTests {
  private static func read(_ text: String) throws -> Trace {
    try TraceFile.read(MemoryByteSource(Array(text.utf8)), path: "")
  }

  private static func aggregates(_ trace: Trace) -> [String: [Double]] {
    Dictionary(trace.aggregates.map { ($0.metric, $0.values) }) { first, _ in first }
  }

  // MARK: - MetricKit

  @Test func `M-6: MetricKit's ratios are reported unchanged`() throws {
    let trace = try Self.read(ResultSamples.metricKit)
    #expect(trace.source.format == "metrickit" && trace.losses.isEmpty)
    let aggregates = Self.aggregates(trace)
    #expect(aggregates["scrollHitchTimeRatio"] == [6.5] && aggregates["hitchTimeRatio"] == [4])
    #expect(aggregates["signpostCumulativeHitchTimeRatio"] == [12])
    let units = trace.aggregates.filter { $0.metric.hasSuffix("Ratio") }.map(\.unit)
    #expect(units == ["ms/s", "ms/s", "ms/s"])
    #expect(trace.aggregates.first { $0.metric == "signpostCount" }?.source == "Feed/scroll")
    #expect(trace.surfaces.map(\.name) == ["com.example.feed"])
    #expect(trace.surfaces.map(\.basis) == [.aggregate])
    #expect(!trace.source.hasKnownLength)
  }

  @Test func `a histogram's sum is reported as far as it is known`() throws {
    let aggregates = Self.aggregates(try Self.read(ResultSamples.metricKit))
    #expect(aggregates["appHangs"] == [7])
    #expect(aggregates["appHangTimeAtLeast"] == [200], "2 of at least 100 ms")
    #expect(aggregates["appHangTimeAtMost"] == [1300], "5 of 100 ms and 2 of 400")
    #expect(aggregates["appHangTimeHistogram"] == [5, 2])
    #expect(aggregates["appHangTimeHistogramEnds"] == [100, 400])
  }

  @Test func `quantities are read as written`() async {
    await forEachCase(of: [
      ("50 ms per s", 50, "ms/s"), ("1,000 ms per s", 1000, "ms/s"), ("1,5 ms", 1.5, "ms"),
      ("1,234,567 kB", 1_234_567, "kB"), ("1,234.5 ms", 1234.5, "ms"), ("-0.5 ms", -0.5, "ms"),
      ("20 sec", 20, "sec"), ("7", 7, ""), ("0,125 ms per s", 0.125, "ms/s"),
      ("1.234,5 ms per s", 1234.5, "ms/s"), ("12,5\u{A0}ms per s", 12.5, "ms/s"),
      ("1\u{202F}234,5 ms", 1234.5, "ms"),
    ]) { try oneCase($0, $1, $2) }
    @Sendable func oneCase(_ text: String, _ value: Double, _ unit: String) throws {
      let bytes = Array("{\"animationMetrics\":{\"scrollHitchTimeRatio\":\"\(text)\"}}".utf8)
      let trace = try TraceFile.read(MemoryByteSource(bytes))
      #expect(trace.aggregates.map(\.values) == [[value]])
      #expect(trace.aggregates.map(\.unit) == [unit])
    }
  }

  @Test func `invalid quantities are counted`() async {
    await forEachCase(
      of: ["", "ms per s", "NaN ms per s", "1e999 ms", "0x10 ms", "1.2.3 ms"], oneCase)
    @Sendable func oneCase(text: String) throws {
      let other = #""applicationTimeMetrics":{"cumulativeForegroundTime":"7 sec"}"#
      let trace = try Self.read(
        #"{"animationMetrics":{"scrollHitchTimeRatio":"\#(text)"},\#(other)}"#)
      #expect(trace.losses.map(\.reason) == [.invalidValue])
      #expect(trace.aggregates.count == 1 && trace.surfaces.isEmpty)
    }
  }

  @Test func `several payloads are distinguished by their days`() throws {
    let day = ResultSamples.metricKit
    let other = day.replacing("2026-01-07", with: "2026-01-08")
    let trace = try Self.read("[\(day),\(other),{}]")
    #expect(
      trace.surfaces.map(\.name) == [
        "com.example.feed 2026-01-07 00:00:00", "com.example.feed 2026-01-08 00:00:00",
      ])
    #expect(trace.notices.contains(.source("payloads without hitches or hangs: 1")))
  }

  @Test func `wrapped payloads are found`() throws {
    let trace = try Self.read(#"{"version":1,"payloads":[\#(ResultSamples.metricKit)]}"#)
    #expect(Self.aggregates(trace)["scrollHitchTimeRatio"] == [6.5])
  }

  @Test func `a payload without hitches and hangs is rejected`() {
    #expect(throws: ImportError.self) { try Self.read(#"{"animationMetrics":{},"metaData":{}}"#) }
  }

  // MARK: - XCTest

  @Test func `M-5: the ratio of several iterations is that of their sums`() throws {
    let trace = try Self.read(ResultSamples.xctest)
    #expect(trace.source.format == "xctest" && trace.losses.isEmpty)
    let aggregates = Self.aggregates(trace)
    #expect(aggregates["hitchTimeRatioAverage"] == [10])
    #expect(aggregates["hitchTimeRatioOfSums"] == [10])
    #expect(aggregates["numberOfHitches"] == [0, 2, 1, 0, 3])
    #expect(aggregates["hitchesTotalDurationAverage"] == [20])
    let title = "FeedUITests/testScroll(): Scroll_Deceleration"
    #expect(trace.aggregates.allSatisfy { $0.source == title })
    #expect(trace.surfaces.map(\.name) == [title])
    let uneven = ResultSamples.xctest.replacing("[2,2,2,2,2]", with: "[2,2,2,2,12]")
    #expect(Self.aggregates(try Self.read(uneven))["hitchTimeRatioOfSums"] == [5])
  }

  @Test func `metrics without a name are recognized by their identifier`() throws {
    let trace = try Self.read(
      #"{"com.apple.dt.XCTMetric_Hitch-Feed.time.ratio":{"unit":"ms per s","values":[3,5]},"#
        + #""com.apple.dt.XCTMetric_Hitch-Feed.total.duration":{"unit":"s","values":[0.1,0.2]}}"#)
    #expect(Self.aggregates(trace)["hitchTimeRatioAverage"] == [4])
    #expect(Self.aggregates(trace)["hitchesTotalDuration"] == [0.1, 0.2])
    #expect(trace.surfaces.map(\.name) == ["Feed"])
  }

  @Test func `a baseline is reported next to the average`() throws {
    let trace = try Self.read(
      ResultSamples.xctest.replacing(
        #""polarity""#, with: #""baselineAverage":7.5,"polarity""#))
    #expect(Self.aggregates(trace)["hitchTimeRatioBaseline"] == [7.5])
  }

  @Test func `invalid numbers are counted, and tests without hitches are reported`() throws {
    let trace = try Self.read(
      #"[{"testIdentifier":"T/a()","testRuns":[{"metrics":[{"displayName":"Clock Monotonic Time","#
        + #""unitOfMeasurement":"s","measurements":[1,null,"2"]},{"displayName":"x"}]},{}]},{}]"#)
    #expect(Self.aggregates(trace)["clockMonotonicTimeAverage"] == [1])
    #expect(trace.losses.map(\.reason) == [.invalidValue, .unknownRecord])
    #expect(trace.losses.map(\.count) == [3, 1])
    #expect(trace.surfaces.isEmpty)
    #expect(trace.notices.contains { "\($0)".contains("no test measured hitches") })
  }

  @Test func `a metric's whole identifier is read, however long`() throws {
    let prefix = "com.apple.dt.XCTMetric_OSSignpost-Scroll_DraggingAndDeceleration"
    let trace = try Self.read(
      #"{"\#(prefix).hitches.time.ratio":{"unit":"ms per s","values":[3,5]},"#
        + #""\#(prefix).duration":{"unit":"s","values":[1,2]}}"#)
    #expect(Self.aggregates(trace)["hitchTimeRatioAverage"] == [4])
    #expect(trace.surfaces.map(\.name) == ["Scroll_DraggingAndDeceleration"])
  }

  @Test func `M-5: values that can belong to different iterations give no ratio`() throws {
    let uneven = ResultSamples.xctest.replacing("[2,2,2,2,2]", with: "[2,2,null,2,2]")
    #expect(Self.aggregates(try Self.read(uneven))["hitchTimeRatioOfSums"] == nil)
  }
}
