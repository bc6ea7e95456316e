internal import ScrollTraceModel

/// The unit of a provider's times.
struct FXTClock {
  var ticksPerSecond: UInt64 = 1_000_000_000

  @inline(__always)
  var countsNanoseconds: Bool { ticksPerSecond == 1_000_000_000 }

  /// Returns the time of `ticks`, or `nil` if it cannot be represented (R6).
  @inline(__always)
  func time(_ ticks: UInt64) -> Timestamp? {
    let nanoseconds = countsNanoseconds ? ticks : Self.nanoseconds(ticks, ticksPerSecond)
    return nanoseconds.flatMap { Int64(exactly: $0) }.flatMap { Timestamp(nanoseconds: $0) }
  }

  /// Returns `ticks * 1e9 / perSecond`, exact and rounded down, or `nil` if it overflows.
  private static func nanoseconds(_ ticks: UInt64, _ perSecond: UInt64) -> UInt64? {
    let product = ticks.multipliedFullWidth(by: 1_000_000_000)
    guard perSecond > product.high else { return nil }
    return perSecond.dividingFullWidth(product).quotient
  }
}
