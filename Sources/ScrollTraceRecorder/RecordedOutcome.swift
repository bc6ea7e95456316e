public import ScrollTraceLayout

/// What became of a frame.
public struct RecordedOutcome: Sendable {
  /// The word.
  public let name: RecordedName

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
