/// What a display link says when it calls.
public struct LinkTimes: Hashable, Sendable {
  /// The refresh at which the last frame was shown: `CADisplayLink.timestamp`.
  public var timestamp: Int64
  /// The refresh at which the next one is: `CADisplayLink.targetTimestamp`.
  public var target: Int64

  /// Times in the recorder's clock.
  public init(timestamp: Int64, target: Int64) {
    self.timestamp = timestamp
    self.target = target
  }

  /// Times in seconds, as the link has them; `nil` for what is no time.
  public init?(timestampInSeconds timestamp: Double, targetInSeconds target: Double) {
    guard let timestamp = Int64(seconds: timestamp),
      let target = Int64(seconds: target)
    else { return nil }
    self.init(timestamp: timestamp, target: target)
  }
}

extension Int64 {
  /// A time in seconds, to the nearest nanosecond, or `nil` if there is no such time.
  init?(seconds: Double) {
    self.init(exactly: (seconds * 1e9).rounded())
  }
}
