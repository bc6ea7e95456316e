public import ScrollTraceRecorder

/// The times that a display link reports with a call.
public struct LinkTimes: Hashable, Sendable {
  /// The time of the refresh that presented the last frame: `CADisplayLink.timestamp`.
  public var timestamp: RecorderTime
  /// The time of the next refresh: `CADisplayLink.targetTimestamp`.
  public var target: RecorderTime

  /// Creates times on the recorder's clock.
  public init(timestamp: RecorderTime, target: RecorderTime) {
    self.timestamp = timestamp
    self.target = target
  }

  /// Creates times from seconds, as the link reports them, or returns `nil` if one is not a valid
  /// time.
  public init?(timestampInSeconds timestamp: Double, targetInSeconds target: Double) {
    guard let timestamp = RecorderTime(exactSeconds: timestamp),
      let target = RecorderTime(exactSeconds: target)
    else { return nil }
    self.init(timestamp: timestamp, target: target)
  }
}

extension RecorderTime {
  /// Creates a time from seconds, rounded to nanoseconds, or returns `nil` if it is not a valid
  /// time.
  init?(exactSeconds seconds: Double) {
    guard let count = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
    self = .nanoseconds(count)
  }
}
