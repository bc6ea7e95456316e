/// A half-open stretch of time, `begin ..< end`; never negative.
public struct TimeRange: Hashable, Sendable {
  /// The first instant.
  public let begin: Timestamp

  /// The first instant after the range; never before `begin`.
  public let end: Timestamp

  /// The range between two instants, empty at `begin` where `end` is earlier.
  public init(begin: Timestamp, end: Timestamp) {
    self.begin = begin
    self.end = max(begin, end)
  }

  /// The length of the range.
  public var length: TimeSpan { end - begin }

  /// Whether `instant` lies in the range (the end does not).
  public func contains(_ instant: Timestamp) -> Bool {
    begin <= instant && instant < end
  }

  /// The part that both ranges cover, empty where they do not meet.
  public func intersection(_ other: TimeRange) -> TimeRange {
    TimeRange(begin: max(begin, other.begin), end: min(end, other.end))
  }
}
