/// Sums and products of numbers from a file, which can be arbitrary.
extension FixedWidthInteger {
  /// Returns the sum, or `nil` if it does not fit the type.
  @inlinable @inline(__always) package func plus(_ other: Self) -> Self? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  /// Returns the difference, or `nil` if it does not fit the type.
  @inlinable @inline(__always) package func minus(_ other: Self) -> Self? {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? nil : difference
  }

  /// Returns the product, or `nil` if it does not fit the type.
  @inlinable @inline(__always) package func times(_ other: Self) -> Self? {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? nil : product
  }

  /// Returns the sum, limited to the range of the type.
  @inlinable package func saturatingAdd(_ other: Self) -> Self {
    plus(other) ?? (other < 0 ? .min : .max)
  }

  /// Returns the product, limited to the range of the type.
  @inlinable package func saturatingMultiply(_ other: Self) -> Self {
    times(other) ?? ((self < 0) == (other < 0) ? .max : .min)
  }
}
