/// A time in nanoseconds on the trace's clock, never negative.
///
/// Because times are not negative, the difference of any two fits in a `TimeSpan`.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since zero on the trace's clock, 0 … `Int64.max`.
  public let nanoseconds: Int64

  /// Zero on the trace's clock.
  @inlinable package static var zero: Timestamp { Timestamp(clamping: 0) }

  /// Creates a time, or returns `nil` if `nanoseconds` is negative.
  @inlinable package init?(nanoseconds: Int64) {
    guard nanoseconds >= 0 else { return nil }
    self.nanoseconds = nanoseconds
  }

  /// Creates a time. Negative values become zero.
  @inlinable package init(clamping nanoseconds: Int64) {
    self.nanoseconds = nanoseconds > 0 ? nanoseconds : 0
  }

  /// Returns whether `left` is before `right`.
  @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the signed distance from `right` to `left`, which always fits.
  @inlinable public static func - (left: Timestamp, right: Timestamp) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// Returns the time `right` after `left`, limited to the clock's range.
  @inlinable package static func + (left: Timestamp, right: TimeSpan) -> Timestamp {
    Timestamp(clamping: left.nanoseconds.plus(right.nanoseconds) ?? .max)
  }

  /// Returns the time `right` before `left`, limited to the clock's range.
  @inlinable package static func - (left: Timestamp, right: TimeSpan) -> Timestamp {
    Timestamp(clamping: left.nanoseconds.minus(right.nanoseconds) ?? .max)
  }
}
