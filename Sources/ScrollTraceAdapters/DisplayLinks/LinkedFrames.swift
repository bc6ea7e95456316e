internal import ScrollTraceRecorder

/// The frames that a link requests, of which at most one is open.
struct LinkedFrames<Source: FrameSource> {
  var source: Source
  private let recorder: TraceRecorder
  private let surface: RecordedSurface?
  private var frame: RecordedFrame?
  private var timing: FrameTiming?
  private var phase: SpanToken?
  private var work = RunLoopWork()
  /// The span of the run loop's work outside of frames, or `nil` if there is none.
  private var workSpan: SpanToken?

  /// Creates the frames of a surface, or of the one called "display" if `surface` is `nil`.
  init(_ recorder: TraceRecorder, from source: Source, surface: RecordedSurface? = nil) {
    self.recorder = recorder
    self.source = source
    self.surface = surface
  }

  /// Begins the frame that a call is for, if any, and ends an open one first.
  mutating func begin(_ signal: Source.Signal) {
    guard let tick = source.tick(signal) else { return }
    closeFrame()
    handle(.frameBegins)
    frame = recorder.beginFrame(tick, surface: surface)
    timing = tick
  }

  /// Corrects the deadline and the target of the open frame, if they have changed since it began.
  mutating func correct(deadline: RecorderTime, target: RecorderTime) {
    guard let frame, target >= deadline, timing?.deadline != deadline || timing?.target != target
    else { return }
    timing = FrameTiming(deadline: deadline, target: target)
    recorder.recordFrame(
      FrameTiming(deadline: deadline, target: target), surface: surface, id: frame.id)
  }

  /// Begins a phase of the open frame, and ends an open one first.
  mutating func begin(phase: RecordedName) {
    endPhase()
    self.phase = frame?.beginPhase(phase)
  }

  mutating func endPhase() {
    if let phase { recorder.endSpan(phase) }
    phase = nil
  }

  /// Ends the open frame, because its commit ends or a pause begins.
  mutating func end() {
    closeFrame()
    handle(.frameEnds)
  }

  private mutating func closeFrame() {
    endPhase()
    frame?.end()
    frame = nil
  }

  // MARK: - Between frames

  mutating func runLoopWakes() { handle(.wakes) }

  /// Called when the run loop has done all of it.
  mutating func runLoopWaits() { handle(.waits) }

  /// Begins or ends the span of the work outside of frames.
  private mutating func handle(_ event: RunLoopWork.Event) {
    work.handle(event)
    if work.isOpen, workSpan == nil {
      workSpan = recorder.beginSpan("main run loop", "runloop")
      recorder.setWorksBetweenFrames(true)
    } else if !work.isOpen, let span = workSpan {
      recorder.setWorksBetweenFrames(false)
      recorder.endSpan(span)
      workSpan = nil
    }
  }
}
