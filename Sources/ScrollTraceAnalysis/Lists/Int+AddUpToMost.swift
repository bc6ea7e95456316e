extension Int {
  /// Adds a number from a file; the sum saturates.
  mutating func add(upToMost more: Int) {
    let (sum, overflow) = addingReportingOverflow(more)
    self = overflow ? .max : sum
  }
}
