/// Data that was lost, with its cause; nothing is skipped in silence (R12).
package struct Loss: Hashable, Sendable {
  /// Why something is missing. The raw value is what reports print.
  package enum Cause: String, Sendable, CaseIterable {
    /// The host had no room for a record: file full, limit met, no memory.
    case recorderOutOfSpace = "recorder-out-of-space"
    /// A record was larger than the format allows.
    case recordTooLarge = "record-too-large"
    /// The host recorded after it had finished the recording.
    case recordedAfterClose = "recorded-after-close"
    /// The source says that records were dropped, not how many.
    case sourceDroppedRecords = "source-dropped-records"
    /// A whole chunk of the recording is missing.
    case missingChunk = "missing-chunk"
    /// The same chunk is there twice.
    case duplicateChunk = "duplicate-chunk"
    /// A checksum does not fit.
    case checksumMismatch = "checksum-mismatch"
    /// Bytes that could not be read as records.
    case damagedBytes = "damaged-bytes"
    /// The file ends inside a record.
    case cutAtEnd = "cut-at-end"
    /// A record whose content contradicts itself.
    case malformedRecord = "malformed-record"
    /// A record of a kind that this version does not know.
    case unknownRecord = "unknown-record"
    /// A reference to a name or thread that was never defined; the event was kept.
    case undefinedReference = "undefined-reference"
    /// A time that cannot be represented.
    case timeOutOfRange = "time-out-of-range"
    /// A span that ends before it begins.
    case endBeforeBegin = "end-before-begin"
    /// An end without a begin.
    case unmatchedEnd = "unmatched-end"
    /// A value that is not what its field needs.
    case invalidValue = "invalid-value"
    /// A limit of the reader was met.
    case limitReached = "limit-reached"
    /// The file changed while it was read.
    case fileChanged = "file-changed"
  }

  /// Why.
  package let cause: Cause
  /// How many records, or bytes where the cause speaks of bytes.
  package var count: UInt64
  /// Where in the source the first one was, in bytes, or `nil` if it has no place.
  package let offset: UInt64?
}

/// Something about a trace, not the app, that a reader of the report should know.
package enum Notice: Hashable, Sendable {
  /// The recording was never closed: the host died or still runs.
  case notClosed
  /// The recorder kept the last part only, as it was told to: `length` of it, `nil` where the source
  /// does not say.
  case keepsLastPart(length: TimeSpan?, overwrittenChunks: UInt64)
  /// Frames of `surface` were presented before they began; those times count as unknown.
  case presentedBeforeStart(surface: String, count: Int)
  /// No track is marked as the main thread.
  case noMainTrack
  /// The trace holds no frames.
  case noFrames
  /// Frames of `surface` repeat a number; the later records were kept as frames of their own.
  case repeatedFrameNumbers(surface: String, count: Int)
  /// Spans that began and never ended, left out of durations.
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
  /// Something the importer has to say in words of its own.
  case source(String)
}
