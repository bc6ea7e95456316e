public import ScrollTraceLayout

/// The display's timing of the next frame, on the recorder's clock. A `nil` property is unknown.
public struct FrameTiming: Hashable, Sendable {
  /// The earliest time at which the host could work on the frame.
  public var start: RecorderTime?
  /// The time by which the commit must end.
  public var deadline: RecorderTime?
  /// The time at which the frame should be on screen.
  public var target: RecorderTime?
  /// The length of a refresh.
  public var refreshInterval: RecorderTime?

  /// Creates a timing from the values that are known.
  public init(
    start: RecorderTime? = nil, deadline: RecorderTime? = nil, target: RecorderTime? = nil,
    refreshInterval: RecorderTime? = nil
  ) {
    self.start = start
    self.deadline = deadline
    self.target = target
    self.refreshInterval = refreshInterval
  }
}

/// A frame that is being committed.
public struct RecordedFrame: Sendable {
  @usableFromInline let recorder: RecorderPointer
  @usableFromInline package let surface: RecordedSurface
  /// The frame's number, which is unique on its surface.
  public let id: UInt64
  @usableFromInline let token: SpanToken

  /// Records the phases of the commit, which `body` goes through one after the other.
  ///
  /// ```swift
  /// frame.phases {
  ///   $0.layout { list.layout() }
  ///   $0.commit { renderer.commit() }
  /// }
  /// frame.end()
  /// ```
  @inlinable
  public func phases<Value: ~Copyable, Failure: Error>(
    _ body: (RecordedPhases) throws(Failure) -> Value
  ) throws(Failure) -> Value { try body(RecordedPhases(recorder)) }

  /// Ends the commit. Call this method on the thread that began the frame.
  ///
  /// - Parameter outcome: The outcome of the frame, or `nil` if it is not known yet.
  @inlinable
  public func end(outcome: RecordedOutcome? = nil) {
    recorder.endFrame(token, id, outcome: outcome?.name)
    if recorder.measuresFrames { recorder.measureCommit(of: self, outcome: outcome) }
  }

  /// Records when the frame was presented, as the display reports it. Any thread may call this method.
  ///
  /// Do not estimate it: with the target time, no frame would ever be late. A surface without presentation
  /// times is evaluated against its deadlines.
  public func markPresented(at time: RecorderTime) {
    // A frame that began while recording was off has no number.
    guard token.writer != nil else { return }
    recorder.markPresented(id, at: time.nanoseconds, surface: surface)
  }
}

struct CommitDetails: EventDetails {
  var frame: UInt64
  var outcome: RecordedName?

  var keys: UInt64 { Vocabulary.Key.frame.bit | outcome.bit(.outcome) }
  var texts: (first: RecordedName?, second: RecordedName?) { (outcome, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.frame, frame)
    if outcome != nil { record.argument(.outcome, first) }
  }
}

/// The phases of a frame's commit, each recorded for the duration of a closure.
public struct RecordedPhases: Sendable {
  @usableFromInline let recorder: RecorderPointer

  @inlinable
  init(_ recorder: RecorderPointer) { self.recorder = recorder }

  /// Records that the app handles events.
  @inlinable
  public func event<Value: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try phase(RecordedName(Vocabulary.Phase.event), body) }

  /// Records that the app updates its views or its model.
  @inlinable
  public func update<Value: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try phase(RecordedName(Vocabulary.Phase.update), body) }

  /// Records that views are laid out and cells are added.
  @inlinable
  public func layout<Value: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try phase(RecordedName(Vocabulary.Phase.layout), body) }

  /// Records that views are drawn.
  @inlinable
  public func draw<Value: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try phase(RecordedName(Vocabulary.Phase.draw), body)
  }

  /// Records that drawn content is prepared, for example by decoding images.
  @inlinable
  public func prepare<Value: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try phase(RecordedName(Vocabulary.Phase.prepare), body) }

  /// Records that the view tree is handed over to the renderer.
  @inlinable
  public func commit<Value: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try phase(RecordedName(Vocabulary.Phase.commit), body) }

  /// Records a custom phase.
  @inlinable
  public func phase<Value: ~Copyable, Failure: Error>(
    _ name: RecordedName, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try recorder.withSpan(name, SpanCategory.phase.name, item: nil, body)
  }
}

/// Phases that no closure encloses, with one reading of the clock where one ends and the next begins.
extension RecordedFrame {
  @inlinable
  package func beginPhase(_ phase: RecordedName, atFrameStart: Bool = false) -> SpanToken {
    guard atFrameStart else {
      return recorder.beginSpan(phase, SpanCategory.phase.name, item: nil)
    }
    guard token.writer != nil, recorder.simulated == nil else {
      return recorder.beginFirstPhase(phase, of: token)
    }
    return token.beginFirstPhase(phase)
  }

  @inlinable
  package func switchPhase(_ token: SpanToken, to phase: RecordedName) -> SpanToken {
    guard token.writer != nil else { return beginPhase(phase) }
    guard recorder.simulated == nil else { return recorder.exchangeSpan(token, toPhase: phase) }
    return token.change(toPhase: phase)
  }

  /// Ends the last phase together with the commit.
  @inlinable
  package func end(endingPhase phase: SpanToken) {
    if !token.endFrame(after: phase) { recorder.endFrame(token, id, after: phase) }
    if recorder.measuresFrames { recorder.measureCommit(of: self, outcome: nil) }
  }
}

/// The outcome of a frame.
public struct RecordedOutcome: Sendable {
  @usableFromInline package let name: RecordedName

  @inlinable
  package init(_ name: RecordedName) { self.name = name }
}

extension RecordedOutcome {
  /// The frame was dropped: it was never presented.
  @inlinable public static var dropped: RecordedOutcome {
    RecordedOutcome(RecordedName(Vocabulary.Outcome.dropped))
  }

  /// No frame was expected, because nothing had changed.
  @inlinable public static var notRequested: RecordedOutcome {
    RecordedOutcome(RecordedName(Vocabulary.Outcome.notRequested))
  }

  var isDropped: Bool { name.hasBytes(of: RecordedName(Vocabulary.Outcome.dropped)) }

  var isNotRequested: Bool { name.hasBytes(of: RecordedName(Vocabulary.Outcome.notRequested)) }
}
