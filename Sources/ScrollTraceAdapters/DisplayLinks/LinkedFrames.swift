internal import ScrollTraceRecorder

/// The frames of an app as a link calls for them: at most one is open at a time.
struct LinkedFrames<Source: FrameSource> {
  /// What says which frames there are.
  var source: Source
  private let recorder: TraceRecorder
  private let surface: RecordedSurface?
  /// The frame that is open.
  private var frame: RecordedFrame?
  /// Its phase.
  private var phase: SpanToken?

  /// Frames of `surface`; `nil` for the one called "display".
  init(_ recorder: TraceRecorder, from source: Source, surface: RecordedSurface? = nil) {
    self.recorder = recorder
    self.source = source
    self.surface = surface
  }

  /// Begins the frame that a call is for, if it is for one; a frame that is still open ends first.
  mutating func begin(_ signal: Source.Signal) {
    guard let tick = source.tick(signal) else { return }
    end()
    frame = recorder.beginFrame(tick, surface: surface)
  }

  /// Begins a phase of the open frame; one that is still open ends first.
  mutating func begin(_ phase: FramePhase) {
    endPhase()
    self.phase = frame?.beginPhase(phase)
  }

  /// Ends the open phase.
  mutating func endPhase() {
    if let phase { recorder.endSpan(phase) }
    phase = nil
  }

  /// Ends the open frame: its commit is done, or there comes a pause.
  mutating func end() {
    endPhase()
    frame?.end()
    frame = nil
  }
}
