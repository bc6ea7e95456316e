/// An instant in nanoseconds of the trace's clock, never negative.
///
/// Instants are not negative so that the difference of any two of them fits into a `TimeSpan`.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since the zero of the trace's clock, 0 … `Int64.max`.
  public let nanoseconds: Int64

  /// The zero of the trace's clock.
  @inlinable package static var zero: Timestamp { Timestamp(clamping: 0) }

  /// An instant, or `nil` where `nanoseconds` is negative.
  @inlinable package init?(nanoseconds: Int64) {
    guard nanoseconds >= 0 else { return nil }
    self.nanoseconds = nanoseconds
  }

  /// An instant; negative values become zero.
  @inlinable package init(clamping nanoseconds: Int64) {
    self.nanoseconds = max(0, nanoseconds)
  }

  /// Whether `left` comes before `right`.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The signed distance from `right` to `left`; it always fits.
  public static func - (left: Timestamp, right: Timestamp) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// The instant `right` after `left`, kept inside the clock's range.
  @inlinable package static func + (left: Timestamp, right: TimeSpan) -> Timestamp {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return Timestamp(clamping: overflow ? Int64.max : sum)
  }

  /// The instant `right` before `left`, kept inside the clock's range.
  @inlinable package static func - (left: Timestamp, right: TimeSpan) -> Timestamp {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return Timestamp(clamping: overflow ? Int64.max : difference)
  }
}
