import CRecorderShims
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceRecorder
import ScrollTracePlatform

/// The clock that is told from the tick counter, with readings made up.
struct TickClockTests {
  /// A counter of the true world: `frequency` ticks a second, `error` ns of noise in a reading.
  private struct World {
    var frequency = 2_596_104_118.0
    var offset = 81_234_567_890_123.0
    var error = 0.0
    var noise: UInt64 = 1

    mutating func reading(at seconds: Double) -> TickSample {
      noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let wrong = error * (Double(noise >> 40) / Double(1 << 23) - 1)
      return TickSample(
        tick: tick(at: seconds), time: UInt64(5e9 + seconds * 1e9 + wrong))
    }

    func tick(at seconds: Double) -> UInt64 { UInt64(offset + seconds * frequency) }
  }

  @Test func `ticks convert to nanoseconds as in unlimited arithmetic`() throws {
    #expect(TickScale.nanoseconds(3, rate: 1 << 31) == 1)
    #expect(TickScale.nanoseconds(1 << 63, rate: 1 << 31) == 1 << 62)
    #expect(TickScale.nanoseconds(.max, rate: 1 << 32) == .max)
    #expect(TickScale.nanoseconds(.max, rate: (1 << 32) - 1) == UInt64.max - (1 << 32))
    // 24 MHz: 41 2/3 ns a tick, for 30 days.
    let rate = try #require(TickScale.rate(of: 24_000_000, in: 1_000_000_000))
    #expect(rate == 178_956_970_666)
    let ticks: UInt64 = 24_000_000 * 86_400 * 30
    #expect(TickScale.nanoseconds(ticks, rate: rate) == 2_591_999_999_990_344)
    #expect(TickScale.rate(of: 1, in: 1 << 32) == nil)
    #expect(TickScale.rate(of: 0, in: 0) == nil)
  }

  @Test func `a scale does not apply to ticks it does not reach`() {
    let line = TickScale(firstTick: 100, tickCount: 20, firstTime: 7, rate: 1 << 31).line
    #expect(line.time(at: 0) == nil)
    #expect(line.time(at: 99) == nil)
    #expect(line.time(at: 100) == 7)
    #expect(line.time(at: 119) == 16)
    #expect(line.time(at: 120) == nil)
    #expect(line.time(at: .max) == nil)
    #expect(line.end == 17)
    #expect(TickCalibration.none.time(at: 0) == nil)
  }

  @Test func `no clock is made from readings that stand still`() {
    let one = TickSample(tick: 5, time: 5)
    #expect(TickClock(one, one) == nil)
    #expect(TickClock(one, TickSample(tick: 6, time: 5)) == nil)
    #expect(TickClock(one, TickSample(tick: 5, time: 6)) == nil)
    #expect(TickClock(one, TickSample(tick: 4, time: 6)) == nil)
  }

  @Test func `the frequency is that of the counter`() throws {
    var world = World()
    let clock = try #require(TickClock(world.reading(at: 0), world.reading(at: 0.0005)))
    #expect(abs(Double(clock.frequency) - world.frequency) < 10_000)
  }

  @Test func `noise and drift keep it within a microsecond and never move it backwards`() async {
    await forEachCase(of: [0.0, 1e-6, -1e-6], oneCase)
    @Sendable func oneCase(drift: Double) throws {
      var world = World(error: 60)
      var clock = try #require(TickClock(world.reading(at: 0), world.reading(at: 0.0005)))
      var last: UInt64 = 0
      var worst = 0.0
      var seconds = 0.0005
      while seconds < 8 {
        // The counter's pace changes with the drift, the clock's does not.
        let counted = seconds + drift * seconds * seconds / 8
        let time = clock.time(at: world.tick(at: counted)) {
          var reading = world.reading(at: seconds)
          reading.tick = world.tick(at: counted)
          return reading
        }
        #expect(time >= last)
        last = time
        worst = max(worst, abs(Double(time) - (seconds * 1e9 + 5e9)))
        seconds += 0.000_037
      }
      #expect(worst < (drift == 0 ? 250 : 10_000))
    }
  }

  @Test func `threads that arrive late in a new calibration are not moved backwards`() throws {
    var world = World()
    var clock = try #require(TickClock(world.reading(at: 0), world.reading(at: 0.0005)))
    let copy = clock.scale
    let end = clock.scale.line.end
    _ = clock.time(at: world.tick(at: 0.01)) { world.reading(at: 0.01) }
    let late = clock.time(at: world.tick(at: 0.009_999)) { world.reading(at: 0.02) }
    #expect(late >= end)
    #expect(copy.line.time(at: world.tick(at: 0.009_999)) == nil)
    #expect(clock.scale.firstTime == late)
  }

  @Test func `after a pause it continues from the clock's time`() throws {
    var world = World()
    var clock = try #require(TickClock(world.reading(at: 0), world.reading(at: 0.0005)))
    let time = clock.time(at: world.tick(at: 3_600)) { world.reading(at: 3_600) }
    #expect(time == 3_605_000_000_000)
  }

