/// A frame that is being committed.
public struct RecordedFrame: Sendable {
  /// The recorder.
  @usableFromInline let recorder: TraceRecorder
  /// The stream it belongs to.
  public let surface: Surface
  /// Its number in that stream.
  public let id: UInt64
  /// The span of its commit.
  @usableFromInline let token: SpanToken

  /// Records `body` as a phase of the commit.
  @inlinable
  public func phase<Value: ~Copyable, Failure: Error>(
    _ phase: FramePhase, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try recorder.span(phase.name, .phase, body)
  }

  /// Begins a phase where a closure does not fit.
  @inlinable
  public func beginPhase(_ phase: FramePhase) -> SpanToken {
    recorder.beginSpan(phase.name, .phase)
  }

  /// Ends a phase and begins the next with one reading of the clock.
  ///
  /// ```swift
  /// var phase = frame.firstPhase(.layout)
  /// list.layout()
  /// phase = frame.nextPhase(after: phase, .commit)
  /// renderer.commit()
  /// frame.end(after: phase)
  /// ```
  @inlinable
  public func nextPhase(after token: SpanToken, _ phase: FramePhase) -> SpanToken {
    guard token.writer != nil else { return beginPhase(phase) }
    guard recorder.simulated == nil else {
      return recorder.exchangeSpan(token, toPhase: phase.name)
    }
    return token.change(toPhase: phase.name)
  }

  /// Begins the first phase at the instant the commit began, without reading the clock.
  @inlinable
  public func firstPhase(_ phase: FramePhase) -> SpanToken {
    guard token.writer != nil, recorder.simulated == nil else {
      return recorder.beginFirstPhase(phase.name, of: token)
    }
    return token.beginFirstPhase(phase.name)
  }

  /// Ends a phase.
  @inlinable
  public func endPhase(_ token: SpanToken) {
    recorder.endSpan(token)
  }

  /// Ends the commit, on the thread that began the frame.
  ///
  /// - Parameter outcome: What became of the frame, if that is known already.
  public func end(outcome: RecordedOutcome? = nil) {
    recorder.endSpan(token, details: CommitDetails(frame: id, outcome: outcome?.name))
    if recorder.notesHitches { recorder.noteCommit(of: self) }
  }

  /// Ends the last phase and the commit with one reading of the clock.
  @inlinable
  public func end(after phase: SpanToken, outcome: RecordedOutcome? = nil) {
    if outcome != nil || !token.endFrame(after: phase) {
      recorder.endFrame(token, id, after: phase, outcome: outcome?.name)
    }
    if recorder.notesHitches { recorder.noteCommit(of: self) }
  }

  /// Says when the frame was on the glass, as the display tells; later, or never, from any thread.
  ///
  /// Give no guess: with the target in its place no frame is ever late. A surface whose frames are
  /// never said to be presented is judged by their deadlines.
  public func presented(at time: Nanoseconds) {
    // A frame that began while recording was off has no number.
    guard token.writer != nil else { return }
    recorder.presented(id, at: time, surface: surface)
  }
}

/// A frame and what became of it.
struct CommitDetails: EventDetails {
  var frame: UInt64
  var outcome: RecordedName?

  var keys: UInt64 { ArgumentKey.frame.bit | outcome.bit(.outcome) }
  var texts: (first: RecordedName?, second: RecordedName?) { (outcome, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.frame, frame)
    if outcome != nil { record.argument(.outcome, first) }
  }
}
