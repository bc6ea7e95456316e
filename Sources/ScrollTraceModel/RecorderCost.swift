/// The recorder's own cost for the host, measured when the recording started.
package struct RecorderCost: Hashable, Sendable {
  /// The cost of a record, which is the start and end of a span, in picoseconds.
  package var picosecondsPerRecord: UInt64
  /// The number of event records in the source.
  package var recordCount: UInt64
  /// The number of event records that the main thread wrote.
  package var mainRecordCount: UInt64

  package init(picosecondsPerRecord: UInt64, recordCount: UInt64, mainRecordCount: UInt64) {
    self.picosecondsPerRecord = picosecondsPerRecord
    self.recordCount = recordCount
    self.mainRecordCount = mainRecordCount
  }
}
