package import ScrollTraceModel

/// What the recorder itself took of the time it recorded, estimated (M-22).
package struct RecorderOverhead: Hashable, Sendable {
  /// What one record costs, in nanoseconds.
  package let nanosecondsPerRecord: Double
  /// How many records of events there are.
  package let recordCount: UInt64
  /// How many of them the main thread wrote.
  package let mainRecordCount: UInt64
  /// What all of them took, on whatever thread.
  package let time: TimeSpan
  /// The share of the recording that those of the main thread took, 0 ... 1, or `nil` if the recording
  /// has no length.
  package let mainShare: Double?

  /// The overhead of `trace`, or `nil` if the recorder did not measure its cost, or measured what
  /// cannot be.
  init?(of trace: Trace) {
    guard let cost = trace.source.recorderCost, cost.picosecondsPerRecord > 0,
      let time = Self.time(cost.recordCount, cost), let main = Self.time(cost.mainRecordCount, cost)
    else { return nil }
    nanosecondsPerRecord = Double(cost.picosecondsPerRecord) / 1000
    recordCount = cost.recordCount
    mainRecordCount = cost.mainRecordCount
    self.time = time
    let length = trace.range.length
    mainShare =
      length > .zero ? min(1, Double(main.nanoseconds) / Double(length.nanoseconds)) : nil
  }

  private static func time(_ count: UInt64, _ cost: RecorderCost) -> TimeSpan? {
    let (picoseconds, overflow) = count.multipliedReportingOverflow(by: cost.picosecondsPerRecord)
    return overflow ? nil : TimeSpan(nanoseconds: Int64(picoseconds / 1000))
  }
}

extension Analysis {
  /// What the recorder itself took, or `nil` if it did not measure.
  package var recorderOverhead: RecorderOverhead? { RecorderOverhead(of: trace) }
}
