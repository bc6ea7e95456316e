/// What says which frame a host is to make when something wakes it: a display link, a timer, a swap.
///
/// A source is a value without a clock or a thread of its own. Whatever wakes the host hands it what
/// it knows, and the source says what the frame is, as far as that follows; it makes nothing up. A
/// host that is told all times by its display needs no source: `beginFrame(_:)` takes a `FrameTick`.
public protocol FrameSource {
  /// What is known at a wake-up: the time, or what a display link tells.
  associatedtype Signal

  /// The frame that this wake-up is for; `nil` where none is due.
  mutating func tick(_ signal: Signal) -> FrameTick?
}

extension TraceRecorder {
  /// Begins the commit of the frame that a wake-up is for; `nil` where none is due.
  ///
  /// ```swift
  /// var timer = TimerFrameSource(refreshes: 60, phase: recorder.now())
  /// if let frame = recorder.beginFrame(from: &timer, recorder.now()) {
  ///   list.layout()
  ///   frame.end()
  /// }
  /// ```
  public func beginFrame<Source: FrameSource>(
    from source: inout Source, _ signal: Source.Signal, surface: Surface? = nil
  ) -> RecordedFrame? {
    source.tick(signal).map { beginFrame($0, surface: surface) }
  }
}
