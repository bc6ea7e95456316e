/// Data that was lost, and the reason. No loss is silent (R12).
package struct Loss: Equatable, Sendable {
  /// The reason why data is missing. Reports print the raw value.
  package enum Reason: String, Sendable, CaseIterable {
    /// The recorder had no room for a record: the file was full, a limit was reached, or memory ran
    /// out.
    case recorderOutOfSpace = "recorder-out-of-space"
    /// A record was larger than the format allows.
    case recordTooLarge = "record-too-large"
    case recordedAfterFinish = "recorded-after-close"
    /// A signal handler recorded while its thread was inside the recorder.
    case recordedFromSignalHandler = "recorded-from-signal-handler"
    /// The source reports dropped records, but not how many.
    case sourceDroppedRecords = "source-dropped-records"
    /// A whole chunk of the recording is missing.
    case missingChunk = "missing-chunk"
    case duplicateChunk = "duplicate-chunk"
    case checksumMismatch = "checksum-mismatch"
    /// Bytes that could not be read as records.
    case damagedBytes = "damaged-bytes"
    /// The file ends inside a record.
    case cutAtEnd = "cut-at-end"
    /// A record contradicts itself.
    case malformedRecord = "malformed-record"
    /// A record has a type that this version does not support.
    case unknownRecord = "unknown-record"
    /// A record refers to an undefined name, thread or frame. The event was kept.
    case undefinedReference = "undefined-reference"
    /// A time that cannot be represented.
    case timeOutOfRange = "time-out-of-range"
    case endBeforeBegin = "end-before-begin"
    case unmatchedEnd = "unmatched-end"
    /// A value is not valid for its field.
    case invalidValue = "invalid-value"
    case limitReached = "limit-reached"
    /// The file changed while it was being read.
    case fileChanged = "file-changed"
  }

  package let reason: Reason
  /// The number of records, or of bytes if the reason refers to bytes.
  package var count: UInt64
  /// The byte offset of the first loss in the source, or `nil` if it has none.
  package let offset: UInt64?
}
