/// A signed length of time in nanoseconds; arithmetic saturates instead of trapping.
///
/// Numbers that come from a file are hostile: sums of them stop at the ends of the range.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// No time at all.
  public static let zero = TimeSpan(nanoseconds: 0)

  /// A length of `nanoseconds`.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// A length of whole milliseconds, for thresholds and tests.
  @inlinable package static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: 1_000_000) * count
  }

  /// The length in milliseconds, for printing only.
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// The length in seconds, for printing only.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The length without its sign.
  @inlinable package var magnitude: TimeSpan {
    nanoseconds < 0 ? .zero - self : self
  }

  /// Whether `left` is the smaller one; negative lengths come first.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The sum, saturating.
  @inlinable package static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    guard overflow else { return TimeSpan(nanoseconds: sum) }
    return TimeSpan(nanoseconds: right.nanoseconds < 0 ? Int64.min : Int64.max)
  }

  /// The difference, saturating.
  @inlinable package static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    let (sum, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    guard overflow else { return TimeSpan(nanoseconds: sum) }
    return TimeSpan(nanoseconds: right.nanoseconds < 0 ? Int64.max : Int64.min)
  }

  /// The multiple, saturating.
  @inlinable package static func * (left: TimeSpan, right: Int64) -> TimeSpan {
    let (product, overflow) = left.nanoseconds.multipliedReportingOverflow(by: right)
    guard overflow else { return TimeSpan(nanoseconds: product) }
    return TimeSpan(nanoseconds: (left.nanoseconds < 0) == (right < 0) ? Int64.max : Int64.min)
  }

  /// Adds `right`, saturating.
  @inlinable package static func += (left: inout TimeSpan, right: TimeSpan) {
    left = left + right
  }
}
