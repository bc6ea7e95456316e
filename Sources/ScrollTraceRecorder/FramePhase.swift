public import ScrollTraceLayout

/// A part of a frame's commit; a literal is a phase of the host's own.
public struct FramePhase: Sendable, ExpressibleByStringLiteral {
  /// The word.
  public let name: RecordedName

  /// A phase called `name`.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }

  /// A word of the host's own.
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
