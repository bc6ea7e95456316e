public import ScrollTraceModel

/// The estimated cost of recording (M-22).
public struct RecorderOverhead: Codable, Equatable, Sendable {
  /// The number of event records.
  public let records: UInt64
  /// The number of event records that the main thread wrote.
  public let mainRecords: UInt64
  /// The nanoseconds for each record.
  public let nanosecondsPerRecord: Double
  /// The number of records with a reading of a thread's times.
  public let threadTimeReadings: UInt64
  /// The nanoseconds for each such reading, or `nil` if none was made.
  public let nanosecondsPerThreadTimeReading: Double?
  /// The number of signals to sampled threads, or `nil` without sampled stacks.
  public let stackSignals: UInt64?
  /// The nanoseconds for each signal, or `nil` without sampled stacks.
  public let nanosecondsPerStackSignal: Double?
  /// The nanoseconds of the sampling thread on a core, or `nil` without sampled stacks.
  public let stackSampler: UInt64?
  /// The time on all threads of the host.
  public let time: TimeSpan
  /// The share of the recording that the main thread's records took, 0 to 1, or `nil` without a duration.
  public let mainShare: Double?
  /// A Boolean value indicating that the cost is an estimate; always true.
  public let isEstimated: Bool

  private enum CodingKeys: String, CodingKey {
    case records, mainRecords, nanosecondsPerRecord = "nsPerRecord", threadTimeReadings
    case nanosecondsPerThreadTimeReading = "nsPerThreadTimeReading", stackSignals
    case nanosecondsPerStackSignal = "nsPerStackSignal", stackSampler = "stackSamplerNs"
    case time = "timeNs", mainShare, isEstimated = "estimated"
  }

  /// Estimates the overhead of `trace`, or returns `nil` if the recorder did not measure its cost
  /// or the measurement is implausible.
  init?(of trace: Trace) {
    guard let cost = trace.source.recorderCost, cost.picosecondsPerRecord > 0,
      let time = Self.time(cost.recordCount, readings: cost.readingCount, cost),
      let main = Self.time(cost.mainRecordCount, readings: cost.mainReadingCount, cost)
    else { return nil }
    let hasReadings = cost.picosecondsPerReading > 0 && cost.readingCount > 0
    nanosecondsPerThreadTimeReading =
      hasReadings ? Double(cost.picosecondsPerReading) / 1000 : nil
    threadTimeReadings = hasReadings ? cost.readingCount : 0
    nanosecondsPerRecord = Double(cost.picosecondsPerRecord) / 1000
    records = cost.recordCount
    mainRecords = cost.mainRecordCount
    stackSignals = cost.sampling?.signalCount
    nanosecondsPerStackSignal = cost.sampling.flatMap {
      $0.signalCount > 0 ? Double($0.nanoseconds) / Double($0.signalCount) : nil
    }
    stackSampler = cost.sampling?.samplerNanoseconds
    isEstimated = true
    self.time = time
    let length = trace.range.length
    mainShare = length > .zero ? min(1, main.share(of: length)) : nil
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
  package var recorderOverhead: RecorderOverhead? { RecorderOverhead(of: trace) }
}
