import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Real results of benchmarks, whose numbers are known.
@Suite(.needsExtraCases) struct ResultCaseTests {
  private static func aggregates(_ trace: Trace) -> [String: [Double]] {
    Dictionary(trace.aggregates.map { ($0.metric, $0.values) }) { first, _ in first }
  }

  @Test func `M-8: percentiles, counts and overruns are those of the results`() async {
    await forEachCase(
      of: [
        "compose-click-benchmark_09-12-2024-msr-disabled-benchmarkData.json",
        "startup-benchmark_18-10-2024-msr-enabled-benchmarkData.json",
        "view-click-benchmark_09-12-2024-msr-enabled-benchmarkData.json",
      ], oneCase)
    @Sendable func oneCase(name: String) throws {
      let files = try #require(SharedCases.json("more-expected.json")["files"] as? [String: Any])
      let expected = try #require(files["macrobenchmark/\(name)"] as? [String: Any])
      let benchmark = try #require((expected["benchmarks"] as? [[String: Any]])?.first)
      let trace = try TraceFile.open(SharedCases.path("macrobenchmark/\(name)"))
      #expect(trace.source.format == "macrobenchmark" && trace.losses.isEmpty)
      let aggregates = Self.aggregates(trace)
      #expect(
        aggregates["iterations"]?.first == (benchmark["iterations"] as? NSNumber)?.doubleValue)
      let metrics = try #require(benchmark["metrics"] as? [String: [String: Any]])
      for (metric, expected) in metrics {
        let values = try #require(aggregates[metric])
        if let median = expected["median"] as? Double {
          #expect(try abs(#require(aggregates[metric + "Median"]?.first) - median) < 1e-9)
          let maximum = try #require(expected["max"] as? Double)
          #expect(try abs(#require(aggregates[metric + "Maximum"]?.first) - maximum) < 1e-9)
          continue
        }
        #expect(values.count == expected["samples"] as? Int)
        #expect(values.max() == expected["max"] as? Double)
        let percentiles = try #require(
          expected["recomputed_R7_over_all_iterations"] as? [String: Double])
        for (percentile, value) in percentiles {
          let percent = try #require(Double(percentile.dropFirst()))
          #expect(try abs(#require(values.sorted().percentile(percent)) - value) < 1e-9)
          #expect(try abs(#require(aggregates[metric + percentile]?.first) - value) < 1e-9)
        }
        guard let sum = expected["hitch_time_ms_sum_of_positive_overrun"] as? NSNumber else {
          continue
        }
        #expect(try abs(#require(aggregates["overrunSum"]?.first) - sum.doubleValue) < 1e-9)
        #expect(
          aggregates["deadlinesMissed"]?.first == (expected["count_gt_0"] as? NSNumber)?.doubleValue
        )
      }
      #expect(trace.surfaces.count == (metrics["frameOverrunMs"] == nil ? 0 : 1))
    }
  }

  @Test func `Flashlight's averages match those of its own report`() async {
    await forEachCase(of: [
      ("s10_flashlist_SCROLL.json", 59.53, 79.24, 15.51),
      ("s10_flatlist_SCROLL.json", 55.41, 153.21, 24.89),
    ]) { try oneCase($0, $1, $2, $3) }
    @Sendable func oneCase(_ name: String, _ fps: Double, _ cpu: Double, _ script: Double) throws {
      let trace = try TraceFile.open(SharedCases.path("flashlight/\(name)"))
      #expect(trace.source.format == "flashlight" && trace.losses.isEmpty)
      let aggregates = Self.aggregates(trace)
      #expect(try abs(#require(aggregates["fpsAverage"]?.first) - fps) < 0.01)
      #expect(try abs(#require(aggregates["cpuAverage"]?.first) - cpu) < 0.01)
      let thread = try #require(trace.aggregates.first { $0.source.hasSuffix(": mqt_js") })
      #expect(abs(thread.values[0] - script) < 0.01)
      #expect(aggregates["fpsPerIteration"]?.count == 10)
    }
  }

  @Test func `Apple's own numbers are reported`() throws {
    let payload = try TraceFile.open(
      SharedCases.path("apple/metrickit/simulated-payload-ios16.excerpt.json"))
    #expect(payload.source.format == "metrickit" && payload.losses.isEmpty)
    #expect(Self.aggregates(payload)["scrollHitchTimeRatio"] == [1000])
    let test = try TraceFile.open(
      SharedCases.path("apple/xctest/scroll-deceleration-measurements.json"))
    #expect(test.source.format == "xctest" && test.losses.isEmpty)
    let aggregates = Self.aggregates(test)
    let (hitches, lengths) = try (
      #require(aggregates["hitchesTotalDuration"]), #require(aggregates["duration"])
    )
    for (ratio, parts) in zip(try #require(aggregates["hitchTimeRatio"]), zip(hitches, lengths)) {
      #expect(abs(ratio - parts.0 / parts.1) < 1e-4)
    }
    let sums = 331.742744 / 12.119322
    #expect(try abs(#require(aggregates["hitchTimeRatioOfSums"]?.first) - sums) < 1e-6)
  }
}
