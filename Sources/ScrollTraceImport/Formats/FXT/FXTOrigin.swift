internal import ScrollTraceModel

/// The metadata of the trace from which a file was converted.
struct FXTOrigin {
  /// A Boolean value indicating whether its recording was finished, or `nil` if unknown.
  var wasClosed: Bool?
  /// A Boolean value indicating whether its range is the whole recording.
  var hasKnownLength = true
  /// Its range, or `nil` if the file does not state it.
  var range: TimeRange?
  /// The number of recordings that it stands for, or `nil` if the file does not state it.
  var weight: UInt64?
  /// The ring it was recorded in.
  var ring: RecordingRing?
  /// The cost of its recorder.
  var cost: RecorderCost?
}
