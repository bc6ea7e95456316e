/// A time on the recorder's clock, or a length of time, to the nanosecond.
///
/// ```swift
/// let deadline = recorder.now() + .milliseconds(16)
/// ```
///
/// A sum or difference that is too large becomes the last or first possible time.
public struct RecorderTime: AdditiveArithmetic, Comparable, Hashable, Sendable {
  /// The nanoseconds since the start of the clock, or in the length of time.
  public let nanoseconds: Int64

  @inlinable
  init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates a time from nanoseconds.
  @inlinable
  public static func nanoseconds(_ count: Int64) -> RecorderTime { RecorderTime(count) }

  /// Creates a time from milliseconds, rounded to nanoseconds.
  public static func milliseconds(_ count: Double) -> RecorderTime {
    RecorderTime(rounding: count * 1e6)
  }

  /// Creates a time from seconds, rounded to nanoseconds.
  public static func seconds(_ count: Double) -> RecorderTime {
    RecorderTime(rounding: count * 1e9)
  }

  /// Creates a time from the nearest number of nanoseconds. What is no number is zero.
  private init(rounding count: Double) {
    let rounded = count.rounded()
    self.init(Int64(exactly: rounded) ?? (rounded > 0 ? .max : rounded < 0 ? .min : 0))
  }

  /// No time, and the start of the clock.
  @inlinable
  public static var zero: RecorderTime { RecorderTime(0) }

  /// Returns the sum of two times.
  @inlinable
  public static func + (left: RecorderTime, right: RecorderTime) -> RecorderTime {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return RecorderTime(overflow ? (sum < 0 ? .max : .min) : sum)
  }

  /// Returns the length of time from the second time to the first.
  @inlinable
  public static func - (left: RecorderTime, right: RecorderTime) -> RecorderTime {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return RecorderTime(overflow ? (difference < 0 ? .max : .min) : difference)
  }

  /// Returns whether the first time is before the second.
  @inlinable
  public static func < (left: RecorderTime, right: RecorderTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
