#if canImport(os)
  internal import os
  public import ScrollTraceRecorder

  /// Records spans, each also as an interval of a signposter, which Instruments displays beside its own
  /// tracks.
  ///
  /// ```swift
  /// let spans = SignpostRecorder(recorder, subsystem: "com.example.feed")
  /// spans.withSpan("decode", .image) { decode(image) }
  /// ```
  ///
  /// Spans recorded directly with the recorder are not intervals. If nothing records signposts, a span costs
  /// one additional check.
  public struct SignpostRecorder: Sendable {
    private let recorder: TraceRecorder
    private let signposter: OSSignposter

    /// Creates a recorder of spans for `recorder` and a signposter.
    public init(_ recorder: TraceRecorder, subsystem: String, category: String = "ScrollTrace") {
      self.recorder = recorder
      signposter = OSSignposter(subsystem: subsystem, category: category)
    }

    /// Records `body` as a span and as an interval.
    public func withSpan<Value: ~Copyable, Failure: Error>(
      _ name: StaticString, _ category: SpanCategory = .work, item: ItemID? = nil,
      _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
      let recordedName = RecordedName(stringLiteral: name)
      guard signposter.isEnabled else {
        return try recorder.withSpan(recordedName, category, item: item, body)
      }
      let interval = signposter.beginInterval(name, id: signposter.makeSignpostID())
      defer { signposter.endInterval(name, interval) }
      return try recorder.withSpan(recordedName, category, item: item, body)
    }
  }
#endif
