package import ScrollTraceModel

/// The estimated time that the recorder itself took (M-22).
package struct RecorderOverhead: Hashable, Sendable {
  /// The cost of a record in nanoseconds.
  package let nanosecondsPerRecord: Double
  /// The number of event records.
  package let recordCount: UInt64
  /// The number of event records that the main thread wrote.
  package let mainRecordCount: UInt64
  /// The time of all records on all threads.
  package let time: TimeSpan
  /// The share of the recording that the main thread's records took, 0 to 1, or `nil` if the
  /// recording has no length.
  package let mainShare: Double?

  /// Estimates the overhead of `trace`, or returns `nil` if the recorder did not measure its cost
  /// or the measurement is implausible.
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
  /// The estimated overhead of the recorder, or `nil` if it did not measure its cost.
  package var recorderOverhead: RecorderOverhead? { RecorderOverhead(of: trace) }
}
