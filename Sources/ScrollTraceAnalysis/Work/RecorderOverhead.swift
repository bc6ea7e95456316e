package import ScrollTraceModel

/// The estimated time that the recorder itself took (M-22).
package struct RecorderOverhead: Equatable, Sendable {
  /// The cost of a record in nanoseconds.
  package let nanosecondsPerRecord: Double
  /// The number of event records.
  package let recordCount: UInt64
  /// The number of event records that the main thread wrote.
  package let mainRecordCount: UInt64
  /// The cost of a reading of a thread's times in nanoseconds, or `nil` if none was made.
  package let nanosecondsPerReading: Double?
  /// The number of records with such a reading.
  package let readingCount: UInt64
  /// The cost of sampling stacks, or `nil` if none were sampled.
  package let sampling: SamplingCost?
  /// The time of all records, readings and signals on all threads of the host.
  package let time: TimeSpan
  /// The share of the recording that the main thread's records and readings and all signals took, 0 to 1,
  /// or `nil` if the recording has no length.
  package let mainShare: Double?

  /// Estimates the overhead of `trace`, or returns `nil` if the recorder did not measure its cost
  /// or the measurement is implausible.
  init?(of trace: Trace) {
    guard let cost = trace.source.recorderCost, cost.picosecondsPerRecord > 0,
      let time = Self.time(cost.recordCount, readings: cost.readingCount, cost),
      let main = Self.time(cost.mainRecordCount, readings: cost.mainReadingCount, cost)
    else { return nil }
    sampling = cost.sampling
    let hasReadings = cost.picosecondsPerReading > 0 && cost.readingCount > 0
    nanosecondsPerReading = hasReadings ? Double(cost.picosecondsPerReading) / 1000 : nil
    readingCount = hasReadings ? cost.readingCount : 0
    nanosecondsPerRecord = Double(cost.picosecondsPerRecord) / 1000
    recordCount = cost.recordCount
    mainRecordCount = cost.mainRecordCount
    self.time = time
    let length = trace.range.length
    mainShare =
      length > .zero ? min(1, Double(main.nanoseconds) / Double(length.nanoseconds)) : nil
  }

  /// The mean cost of a signal for the sampled thread in nanoseconds, or `nil` if none was sent.
  package var nanosecondsPerSignal: Double? {
    sampling.flatMap { sampling in
      sampling.signalCount > 0 ? Double(sampling.nanoseconds) / Double(sampling.signalCount) : nil
    }
  }

  private static func time(
    _ count: UInt64, readings: UInt64, _ cost: RecorderCost
  ) -> TimeSpan? {
    let records = count.multipliedReportingOverflow(by: cost.picosecondsPerRecord)
    let read = readings.multipliedReportingOverflow(by: cost.picosecondsPerReading)
    let signals = (cost.sampling?.nanoseconds ?? 0).multipliedReportingOverflow(by: 1000)
    let (written, overflow) = records.partialValue.addingReportingOverflow(read.partialValue)
    let (picoseconds, overflows) = written.addingReportingOverflow(signals.partialValue)
    guard !records.overflow, !read.overflow, !signals.overflow, !overflow, !overflows else {
      return nil
    }
    return TimeSpan(nanoseconds: Int64(picoseconds / 1000))
  }
}

extension Analysis {
  /// The estimated overhead of the recorder, or `nil` if it did not measure its cost.
  package var recorderOverhead: RecorderOverhead? { RecorderOverhead(of: trace) }
}
