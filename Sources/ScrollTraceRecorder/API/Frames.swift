public import ScrollTraceLayout

/// The display's timing of the next frame, in nanoseconds on the recorder's clock. A `nil` property
/// is unknown.
public struct FrameTiming: Hashable, Sendable {
  /// The earliest time at which the host could work on the frame.
  public var start: Int64?
  /// The time by which the commit must end.
  public var deadline: Int64?
  /// The time at which the frame should be on screen.
  public var target: Int64?
  /// The length of a refresh.
  public var refreshInterval: Int64?

  /// Creates a timing from the values that are known.
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
  @usableFromInline let recorder: RecorderPointer
  /// The surface that the frame belongs to.
  @usableFromInline package let surface: RecordedSurface
  /// The frame's number, which is unique on its surface.
  public let id: UInt64
  @usableFromInline let token: SpanToken

  /// Records `body` as a phase of the commit.
  @inlinable
  public func withPhase<Value: ~Copyable, Failure: Error>(
    _ phase: FramePhase, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try recorder.withSpan(phase.name, SpanCategory.phase.name, item: nil, body)
  }

  /// Begins a phase that a closure cannot enclose.
  @inlinable
  public func beginPhase(_ phase: FramePhase, atFrameStart: Bool = false) -> SpanToken {
    guard atFrameStart else {
      return recorder.beginSpan(phase.name, SpanCategory.phase.name, item: nil)
    }
    guard token.writer != nil, recorder.simulated == nil else {
      return recorder.beginFirstPhase(phase.name, of: token)
    }
    return token.beginFirstPhase(phase.name)
  }

  /// Ends a phase and begins the next, reading the clock once.
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

  /// Ends the commit. Call this method on the thread that began the frame.
  ///
  /// - Parameters:
  ///   - phase: The last phase, which ends together with the commit, so that the clock is read once.
  ///   - outcome: The outcome of the frame, or `nil` if it is not known yet.
  @inlinable
  public func end(endingPhase phase: SpanToken? = nil, outcome: RecordedOutcome? = nil) {
    if let phase {
      if outcome != nil || !token.endFrame(after: phase) {
        recorder.endFrame(token, id, after: phase, outcome: outcome?.name)
      }
    } else {
      recorder.endFrame(token, id, outcome: outcome?.name)
    }
    if recorder.notesFrames { recorder.noteCommit(of: self, outcome: outcome) }
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

/// The parts of a frame, for hosts in other languages.
extension RecordedFrame {
  @inlinable @inline(__always)
  package var owner: RecorderPointer { recorder }

  @inlinable @inline(__always)
  package var commit: SpanToken { token }

  /// Creates a frame from its parts.
  @inlinable @inline(__always)
  package init(recorder: RecorderPointer, surface: RecordedSurface, id: UInt64, commit: SpanToken) {
    self.recorder = recorder
    self.surface = surface
    self.id = id
    token = commit
  }
}

/// A phase of a frame's commit.
public struct FramePhase: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a phase with a name.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }
}

extension FramePhase {
  /// The app handles events.
  @inlinable public static var event: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.event))
  }

  /// The app updates its views or its model.
  @inlinable public static var update: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.update))
  }

  /// Views are laid out and cells are added.
  @inlinable public static var layout: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.layout))
  }

  /// Views are drawn.
  @inlinable public static var draw: FramePhase { FramePhase(RecordedName(Vocabulary.Phase.draw)) }

  /// Drawn content is prepared, for example by decoding images.
  @inlinable public static var prepare: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.prepare))
  }

  /// The view tree is handed over to the renderer.
  @inlinable public static var commit: FramePhase {
    FramePhase(RecordedName(Vocabulary.Phase.commit))
  }
}

/// The outcome of a frame.
public struct RecordedOutcome: Sendable {
  @usableFromInline package let name: RecordedName

  /// Creates an outcome with a name.
  @inlinable
  package init(_ name: RecordedName) {
    self.name = name
  }
}

extension RecordedOutcome {
  /// The frame was presented.
  @inlinable package static var presented: RecordedOutcome {
    RecordedOutcome(RecordedName(Vocabulary.Outcome.presented))
  }

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
