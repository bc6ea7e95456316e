public import ScrollTraceRecorder

/// What the engine says of a frame it has committed.
public struct FrameAccount: Hashable, Sendable {
  /// The refresh at which it was asked for.
  public let refresh: Int
  /// When the engine began with it.
  public let begin: Nanoseconds
  /// When it was committed.
  public let end: Nanoseconds
  /// When it is on the glass.
  public let shown: Nanoseconds
  /// Whether it was committed after its deadline.
  public let isLate: Bool
}

/// A stretch of time in which the main thread worked.
public struct MainWork: Hashable, Sendable {
  /// When it began.
  public let begin: Nanoseconds
  /// When it ended.
  public let end: Nanoseconds
  /// Whether it was for cells that are needed later.
  public let isAhead: Bool
}
