internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The time of one of the system's clocks, told from the processor's tick counter.
///
/// The counter is compared with the clock from time to time. As long as both agree, a small
/// difference is made good by a slightly other pace over the next range, so that time never jumps;
/// where they do not, as after sleep, time goes on from the clock's, but never backwards.
struct TickClock {
  /// The range that holds now.
  private(set) var scale: TickScale
  /// Nanoseconds a tick as measured, without what makes good for a difference.
  private var rate: UInt64
  /// The reading since which the rate is measured: the longer ago, the less its noise counts, and
  /// the later a change of pace is noticed.
  private var origin: TickSample
  /// The reading that takes its place.
  private var nextOrigin: TickSample
  /// Whether the rate was measured where nothing spoke against it.
  private var isRateKnown = true
  /// How many readings in a row were too vague to be used.
  private var vagueCount = 0

  /// The greatest part by which paces may differ: one thousandth.
  static var tolerance: UInt64 { 1_000 }
  /// The longest range: a tenth of a second, in which a pace that changes by 100 parts in a million
  /// costs 10 µs.
  private static var longest: UInt64 { 100_000_000 }
  /// How long the rate is measured at least, once there is that much: two seconds.
  private static var window: UInt64 { 2_000_000_000 }
  /// A reading that may be wrong by more is not used while better ones are to be expected: 4 µs.
  private static var vagueness: UInt64 { 4_000 }
  /// After so many vague readings in a row the next is used all the same.
  private static var patience: Int { 8 }

  /// A clock that starts at `second`, or `nil` if the two readings tell no pace.
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

  /// How many ticks a second has, as far as is known.
  var frequency: UInt64 { Self.frequency(rate) }

  private static func frequency(_ rate: UInt64) -> UInt64 { (1_000_000_000 << 32) / rate }

  /// How many ticks a part of a second has.
  private static func ticks(in time: UInt64, _ rate: UInt64) -> UInt64 {
    max((time << 32) / rate, 1)
  }

  /// The time at `tick`; where the range has run out, `reading` begins the next.
  mutating func time(at tick: UInt64, _ reading: () -> TickSample) -> UInt64 {
    if let time = scale.line.time(at: tick) { return time }
    // Another thread has begun this range a moment ago.
    if scale.firstTick &- tick < scale.tickCount { return scale.firstTime }
    advance(to: reading())
    return scale.firstTime
  }

  /// Begins the next range at `reading`.
  ///
  /// It is as long as the time over which the rate was measured, since an error of the rate grows
  /// with the one and shrinks with the other; and never long enough for a pace that changes to matter.
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
      // Nobody was told a time behind the end of the last range.
      time = max(reading.time, scale.line.end)
    }
    let aim = reading.time &+ length
    let rest = max(aim > time ? aim - time : 0, length / 2)
    scale = TickScale(
      firstTick: reading.tick, tickCount: ticks, firstTime: time,
      rate: TickScale.rate(of: ticks, in: rest) ?? rate)
  }

  /// The time at which the clock should be `passed` ticks after the range began.
  private func expectedTime(after passed: UInt64) -> UInt64 {
    if passed < scale.tickCount { return scale.line.endless(at: scale.firstTick &+ passed) }
    return scale.line.end &+ TickScale.nanoseconds(passed - scale.tickCount, rate: rate)
  }

  /// Whether a reading tells less than is known without it, since the core hung between the readings
  /// of the counter, and there is still patience to wait for a better one.
  private mutating func isVague(_ reading: TickSample, _ difference: UInt64) -> Bool {
    let error = TickScale.nanoseconds(reading.spread, rate: rate) / 2
    guard error > Self.vagueness, difference <= error else { return false }
    vagueCount += 1
    return vagueCount <= Self.patience
  }

  /// Goes on at the same pace for a short while.
  private mutating func prolong(from tick: UInt64, at time: UInt64) {
    let ticks = min(scale.tickCount, Self.ticks(in: Self.longest / 10, rate))
    scale = TickScale(firstTick: tick, tickCount: ticks, firstTime: time, rate: rate)
  }

  /// Takes the rate from the readings; whether it is the one known so far.
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
      // The counter or the clock has jumped, or the rate was wrong from the start: the next reading
      // tells.
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

  /// Measures the rate from `reading` on.
  private mutating func restart(at reading: TickSample) {
    origin = reading
    nextOrigin = reading
    isRateKnown = false
  }
}

/// A range of the processor's tick counter on which time is a straight line.
struct TickScale {
  /// Where the range begins.
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
  var line: TickCalibration { TickCalibration(self) }

  /// How long `ticks` ticks take, rounded down; the product has 128 bits.
  static func nanoseconds(_ ticks: UInt64, rate: UInt64) -> UInt64 {
    let product = ticks.multipliedFullWidth(by: rate)
    return product.high << 32 | product.low >> 32
  }

  /// The rate at which `ticks` ticks take `time` nanoseconds, or `nil` if no rate does.
  static func rate(of ticks: UInt64, in time: UInt64) -> UInt64? {
    guard ticks > time >> 32 else { return nil }
    return ticks.dividingFullWidth((high: time >> 32, low: time << 32)).quotient
  }
}

/// What a thread needs to know of a range of the tick counter: as little as can be.
///
/// Every thread keeps a copy, so that no reading of the clock touches what others write to. All
/// copies end at the same time, so threads never disagree on what a tick means.
struct TickCalibration {
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
  static var none: TickCalibration { TickCalibration(.none) }

  /// The line of a range.
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

/// The tick counter and a clock of the system's, read at one moment.
struct TickSample {
  /// The counter.
  var tick: UInt64
  /// The clock, in nanoseconds.
  var time: UInt64
  /// Between how many ticks the clock was read: where in between is not known.
  var spread: UInt64

  /// All given.
  init(tick: UInt64, time: UInt64, spread: UInt64 = 0) {
    self.tick = tick
    self.time = time
    self.spread = spread
  }

  /// Both now.
  ///
  /// Of several attempts the fastest is the most exact.
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
  /// A clock that tells the same time from the tick counter, measured for half a millisecond; `nil`
  /// where the counter is not to be trusted or not what the host asked for.
  func tickClock() -> TickClock? {
    guard case .uptime = self, let clock = systemClock, scrolltrace_ticks_are_steady() else {
      return nil
    }
    let first = TickSample.now(of: clock)
    while scrolltrace_clock(clock) &- first.time < 500_000 {}
    return TickClock(first, .now(of: clock))
  }
}
