/// The recorder's own cost for the host, measured when the recording started.
package struct RecorderCost: Equatable, Sendable {
  /// The cost of a record, which is the start and end of a span, in picoseconds.
  package var picosecondsPerRecord: UInt64
  package var recordCount: UInt64
  /// The number of event records that the main thread wrote.
  package var mainRecordCount: UInt64
  /// The cost of a reading of what the system has counted for a thread, in picoseconds, or 0 if none
  /// was measured.
  package var picosecondsPerReading: UInt64
  /// The number of records with such a reading.
  package var readingCount: UInt64
  /// The number of records with such a reading that the main thread wrote.
  package var mainReadingCount: UInt64
  /// The cost of sampling stacks, or `nil` if none were sampled.
  package var sampling: SamplingCost?

  package init(
    picosecondsPerRecord: UInt64, recordCount: UInt64, mainRecordCount: UInt64,
    picosecondsPerReading: UInt64 = 0, readingCount: UInt64 = 0, mainReadingCount: UInt64 = 0,
    sampling: SamplingCost? = nil
  ) {
    self.picosecondsPerRecord = picosecondsPerRecord
    self.recordCount = recordCount
    self.mainRecordCount = mainRecordCount
    self.picosecondsPerReading = picosecondsPerReading
    self.readingCount = readingCount
    self.mainReadingCount = mainReadingCount
    self.sampling = sampling
  }
}

/// The cost of sampling stacks, as the recorder measured it.
package struct SamplingCost: Equatable, Sendable {
  /// The number of signals that were sent to threads with an open frame.
  package var signalCount: UInt64
  /// What the signals cost these threads, in nanoseconds.
  package var nanoseconds: UInt64
  /// How long the sampling thread was on a core, in nanoseconds.
  package var samplerNanoseconds: UInt64

  package init(signalCount: UInt64, nanoseconds: UInt64, samplerNanoseconds: UInt64) {
    self.signalCount = signalCount
    self.nanoseconds = nanoseconds
    self.samplerNanoseconds = samplerNanoseconds
  }
}
