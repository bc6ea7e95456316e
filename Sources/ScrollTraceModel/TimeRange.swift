/// A half-open range of time, `begin ..< end`; never negative.
public struct TimeRange: Hashable, Sendable {
  /// The first instant.
  public let start: Timestamp

  /// The first instant after the range; never before `begin`.
  @usableFromInline package let end: Timestamp

  /// The range between two instants, empty at `begin` where `end` is earlier.
  @inlinable package init(start: Timestamp, end: Timestamp) {
    self.start = start
    self.end = max(start, end)
  }

  /// The length of the range.
  public var length: TimeSpan { end - start }

  /// Whether `instant` lies in the range (the end does not).
  @inlinable package func contains(_ instant: Timestamp) -> Bool {
    start <= instant && instant < end
  }

  /// The part that both ranges cover, empty where they do not meet.
  @inlinable package func intersection(_ other: TimeRange) -> TimeRange {
    TimeRange(start: max(start, other.start), end: min(end, other.end))
  }
}
