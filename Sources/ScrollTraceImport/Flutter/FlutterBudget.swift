import ScrollTraceModel

/// How many frames took longer than a refresh on one of the two threads, as DevTools counts them.
struct FlutterOverrunCount {
  private let builds: Int
  private let rasters: Int
  private let either: Int
  private let count: Int

  /// The counts of `listed`; `nil` where the rate is none.
  init?(_ listed: [FlutterListedFrame], refreshRate: Double?) {
    guard let rate = refreshRate, rate >= 1, rate <= 1000 else { return nil }
    let budget = 1e9 / rate
    func isOver(_ length: TimeSpan) -> Bool { Double(length.nanoseconds) > budget }
    builds = listed.count { isOver($0.build) }
    rasters = listed.count { isOver($0.raster) }
    either = listed.count { isOver($0.build) || isOver($0.raster) }
    count = listed.count
  }

  /// Adds the counts to `builder`.
  func addAggregates(to builder: inout TraceBuilder) {
    for (metric, value) in [
      ("flutterFrames", count), ("jankyFrames", either), ("buildOverBudget", builds),
      ("rasterOverBudget", rasters),
    ] {
      builder.addAggregate(
        Aggregate(metric, unit: "frames", values: [Double(value)], source: "DevTools"))
    }
  }
}
