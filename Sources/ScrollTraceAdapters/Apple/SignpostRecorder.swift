#if canImport(os)
  internal import os
  public import ScrollTraceRecorder

  /// Records spans, and makes each one an interval of a signposter too, so that Instruments displays it
  /// beside its own tracks.
  ///
  /// ```swift
  /// let spans = SignpostRecorder(recorder, subsystem: "com.example.feed")
  /// spans.withSpan("decode", .image) { decode(image) }
  /// ```
  ///
  /// Spans that are recorded with the recorder itself are no intervals. While nothing records
  /// signposts, a span costs one more check than with the recorder.
  public struct SignpostRecorder: Sendable {
    private let recorder: TraceRecorder
    private let signposter: OSSignposter

    /// Creates a recorder of spans for `recorder` and a signposter.
    public init(_ recorder: TraceRecorder, subsystem: String, category: String = "ScrollTrace") {
      self.recorder = recorder
      signposter = OSSignposter(subsystem: subsystem, category: category)
    }

    /// Records what `body` does as a span and as an interval.
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
