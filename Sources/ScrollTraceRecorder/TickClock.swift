/// The time of one of the system's clocks, told from the processor's tick counter.
///
/// The counter is compared with the clock from time to time. As long as both agree, a small
/// difference is made good by a slightly other pace over the next stretch, so that time never jumps;
/// where they do not, as after sleep, time goes on from the clock's, but never backwards.
struct TickClock {
  /// The stretch that holds now.
  private(set) var scale: TickScale
  /// Nanoseconds a tick as measured, without what makes good for a difference.
  private var rate: UInt64
  /// The reading since which the rate is measured: the longer ago, the less its noise counts, and
  /// the later a change of pace is noticed.
  private var origin: TickReading
  /// The reading that takes its place.
  private var nextOrigin: TickReading
  /// Whether the rate was measured where nothing spoke against it.
  private var isRateKnown = true
  /// How many readings in a row were too vague to be used.
  private var vagueCount = 0

  /// The greatest part by which paces may differ: one thousandth.
  static var tolerance: UInt64 { 1_000 }
  /// The longest stretch: a tenth of a second, in which a pace that changes by 100 parts in a million
  /// costs 10 µs.
  private static var longest: UInt64 { 100_000_000 }
  /// How long the rate is measured at least, once there is that much: two seconds.
  private static var window: UInt64 { 2_000_000_000 }
  /// A reading that may be wrong by more is not used while better ones are to be expected: 4 µs.
  private static var vagueness: UInt64 { 4_000 }
  /// After so many vague readings in a row the next is used all the same.
  private static var patience: Int { 8 }

  /// A clock that starts at `second`; `nil` where the two readings tell no pace.
  init?(_ first: TickReading, _ second: TickReading) {
    guard second.tick > first.tick, second.time > first.time,
      let rate = TickScale.rate(of: second.tick - first.tick, in: second.time - first.time),
      rate > 0, TickLine.canTell(rate)
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

  /// The time at `tick`; where the stretch has run out, `reading` begins the next.
  mutating func time(at tick: UInt64, _ reading: () -> TickReading) -> UInt64 {
    if let time = scale.line.time(at: tick) { return time }
    // Another thread has begun this stretch a moment ago.
    if scale.firstTick &- tick < scale.tickCount { return scale.firstTime }
    advance(to: reading())
    return scale.firstTime
  }

  /// Begins the next stretch at `reading`.
  ///
  /// It is as long as the time over which the rate was measured, since an error of the rate grows
  /// with the one and shrinks with the other; and never long enough for a pace that changes to matter.
  mutating func advance(to reading: TickReading) {
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
      // Nobody was told a time behind the end of the last stretch.
      time = max(reading.time, scale.line.end)
    }
    let aim = reading.time &+ length
    let rest = max(aim > time ? aim - time : 0, length / 2)
    scale = TickScale(
      firstTick: reading.tick, tickCount: ticks, firstTime: time,
      rate: TickScale.rate(of: ticks, in: rest) ?? rate)
  }

  /// The time at which the clock should be `passed` ticks after the stretch began.
  private func expectedTime(after passed: UInt64) -> UInt64 {
    if passed < scale.tickCount { return scale.line.endless(at: scale.firstTick &+ passed) }
    return scale.line.end &+ TickScale.nanoseconds(passed - scale.tickCount, rate: rate)
  }

  /// Whether a reading tells less than is known without it, since the core hung between the readings
  /// of the counter, and there is still patience to wait for a better one.
  private mutating func isVague(_ reading: TickReading, _ difference: UInt64) -> Bool {
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
  private mutating func measureRate(at reading: TickReading) -> Bool {
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
  private mutating func restart(at reading: TickReading) {
    origin = reading
    nextOrigin = reading
    isRateKnown = false
  }
}
