public import ScrollTraceModel

/// A hitch that still goes on: the display is owed a frame, and none has come.
public struct LiveStall: Hashable, Sendable {
  /// The surface that waits.
  public let surface: String
  /// From when on it has waited: a refresh after what came last.
  public let begin: Timestamp
  /// For how long.
  public let length: TimeSpan
  /// The whole refreshes without a frame so far.
  public let refreshesMissed: Int
}
