package import ScrollTraceModel

/// A hitch that still goes on: the display is owed a frame, and none has come.
package struct LiveStall: Hashable, Sendable {
  /// The surface that waits.
  package let surface: String
  /// From when on it has waited: a refresh after what came last.
  package let start: Timestamp
  /// For how long.
  package let length: TimeSpan
  /// The whole refreshes without a frame so far.
  package let refreshesMissed: Int
}
