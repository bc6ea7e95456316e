internal import ScrollTraceModel

extension TraceBuilder {
  /// Counts the samples of a profile that have no time as lost, and reports times without a sample.
  mutating func reportUnpaired(samples: Int, times: Int) {
    if samples > times {
      countLoss(.malformedRecord, count: UInt64(samples - times))
      addNotice(.source("sampled stacks without a time: \(samples - times)"))
    } else if times > samples {
      addNotice(.source("times without a sampled stack: \(times - samples)"))
    }
  }
}
