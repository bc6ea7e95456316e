package import ScrollTraceModel

/// A hitch in progress: a frame is expected and has not been presented.
package struct LiveStall: Equatable, Sendable {
  package let surface: String
  /// The start: one refresh after the last event.
  package let start: Timestamp
  package let length: TimeSpan
  /// The number of whole refreshes without a frame so far.
  package let refreshesMissed: Int
}
