/// The ring of a flight recorder, whose file holds the last part of a recording only.
package struct RecordingRing: Hashable, Sendable {
  /// How many chunks the ring has at least; 0 where the source does not say.
  package var chunkCount: UInt64
  /// How many chunks were used again, and what they held overwritten.
  package var overwrittenChunkCount: UInt64
  /// The instant from which on everything is there, or `nil` if nothing was overwritten, or where
  /// the source does not say.
  package var start: Timestamp?

  /// A ring of `chunkCount` chunks that overwrote `overwrittenChunkCount`.
  package init(chunkCount: UInt64, overwrittenChunkCount: UInt64) {
    self.chunkCount = chunkCount
    self.overwrittenChunkCount = overwrittenChunkCount
  }
}
