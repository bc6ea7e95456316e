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
  /// The first reading of those that agree: the longer ago, the better the rate.
  private var origin: TickReading

  /// The greatest part by which paces may differ: one thousandth.
  static var tolerance: UInt64 { 1_000 }

  /// A clock that starts at `second`; `nil` where the two readings tell no pace.
  init?(_ first: TickReading, _ second: TickReading) {
    guard second.tick > first.tick, second.time > first.time,
      let rate = TickScale.rate(of: second.tick - first.tick, in: second.time - first.time),
      rate > 0, TickLine.canTell(rate)
    else { return nil }
    self.rate = rate
    origin = first
    scale = TickScale(
      firstTick: second.tick,
      tickCount: min(second.tick - first.tick, Self.frequency(rate)), firstTime: second.time,
      rate: rate)
  }

  /// How many ticks a second has, as far as is known.
  var frequency: UInt64 { Self.frequency(rate) }

  private static func frequency(_ rate: UInt64) -> UInt64 { (1_000_000_000 << 32) / rate }

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
  /// It is as long as the time since the first reading, since an error of the rate grows with the
  /// one and shrinks with the other; and no longer than a second.
  mutating func advance(to reading: TickReading) {
    let passed = reading.tick &- scale.firstTick
    var ticks = min(scale.tickCount, frequency)
    var isContinued = false
    if let measured = measuredRate(at: reading) {
      rate = measured
      ticks = min(reading.tick - origin.tick, frequency)
      isContinued = passed / 2 < scale.tickCount
    } else {
      origin = reading
    }
    ticks = max(ticks, 1)
    let length = TickScale.nanoseconds(ticks, rate: rate)
    var time = scale.line.endless(at: reading.tick)
    let difference = time > reading.time ? time - reading.time : reading.time - time
    if !isContinued || difference > length / Self.tolerance {
      // Nobody was told a time behind the end of the last stretch.
      time = max(reading.time, scale.line.end)
    }
    let aim = reading.time &+ length
    let rest = max(aim > time ? aim - time : 0, length / 2)
    scale = TickScale(
      firstTick: reading.tick, tickCount: ticks, firstTime: time,
      rate: TickScale.rate(of: ticks, in: rest) ?? rate)
  }

  /// The rate since the first reading; `nil` where it is not the rate known so far.
  private func measuredRate(at reading: TickReading) -> UInt64? {
    guard reading.tick > origin.tick, reading.time > origin.time,
      let measured = TickScale.rate(
        of: reading.tick - origin.tick, in: reading.time - origin.time)
    else { return nil }
    let difference = measured > rate ? measured - rate : rate - measured
    return difference <= rate / Self.tolerance ? measured : nil
  }
}
