internal import CRecorderShims
internal import ScrollTracePlatform

/// A system clock that is derived from the processor's tick counter.
///
/// The counter is compared with the clock from time to time. While both agree, a slightly different
/// rate in the next range corrects a small difference, so that time never jumps. If they do not
/// agree, as after sleep, time continues from the clock's, but never decreases.
struct TickClock {
  private(set) var scale: TickScale
  /// The measured nanoseconds per tick, without the correction.
  private var rate: UInt64
  /// The reading from which the rate is measured. An older reading reduces the effect of noise, but
  /// delays the detection of a changed rate.
  private var origin: TickSample
  /// The reading that replaces `origin`.
  private var nextOrigin: TickSample
  /// Whether the rate was measured without contradiction.
  private var isRateKnown = true
  /// The number of consecutive readings that were too inaccurate.
  private var vagueCount = 0

  /// The maximum relative difference of rates: one thousandth.
  static var tolerance: UInt64 { 1_000 }
  /// The longest range: a tenth of a second, in which a rate that changes by 100 parts per million
  /// causes an error of 10 µs.
  private static var longest: UInt64 { 100_000_000 }
  /// The minimum time over which the rate is measured, once available: two seconds.
  private static var window: UInt64 { 2_000_000_000 }
  /// The error above which a reading is not used while better ones can be expected: 4 µs.
  private static var vagueness: UInt64 { 4_000 }
  /// The number of consecutive inaccurate readings after which the next one is used anyway.
  private static var patience: Int { 8 }

  /// Creates a clock that starts at `second`, or `nil` if the two readings do not determine a rate.
  init?(_ first: TickSample, _ second: TickSample) {
    guard second.tick > first.tick, second.time > first.time,
      let rate = TickScale.rate(of: second.tick - first.tick, in: second.time - first.time),
      rate > 0, TickCalibration.canTell(rate)
    else { return nil }
    self.rate = rate
    origin = first
    nextOrigin = second
    scale = TickScale(
      firstTick: second.tick,
      tickCount: min(second.tick - first.tick, Self.ticks(in: Self.longest, rate)),
      firstTime: second.time, rate: rate)
  }

  /// The known number of ticks per second.
  var frequency: UInt64 { Self.frequency(rate) }

  private static func frequency(_ rate: UInt64) -> UInt64 { (1_000_000_000 << 32) / rate }

  private static func ticks(in time: UInt64, _ rate: UInt64) -> UInt64 {
    max((time << 32) / rate, 1)
  }

  /// Returns the time at `tick`. If the range has ended, a reading begins the next one.
  mutating func time(at tick: UInt64, _ reading: () -> TickSample) -> UInt64 {
    if let time = scale.line.time(at: tick) { return time }
    // Another thread has just begun this range.
    if scale.firstTick &- tick < scale.tickCount { return scale.firstTime }
    advance(to: reading())
    return scale.firstTime
  }

  /// Begins the next range at `reading`.
  ///
  /// The range is as long as the time over which the rate was measured, because an error of the
  /// rate grows with the one and shrinks with the other. It is short enough that a changing rate
  /// does not matter.
  mutating func advance(to reading: TickSample) {
    let passed = reading.tick &- scale.firstTick
    var time = expectedTime(after: passed)
    let isNear = passed / 2 < scale.tickCount
    let difference = time > reading.time ? time - reading.time : reading.time - time
    if isVague(reading, difference) { return prolong(from: reading.tick, at: time) }
    vagueCount = 0
    let agrees = measureRate(at: reading)
    let longest = Self.ticks(in: Self.longest, rate)
    let ticks = min(agrees ? reading.tick &- origin.tick : scale.tickCount, longest)
    let length = TickScale.nanoseconds(ticks, rate: rate)
    if !agrees || !isNear || difference > length / Self.tolerance {
      // No thread has read a time after the end of the last range.
      time = max(reading.time, scale.line.end)
    }
    let aim = reading.time &+ length
    let rest = max(aim > time ? aim - time : 0, length / 2)
    scale = TickScale(
      firstTick: reading.tick, tickCount: ticks, firstTime: time,
      rate: TickScale.rate(of: ticks, in: rest) ?? rate)
  }

  /// The expected time of the clock, `passed` ticks after the start of the range.
  private func expectedTime(after passed: UInt64) -> UInt64 {
    if passed < scale.tickCount { return scale.line.endless(at: scale.firstTick &+ passed) }
    return scale.line.end &+ TickScale.nanoseconds(passed - scale.tickCount, rate: rate)
  }

  /// Returns whether to wait for a better reading, because this one is less accurate than the
  /// prediction. The core was interrupted between the readings of the counter.
  private mutating func isVague(_ reading: TickSample, _ difference: UInt64) -> Bool {
    let error = TickScale.nanoseconds(reading.spread, rate: rate) / 2
    guard error > Self.vagueness, difference <= error else { return false }
    vagueCount += 1
    return vagueCount <= Self.patience
  }

  /// Continues at the same rate for a short time.
  private mutating func prolong(from tick: UInt64, at time: UInt64) {
    let ticks = min(scale.tickCount, Self.ticks(in: Self.longest / 10, rate))
    scale = TickScale(firstTick: tick, tickCount: ticks, firstTime: time, rate: rate)
  }

