internal import ScrollTraceModel

/// What a trace said of itself that a file was made from.
struct FXTOrigin {
  /// Whether its recording was closed, or `nil` if nobody knows.
  var wasClosed: Bool?
  /// Whether its range is all that was recorded.
  var hasKnownLength = true
  /// From when to when it goes, or `nil` if the file does not say.
  var range: TimeRange?
  /// The ring it was recorded in.
  var ring: RecordingRing?
  /// What its recorder cost.
  var cost: RecorderCost?
}
