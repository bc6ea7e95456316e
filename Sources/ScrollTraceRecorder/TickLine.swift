/// What a thread needs to know of a stretch of the tick counter: as little as can be.
///
/// Every thread keeps a copy, so that no reading of the clock touches what others write to. All
/// copies end at the same time, so threads never disagree on what a tick means.
struct TickLine {
  #if arch(x86_64)
    // The counter is faster than one tick a nanosecond and will not run over within centuries: the
    // rate is less than 1, and the product needs no other origin than the counter's.
    private static var shift: UInt64 { 0 }
  #else
    /// How many bits of a tick's nanoseconds are whole: up to 256 ns.
    private static var shift: UInt64 { 8 }
    /// The tick that counts as the first.
    private var firstTick: UInt64
  #endif
  /// Nanoseconds a tick, times 2 to the power of 64 less `shift`.
  private var rate: UInt64
  /// What the product of tick and rate is more than the time since `start`.
  private var excess: UInt64
  /// How long the line is, in nanoseconds.
  private var length: UInt64
  /// The time at which it begins.
  private var start: UInt64

  /// A line without a single tick.
  static var none: TickLine { TickLine(.none) }

  /// The line of a stretch.
  init(_ scale: TickScale) {
    #if arch(x86_64)
    #else
      firstTick = scale.firstTick
    #endif
    rate = Self.canTell(scale.rate) ? scale.rate << (32 - Self.shift) : 0
    start = scale.firstTime
    excess = 0
    length = 0
    excess = passed(at: scale.firstTick)
    if rate != 0 { length = passed(at: scale.firstTick &+ scale.tickCount) }
  }

  /// Whether a line can have a rate, given times 2 to the power of 32.
  static func canTell(_ rate: UInt64) -> Bool { rate >> (32 + shift) == 0 }

  /// The time up to which the line reaches.
  var end: UInt64 { start &+ length }

  /// The time at `tick`; `nil` before the line and behind it.
  @inline(__always)
  func time(at tick: UInt64) -> UInt64? {
    let passed = passed(at: tick)
    return passed < length ? passed &+ start : nil
  }

  /// The time at `tick` if the line had no end.
  func endless(at tick: UInt64) -> UInt64 { passed(at: tick) &+ start }

  /// The time since `start`; what is before it comes out greater than any length.
  @inline(__always)
  private func passed(at tick: UInt64) -> UInt64 {
    #if arch(x86_64)
      let ticks = tick
    #else
      let ticks = (tick &- firstTick) &<< Self.shift
    #endif
    return ticks.multipliedFullWidth(by: rate).high &- excess
  }
}