  /// Updates the rate from the readings, and returns whether it agrees with the previous one.
  private mutating func measureRate(at reading: TickSample) -> Bool {
    guard reading.tick > origin.tick, reading.time > origin.time,
      let measured = TickScale.rate(
        of: reading.tick - origin.tick, in: reading.time - origin.time), measured > 0
    else {
      restart(at: reading)
      return false
    }
    let difference = measured > rate ? measured - rate : rate - measured
    let agrees = difference <= rate / Self.tolerance
    guard agrees || !isRateKnown else {
      // The counter or the clock has jumped, or the rate was wrong from the start. The next reading
      // decides.
      restart(at: reading)
      return false
    }
    rate = measured
    isRateKnown = true
    if reading.time &- nextOrigin.time > Self.window {
      origin = nextOrigin
      nextOrigin = reading
    }
    return agrees
  }

  private mutating func restart(at reading: TickSample) {
    origin = reading
    nextOrigin = reading
    isRateKnown = false
  }
}

/// A range of the tick counter in which time is a linear function.
struct TickScale {
  var firstTick: UInt64
  /// The length of the range in ticks, or 0 if the counter is not used.
  var tickCount: UInt64
  /// The time at `firstTick`, in nanoseconds.
  var firstTime: UInt64
  /// Nanoseconds per tick, times 2³².
  var rate: UInt64

  static var none: TickScale { TickScale(firstTick: 0, tickCount: 0, firstTime: 0, rate: 0) }

  /// The range as a linear function.
  var line: TickCalibration { TickCalibration(self) }

  /// The duration of `ticks` ticks, rounded down. The product has 128 bits.
  static func nanoseconds(_ ticks: UInt64, rate: UInt64) -> UInt64 {
    let product = ticks.multipliedFullWidth(by: rate)
    return product.high << 32 | product.low >> 32
  }

  /// The rate at which `ticks` ticks take `time` nanoseconds, or `nil` if no rate fits.
  static func rate(of ticks: UInt64, in time: UInt64) -> UInt64? {
    guard ticks > time >> 32 else { return nil }
    return ticks.dividingFullWidth((high: time >> 32, low: time << 32)).quotient
  }
}

/// The calibration of a range of the tick counter, as small as possible.
///
/// Every thread keeps a copy, so that reading the clock touches no shared memory. All copies expire
/// at the same time, so threads always agree on the time of a tick.
struct TickCalibration {
  #if arch(x86_64)
    // The counter is faster than one tick per nanosecond and does not overflow for centuries, so
    // the rate is less than 1, and the product can use the counter's own origin.
    private static var shift: UInt64 { 0 }
  #else
    /// The number of integer bits of the nanoseconds per tick: up to 256 ns.
    private static var shift: UInt64 { 8 }
    /// The tick that counts as 0.
    private var firstTick: UInt64
  #endif
  /// Nanoseconds per tick, times 2 to the power of 64 − `shift`.
  private var rate: UInt64
  /// The difference between the product of tick and rate and the time since `start`.
  private var excess: UInt64
  /// The length of the range in nanoseconds.
  private var length: UInt64
  /// The time at the start of the range.
  private var start: UInt64

  static var none: TickCalibration { TickCalibration(.none) }

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

  /// Returns whether a calibration can represent a rate, given times 2³².
  static func canTell(_ rate: UInt64) -> Bool { rate >> (32 + shift) == 0 }

  /// The time at the end of the range.
  var end: UInt64 { start &+ length }

  /// The time at `tick`, or `nil` outside the range.
  @inline(__always)
  func time(at tick: UInt64) -> UInt64? {
    let passed = passed(at: tick)
    return passed < length ? passed &+ start : nil
  }

  /// The time at `tick`, extrapolated after the range.
  func endless(at tick: UInt64) -> UInt64 { passed(at: tick) &+ start }

  /// The time since `start`. Earlier ticks give a number greater than any length.
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

/// A simultaneous reading of the tick counter and a system clock.
struct TickSample {
  var tick: UInt64
  /// The clock, in nanoseconds.
  var time: UInt64
  /// The number of ticks within which the clock was read.
  var spread: UInt64 = 0

  /// Reads both.
  ///
  /// The fastest of several attempts is the most accurate.
  static func now(of clock: clockid_t) -> TickSample {
    var best = TickSample(tick: 0, time: 0, spread: .max)
    for _ in 0..<8 {
      let before = scrolltrace_ticks()
      let time = scrolltrace_clock(clock)
      let passed = scrolltrace_ticks() &- before
      guard passed < best.spread else { continue }
      best = TickSample(tick: before &+ passed / 2, time: time, spread: passed)
    }
    return best
  }
}

extension RecorderClock {
  /// Returns a clock that derives the same time from the tick counter, measured for half a
  /// millisecond, or `nil` if the counter is unreliable or is not what the host requested.
  func tickClock() -> TickClock? {
    guard followsTicks, let clock = systemClock, scrolltrace_ticks_are_steady() else { return nil }
    let first = TickSample.now(of: clock)
    while scrolltrace_clock(clock) &- first.time < 500_000 {}
    return TickClock(first, .now(of: clock))
  }

  /// Whether the system's clock runs at the counter's rate. On Linux, `CLOCK_MONOTONIC` differs by
  /// what the wall time is corrected by: at most one part in 2000, which each range follows.
  private var followsTicks: Bool {
    switch self {
    case .uptime: return true
    case .monotonic:
      #if canImport(Darwin)
        return false
      #else
        return true
      #endif
    case .continuous, .manual, .custom: return false
    }
  }
}
