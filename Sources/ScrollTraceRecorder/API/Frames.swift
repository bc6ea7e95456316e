public import ScrollTraceLayout

/// What the display says about the next frame, in the recorder's clock; `nil` is unknown.
public struct FrameTiming: Hashable, Sendable {
  /// The earliest instant at which the host could work on the frame.
  public var start: Int64?
  /// When the commit has to be done.
  public var deadline: Int64?
  /// When the frame should be on screen.
  public var target: Int64?
  /// The time to the next refresh.
  public var refreshInterval: Int64?

  /// A frame of which as much is known as is given.
  public init(
    start: Int64? = nil, deadline: Int64? = nil, target: Int64? = nil,
    refreshInterval: Int64? = nil
  ) {
    self.start = start
    self.deadline = deadline
    self.target = target
    self.refreshInterval = refreshInterval
  }
}

/// A frame that is being committed.
public struct RecordedFrame: Sendable {
  /// The recorder.
  @usableFromInline let recorder: TraceRecorder
  /// The stream it belongs to.
  @usableFromInline package let surface: RecordedSurface
  /// Its number in that stream.
  public let id: UInt64
  /// The span of its commit.
  @usableFromInline let token: SpanToken

  /// Records `body` as a phase of the commit.
  @inlinable
  public func withPhase<Value: ~Copyable, Failure: Error>(
    _ phase: FramePhase, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try recorder.withSpan(phase.name, .phase, body)
  }

  /// Begins a phase where a closure does not fit.
  @inlinable
  public func beginPhase(_ phase: FramePhase, atFrameStart: Bool = false) -> SpanToken {
    guard atFrameStart else { return recorder.beginSpan(phase.name, .phase) }
    guard token.writer != nil, recorder.simulated == nil else {
      return recorder.beginFirstPhase(phase.name, of: token)
    }
    return token.beginFirstPhase(phase.name)
  }

  /// Ends a phase and begins the next with one reading of the clock.
  ///
  /// ```swift
  /// var phase = frame.beginPhase(.layout, atFrameStart: true)
  /// list.layout()
  /// phase = frame.switchPhase(phase, to: .commit)
  /// renderer.commit()
  /// frame.end(endingPhase: phase)
  /// ```
  @inlinable
  public func switchPhase(_ token: SpanToken, to phase: FramePhase) -> SpanToken {
    guard token.writer != nil else { return beginPhase(phase) }
    guard recorder.simulated == nil else {
      return recorder.exchangeSpan(token, toPhase: phase.name)
    }
    return token.change(toPhase: phase.name)
  }

  /// Ends the commit, on the thread that began the frame.
  ///
  /// - Parameters:
  ///   - phase: The last phase, which ends with the commit: one clock reading for both.
  ///   - outcome: What became of the frame, if that is known already.
  @inlinable
  public func end(endingPhase phase: SpanToken? = nil, outcome: RecordedOutcome? = nil) {
    if let phase {
      if outcome != nil || !token.endFrame(after: phase) {
        recorder.endFrame(token, id, after: phase, outcome: outcome?.name)
      }
    } else {
      recorder.endFrame(token, id, outcome: outcome?.name)
    }
    if recorder.notesHitches { recorder.noteCommit(of: self) }
  }

  /// Records when the frame was presented, as the display reports it. Any thread may call this method.
  ///
  /// Do not estimate: with the target time instead, no frame is ever late. A surface without
  /// presentation times is evaluated against its deadlines.
  public func markPresented(at time: Int64) {
    // A frame that began while recording was off has no number.
    guard token.writer != nil else { return }
    recorder.markPresented(id, at: time, surface: surface)
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
  package init(recorder: TraceRecorder, surface: RecordedSurface, id: UInt64, commit: SpanToken) {
    self.recorder = recorder
    self.surface = surface
    self.id = id
    token = commit
  }
}

/// A part of a frame's commit; a literal is a phase of the host's own.
public struct FramePhase: Sendable, ExpressibleByStringLiteral {
  @usableFromInline package let name: RecordedName

  /// A phase called `name`.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }

  /// Creates one of the host's own from a literal.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.init(RecordedName(text))
  }
}

extension FramePhase {
  /// Events reach the app.
  @inlinable public static var event: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.event))
  }

  /// The app changes its views or its model.
  @inlinable public static var update: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.update))
  }

  /// Views are laid out; cells come in here.
  @inlinable public static var layout: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.layout))
  }

  /// Views are drawn.
  @inlinable public static var draw: FramePhase { FramePhase(RecordedName(Vocabulary.Phase.draw)) }

  /// What was drawn is made ready, images decoded.
  @inlinable public static var prepare: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.prepare))
  }

  /// The tree is handed to the renderer.
  @inlinable public static var commit: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.commit))
  }
}

/// What became of a frame.
public struct RecordedOutcome: Sendable {
  @usableFromInline package let name: RecordedName

  /// An outcome called `name`.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }
}

extension RecordedOutcome {
  /// It was shown.
  @inlinable public static var presented: RecordedOutcome {
    RecordedOutcome(RecordedName(Vocabulary.Outcome.presented))
  }

  /// It was never shown.
  @inlinable public static var dropped: RecordedOutcome {
    RecordedOutcome(RecordedName(Vocabulary.Outcome.dropped))
  }

  /// Nothing had to change, so no frame was owed.
  @inlinable public static var notRequested: RecordedOutcome {
    RecordedOutcome(RecordedName(Vocabulary.Outcome.notRequested))
  }
}
