/// A stretch of the processor's tick counter on which time is a straight line.
struct TickScale {
  /// Where the stretch begins.
  var firstTick: UInt64
  /// How many ticks it is long; 0 where the counter is not to be used.
  var tickCount: UInt64
  /// The time at `firstTick`, in nanoseconds.
  var firstTime: UInt64
  /// Nanoseconds a tick, times 2 to the power of 32.
  var rate: UInt64

  /// A scale without a single tick.
  static var none: TickScale { TickScale(firstTick: 0, tickCount: 0, firstTime: 0, rate: 0) }

  /// The straight line.
  var line: TickLine { TickLine(self) }

  /// How long `ticks` ticks take, rounded down; the product has 128 bits.
  static func nanoseconds(_ ticks: UInt64, rate: UInt64) -> UInt64 {
    let product = ticks.multipliedFullWidth(by: rate)
    return product.high << 32 | product.low >> 32
  }

  /// The rate at which `ticks` ticks take `time` nanoseconds; `nil` where no rate does.
  static func rate(of ticks: UInt64, in time: UInt64) -> UInt64? {
    guard ticks > time >> 32 else { return nil }
    return ticks.dividingFullWidth((high: time >> 32, low: time << 32)).quotient
  }
}
