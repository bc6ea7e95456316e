internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The tick counter and a clock of the system's, read at one moment.
struct TickReading {
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
  static func now(of clock: clockid_t) -> TickReading {
    var best = TickReading(tick: 0, time: 0, spread: .max)
    for _ in 0..<8 {
      let before = scrolltrace_ticks()
      let time = scrolltrace_clock(clock)
      let passed = scrolltrace_ticks() &- before
      guard passed < best.spread else { continue }
      best = TickReading(tick: before &+ passed / 2, time: time, spread: passed)
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
    let first = TickReading.now(of: clock)
    while scrolltrace_clock(clock) &- first.time < 500_000 {}
    return TickClock(first, .now(of: clock))
  }
}
