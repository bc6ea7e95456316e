/// A half-open range of time that is never negative.
public struct TimeRange: Hashable, Sendable {
  /// The start of the range.
  public let start: Timestamp

  /// The end, which is not part of the range and never before `start`.
  public let end: Timestamp

  /// Creates the range between two times. It is empty if `end` is before `start`.
  @inlinable package init(start: Timestamp, end: Timestamp) {
    self.start = start
    self.end = max(start, end)
  }

  /// The length of the range.
  public var length: TimeSpan { end - start }

  /// Returns whether a time is in the range. The end is not.
  @inlinable package func contains(_ instant: Timestamp) -> Bool {
    start <= instant && instant < end
  }

  /// Returns the shortest range that contains both.
  func union(_ other: TimeRange) -> TimeRange {
    TimeRange(start: min(start, other.start), end: max(end, other.end))
  }

  /// Returns the part that both ranges cover, which is empty if they do not overlap.
  @inlinable package func intersection(_ other: TimeRange) -> TimeRange {
    TimeRange(start: max(start, other.start), end: min(end, other.end))
  }
}
