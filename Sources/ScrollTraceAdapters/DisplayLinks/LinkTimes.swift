public import ScrollTraceRecorder

/// What a display link says when it calls.
public struct LinkTimes: Hashable, Sendable {
  /// The refresh at which the last frame was shown: `CADisplayLink.timestamp`.
  public var timestamp: Nanoseconds
  /// The refresh at which the next one is: `CADisplayLink.targetTimestamp`.
  public var target: Nanoseconds

  /// Times in the recorder's clock.
  public init(timestamp: Nanoseconds, target: Nanoseconds) {
    self.timestamp = timestamp
    self.target = target
  }

  /// Times in seconds, as the link has them; `nil` for what is no time.
  public init?(timestampInSeconds timestamp: Double, targetInSeconds target: Double) {
    guard let timestamp = Nanoseconds(seconds: timestamp),
      let target = Nanoseconds(seconds: target)
    else { return nil }
    self.init(timestamp: timestamp, target: target)
  }
}

extension Nanoseconds {
  /// A time in seconds, to the nearest nanosecond; `nil` where there is no such time.
  public init?(seconds: Double) {
    self.init(exactly: (seconds * 1e9).rounded())
  }
}
