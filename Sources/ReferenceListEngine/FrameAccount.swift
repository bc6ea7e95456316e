package import ScrollTraceRecorder

/// The engine's account of a committed frame.
package struct FrameAccount: Equatable, Sendable {
  /// The refresh that requested it.
  package let refresh: Int
  /// The start of the engine's work on it.
  package let start: Nanoseconds
  /// The end of its commit.
  package let end: Nanoseconds
  /// The time it is presented.
  package let shown: Nanoseconds
  package let isLate: Bool
}

/// A range of main-thread work.
package struct MainWork: Equatable, Sendable {
  package let start: Nanoseconds
  package let end: Nanoseconds
  /// Whether it was for cells that are needed later.
  package let isAhead: Bool
}
