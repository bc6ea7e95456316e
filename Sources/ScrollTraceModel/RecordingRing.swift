/// The ring of a flight recorder, whose file holds only the last part of a recording.
package struct RecordingRing: Equatable, Sendable {
  package var overwrittenChunkCount: UInt64
  /// The time from which the recording is complete, or `nil` if nothing was overwritten or the
  /// source does not report it.
  package var start: Timestamp?

  package init(overwrittenChunkCount: UInt64) {
    self.overwrittenChunkCount = overwrittenChunkCount
  }
}
