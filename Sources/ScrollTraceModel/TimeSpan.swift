/// A signed length of time in nanoseconds. Arithmetic saturates instead of trapping.
///
/// Numbers from a file can be arbitrary, so sums stop at the ends of the range.
public struct TimeSpan: Hashable, Comparable, Codable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// A length of zero.
  @inlinable public static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }

  /// Creates a length from nanoseconds.
  @inlinable public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a length from a number of nanoseconds.
  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes the number of nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }

  /// Creates a length from whole milliseconds.
  @inlinable package static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: 1_000_000) * count
  }

  /// The length in milliseconds, for printing only.
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// The length in seconds, for printing only.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  @inlinable package var magnitude: TimeSpan {
    nanoseconds < 0 ? .zero - self : self
  }

  /// Returns whether `left` is less than `right`. Negative lengths come first.
  @inlinable public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the sum, saturating.
  @inlinable package static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.saturatingAdd(right.nanoseconds))
  }

  /// Returns the difference, saturating.
  @inlinable package static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    let difference = left.nanoseconds.minus(right.nanoseconds)
    return TimeSpan(nanoseconds: difference ?? (right.nanoseconds < 0 ? .max : .min))
  }

  /// Returns the product, saturating.
  @inlinable package static func * (left: TimeSpan, right: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.saturatingMultiply(right))
  }

  @inlinable package static func += (left: inout TimeSpan, right: TimeSpan) {
    left = left + right
  }
}
