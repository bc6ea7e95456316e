/// Data that was lost, and the reason. No loss is silent (R12).
package struct Loss: Equatable, Sendable {
  /// The reason why data is missing. Reports print the raw value.
  package enum Reason: String, Sendable, CaseIterable {
    /// The recorder had no room for a record: the file was full, a limit was reached, or memory ran
    /// out.
    case recorderOutOfSpace = "recorder-out-of-space"
    /// A record was larger than the format allows.
    case recordTooLarge = "record-too-large"
    /// The host recorded after it had finished the recording.
    case recordedAfterFinish = "recorded-after-close"
    /// A signal handler recorded while its thread was inside the recorder.
    case recordedFromSignalHandler = "recorded-from-signal-handler"
    /// The source reports dropped records, but not how many.
    case sourceDroppedRecords = "source-dropped-records"
    /// A whole chunk of the recording is missing.
    case missingChunk = "missing-chunk"
    /// A chunk occurs twice.
    case duplicateChunk = "duplicate-chunk"
    /// A checksum does not match.
    case checksumMismatch = "checksum-mismatch"
    /// Bytes that could not be read as records.
    case damagedBytes = "damaged-bytes"
    /// The file ends inside a record.
    case cutAtEnd = "cut-at-end"
    /// A record contradicts itself.
    case malformedRecord = "malformed-record"
    /// A record has a type that this version does not support.
    case unknownRecord = "unknown-record"
    /// A record refers to an undefined name or thread. The event was kept.
    case undefinedReference = "undefined-reference"
    /// A time that cannot be represented.
    case timeOutOfRange = "time-out-of-range"
    /// A span ends before it starts.
    case endBeforeBegin = "end-before-begin"
    /// An end has no start.
    case unmatchedEnd = "unmatched-end"
    /// A value is not valid for its field.
    case invalidValue = "invalid-value"
    /// A limit of the reader was reached.
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

/// A fact about a trace, not the app, that a reader of the report should know.
package enum Notice: Hashable, Sendable {
  /// The recording was not finished: the app ended unexpectedly or is still running.
  case notClosed
  /// The recorder was configured to retain only the last part, of length `length`, or `nil` if the
  /// source does not report it.
  case keepsLastPart(length: TimeSpan?, overwrittenChunks: UInt64)
  /// Frames of `surface` were presented before they started. Those times count as unknown.
  case presentedBeforeStart(surface: String, count: Int)
  /// No track is marked as the main thread.
  case noMainTrack
  /// The trace contains no frames.
  case noFrames
  /// Frames of `surface` repeat a number. The later records are kept as separate frames.
  case repeatedFrameNumbers(surface: String, count: Int)
  /// Spans that started and never ended, which are not included in durations.
  case unfinishedSpans(count: Int)
  /// The system's counts of a thread's time ran backwards or exceeded wall time `count` times; the time
  /// between those samples is unknown.
  case implausibleThreadTimes(track: String, count: Int)
  /// Scheduling records of a thread contradicted each other `count` times; the earlier ones count.
  case overlappingThreadStates(track: String, count: Int)
  /// There were more scheduling records than are read, so that none of them counts.
  case tooManyThreadStates(limit: Int)
  /// The thread called main made no commit; the one called `track` did, and counts as main.
  case commitsOnOtherThread(track: String)
  /// A message of the importer.
  case source(String)
}
