/// What the recorder itself cost the host, as it measured when it began.
package struct RecorderCost: Hashable, Sendable {
  /// What one record costs, the start and the end of a span, in picoseconds.
  package var picosecondsPerRecord: UInt64
  /// How many records of events the source holds.
  package var recordCount: UInt64
  /// How many of them the main thread wrote.
  package var mainRecordCount: UInt64

  /// `recordCount` records, `mainRecordCount` of them the main thread's.
  package init(picosecondsPerRecord: UInt64, recordCount: UInt64, mainRecordCount: UInt64) {
    self.picosecondsPerRecord = picosecondsPerRecord
    self.recordCount = recordCount
    self.mainRecordCount = mainRecordCount
  }
}
