/// Sums and products of numbers from a file, which can be arbitrary.
extension FixedWidthInteger {
  /// Returns the sum, limited to the range of the type.
  @inlinable package func saturatingAdd(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the product, limited to the range of the type.
  @inlinable package func saturatingMultiply(_ other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
