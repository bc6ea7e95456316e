/// A frame as other languages keep it.
extension RecordedFrame {
  /// The recorder.
  @inlinable @inline(__always)
  package var owner: TraceRecorder { recorder }

  /// The span of the commit.
  @inlinable @inline(__always)
  package var commit: SpanToken { token }

  /// The frame of the given parts.
  @inlinable @inline(__always)
  package init(recorder: TraceRecorder, surface: Surface, id: UInt64, commit: SpanToken) {
    self.recorder = recorder
    self.surface = surface
    self.id = id
    token = commit
  }
}
