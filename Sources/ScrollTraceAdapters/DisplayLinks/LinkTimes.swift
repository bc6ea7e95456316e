/// The times that a display link reports with a call.
public struct LinkTimes: Hashable, Sendable {
  /// The time of the refresh that presented the last frame: `CADisplayLink.timestamp`.
  public var timestamp: Int64
  /// The time of the next refresh: `CADisplayLink.targetTimestamp`.
  public var target: Int64

  /// Creates times on the recorder's clock, in nanoseconds.
  public init(timestamp: Int64, target: Int64) {
    self.timestamp = timestamp
    self.target = target
  }

  /// Creates times from seconds, as the link reports them, or returns `nil` if one is not a valid
  /// time.
  public init?(timestampInSeconds timestamp: Double, targetInSeconds target: Double) {
    guard let timestamp = Int64(seconds: timestamp),
      let target = Int64(seconds: target)
    else { return nil }
    self.init(timestamp: timestamp, target: target)
  }
}

extension Int64 {
  /// Creates a time from seconds, rounded to nanoseconds, or returns `nil` if it is not a valid
  /// time.
  init?(seconds: Double) {
    self.init(exactly: (seconds * 1e9).rounded())
  }
}