  @Test func `a counter that jumps while the machine sleeps does not move the time`() async {
    await forEachCase(of: [100.0, -2_000.0], oneCase)
    @Sendable func oneCase(jump: Double) throws {
      var world = World()
      var clock = try #require(TickClock(world.reading(at: 0), world.reading(at: 0.0005)))
      var last: UInt64 = 0
      for step in 1..<60_000 {
        let seconds = 0.0005 + Double(step) / 10_000
        if step == 30_000 { world.offset += jump * world.frequency }
        let time = clock.time(at: world.tick(at: seconds)) { world.reading(at: seconds) }
        #expect(time >= last)
        last = time
      }
      #expect(abs(Double(last) - 10_999_900_000 - 500_000) < 1_000)
    }
  }

  /// A machine whose counter changes its pace and whose core hangs, for an hour.
  private struct Hour {
    var tick = 81_234_567_890_123.0
    var seconds = 0.0
    var noise = SystemNoise()
    /// By how much the system's clock has jumped, in ns.
    var jump = 0.0

    /// The counter's pace: 20 parts in a million to and fro within ten minutes, and 50 from the half
    /// of the hour on.
    private var frameSpacing: Double {
      1 + 20e-6 * sin(seconds * .pi / 300) + (seconds > 1800 ? 50e-6 : 0)
    }

    var reference: UInt64 { UInt64(5e9 + seconds * 1e9 + jump) }

    mutating func pass(_ time: Double) {
      tick += time * 2_596_104_118.0 * frameSpacing
      seconds += time
    }

    /// A reading, 60 ns wrong at most; one in 300 is made while the core hangs for up to 2 ms.
    mutating func reading() -> TickSample {
      let hang = noise.next() < 1.0 / 300 ? noise.next() * 2e-3 : 40e-9
      let before = tick
      let part = noise.next()
      pass(hang * part)
      let time = UInt64(Double(reference) + 120 * (noise.next() - 0.5))
      pass(hang * (1 - part))
      return TickSample(
        tick: UInt64(before + (tick - before) / 2), time: time, spread: UInt64(tick - before))
    }
  }

  /// Numbers from 0 to 1 that are the same each time.
  private struct SystemNoise {
    var state: UInt64 = 1

    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }
  }

  @Test func `an hour of drift, noise and stalled cores stays within 10 µs`() async {
    await forEachCase(of: [0.000_9, 0.016, 0.3], oneCase)
    @Sendable func oneCase(pause: Double) throws {
      var hour = Hour()
      let first = hour.reading()
      hour.pass(0.0005)
      var clock = try #require(TickClock(first, hour.reading()))
      var last: UInt64 = 0
      var worst: UInt64 = 0
      // Fewer samples where there are many: stretches of 20 s in every minute.
      while hour.seconds < 3600 {
        let isDense = pause > 0.01 || hour.seconds.truncatingRemainder(dividingBy: 60) < 20
        hour.pass(isDense ? pause * (0.5 + hour.noise.next()) : 0.02)
        let before = hour.reference
        let time = clock.time(at: UInt64(hour.tick)) { hour.reading() }
        if time < last { Issue.record("a step back at \(hour.seconds) s") }
        last = time
        // A reading takes its time; what is told lies in between.
        let after = hour.reference
        worst = max(worst, before > time ? before - time : 0, time > after ? time - after : 0)
      }
      #expect(worst < 10_000)
    }
  }

  @Test func `if the system's clock jumps, time follows and never runs backwards`() async {
    await forEachCase(of: [2e9, 1e6, -1e6], oneCase)
    @Sendable func oneCase(jump: Double) throws {
      var hour = Hour()
      let first = hour.reading()
      hour.pass(0.0005)
      var clock = try #require(TickClock(first, hour.reading()))
      var last: UInt64 = 0
      for step in 0..<2_000 {
        hour.pass(0.01)
        if step == 1_000 { hour.jump = jump }
        let time = clock.time(at: UInt64(hour.tick)) { hour.reading() }
        #expect(time >= last)
        last = time
      }
      #expect(max(last, hour.reference) - min(last, hour.reference) < 10_000)
    }
  }

  @Test func `a clock calibrated while the core stalled finds its rate`() throws {
    var hour = Hour()
    var first = hour.reading()
    // Three microseconds in half a millisecond: six thousandths too fast.
    first.time += 3_000
    hour.pass(0.0005)
    var clock = try #require(TickClock(first, hour.reading()))
    var last: UInt64 = 0
    for _ in 0..<1_000 {
      hour.pass(0.01)
      let time = clock.time(at: UInt64(hour.tick)) { hour.reading() }
      #expect(time >= last)
      last = time
    }
    #expect(max(last, hour.reference) - min(last, hour.reference) < 1_000)
  }

  @Test func `the recorder's clock lies between two readings of the system's`() throws {
    #if canImport(Darwin)
      let clocks = [(RecorderClock.uptime, CLOCK_UPTIME_RAW)]
    #else
      let clocks = [
        (RecorderClock.uptime, CLOCK_MONOTONIC_RAW), (.monotonic, CLOCK_MONOTONIC),
      ]
    #endif
    for (clock, system) in clocks {
      let recorder = try TraceRecorder(to: .memory, options: .with { $0.clock = clock })
      recorder.withSpan("step") {}
      var worst: Int64 = 0
      for _ in 0..<50_000 {
        let before = Int64(scrolltrace_clock(system))
        let now = recorder.now().nanoseconds
        let after = Int64(scrolltrace_clock(system))
        worst = max(worst, before - now, now - after)
      }
      #expect(worst < 10_000)
    }
  }
}
