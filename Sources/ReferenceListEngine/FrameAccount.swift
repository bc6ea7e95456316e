package import ScrollTraceRecorder

/// What the engine says of a frame it has committed.
package struct FrameAccount: Hashable, Sendable {
  /// The refresh at which it was asked for.
  package let refresh: Int
  /// When the engine began with it.
  package let start: Nanoseconds
  /// When it was committed.
  package let end: Nanoseconds
  /// When it is on screen.
  package let shown: Nanoseconds
  /// Whether it was committed after its deadline.
  package let isLate: Bool
}

/// A range of time in which the main thread worked.
package struct MainWork: Hashable, Sendable {
  /// When it began.
  package let start: Nanoseconds
  /// When it ended.
  package let end: Nanoseconds
  /// Whether it was for cells that are needed later.
  package let isAhead: Bool
}
