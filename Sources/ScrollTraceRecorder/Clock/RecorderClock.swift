internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

package typealias Nanoseconds = Int64

/// The clock of a recorder.
///
/// Times from the host, such as a frame's deadline, must be on the same clock.
public enum RecorderClock: Sendable {
  /// The time since the machine started, not including sleep and never adjusted. This is the
  /// default.
  ///
  /// `CLOCK_MONOTONIC_RAW` on Linux, `CLOCK_UPTIME_RAW` (`mach_absolute_time`) on Apple platforms.
  /// It is derived from the processor's tick counter if the system also uses that counter.
  case uptime

  /// `CLOCK_MONOTONIC`, for a host whose display times are on that clock, such as DRM's and
  /// Wayland's. On Linux it is derived from the tick counter like `uptime`.
  case monotonic

  /// The time since the machine started, including sleep.
  case continuous

  /// Virtual time that only `TraceRecorder.setTime(_:)` changes.
  case manual(start: RecorderTime)

  /// The host's own clock, which must never decrease. The closure is called for every event.
  case custom(@Sendable () -> RecorderTime)

  /// The number of the clock in the session blob.
  var profileNumber: UInt32 {
    switch self {
    case .uptime: 1
    case .monotonic: 2
    case .continuous: 3
    case .manual, .custom: 0
    }
  }

  /// Returns the time of the system's clock with a number in the session blob, or `nil` if it has none.
  package static func now(profileNumber number: UInt32) -> Int64? {
    [uptime, .monotonic, .continuous].first { $0.profileNumber == number }?.systemClock
      .map { Int64(clamping: scrolltrace_clock($0)) }
  }

  /// The C library's clock, or `nil` if the time comes from the host.
  var systemClock: clockid_t? {
    #if canImport(Darwin)
      switch self {
      case .uptime: CLOCK_UPTIME_RAW
      case .monotonic: CLOCK_MONOTONIC
      case .continuous: CLOCK_MONOTONIC_RAW
      case .manual, .custom: nil
      }
    #else
      switch self {
      case .uptime: CLOCK_MONOTONIC_RAW
      case .monotonic: CLOCK_MONOTONIC
      case .continuous: CLOCK_BOOTTIME
      case .manual, .custom: nil
      }
    #endif
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Reads the clock in nanoseconds, with one reading of the tick counter if there is one.
  @inline(__always)
  func readClock() -> UInt64 { fastTime() ?? readClockAnew() }

  /// Reads the clock with this thread's calibration, or returns `nil` if the calibration has
  /// expired.
  @inline(__always)
  func fastTime() -> UInt64? {
    // Read first, so that no part of the calibration occupies a register meanwhile.
    let tick = scrolltrace_ticks()
    return pointee.line.time(at: tick)
  }

  /// Reads the clock if this thread's calibration has expired or there is no counter.
  @inline(never)
  private func readClockAnew() -> UInt64 { pointee.control.readClock(&pointee.line) }
}

extension UnsafeMutablePointer<ControlBlock> {
  /// Reads the clock in nanoseconds, for a thread that may have no writer.
  func readClock() -> UInt64 {
    var line = TickCalibration.none
    return readClock(&line)
  }

  /// Reads the clock in nanoseconds and stores the current calibration in `line`.
  func readClock(_ line: inout TickCalibration) -> UInt64 {
    guard let clock = pointee.systemClock else { return readHostClock() }
    // In a forked child, the lock may be held forever.
    guard pointee.readsTicks, mode != RecorderMode.forked else { return scrolltrace_clock(clock) }
    let store = pointee.store.takeUnretainedValue()
    let (time, current) = store.locked { state in
      let time = state.tickClock?.time(at: scrolltrace_ticks()) { .now(of: clock) }
      return (time, state.tickClock?.scale.line ?? .none)
    }
    line = current
    return time ?? scrolltrace_clock(clock)
  }

  /// Reads the host's clock. Times before 0 are 0.
  private func readHostClock() -> UInt64 {
    let store = pointee.store.takeUnretainedValue()
    let time = store.customClock?().nanoseconds ?? manualTime
    return UInt64(Swift.max(0, time))
  }
}

extension RecorderClock {
  /// Writes a simultaneous reading of this clock and the wall clock, unless this is the host's own clock.
  func writeAnchor(to start: UnsafeMutableRawPointer) {
    guard let number = systemClock else { return }
    let before = scrolltrace_clock(number)
    let wall = scrolltrace_clock(CLOCK_REALTIME)
    let after = scrolltrace_clock(number)
    func store(_ time: UInt64, _ offset: Int) {
      (start + offset).storeBytes(of: Int64(clamping: time).littleEndian, as: Int64.self)
    }
    store(before + (after - before) / 2, RecordingLayout.Anchor.clock)
    store(wall, RecordingLayout.Anchor.wall)
    store(after - before, RecordingLayout.Anchor.uncertainty)
  }
}

/// Measures how long the machine has slept, with two clocks of which only one advances during
/// sleep.
struct SleepWatch {
  struct Reading {
    /// The clock that stops during sleep, read first.
    var before: UInt64
    /// The clock that advances during sleep.
    var all: UInt64
    /// The clock that stops during sleep, read again.
    var after: UInt64

    static func now() -> Reading {
      #if canImport(Darwin)
        let (awake, all) = (CLOCK_UPTIME_RAW, CLOCK_MONOTONIC_RAW)
      #else
        let (awake, all) = (CLOCK_MONOTONIC, CLOCK_BOOTTIME)
      #endif
      return Reading(
        before: scrolltrace_clock(awake), all: scrolltrace_clock(all),
        after: scrolltrace_clock(awake))
    }
  }

  /// The range of the clocks' difference according to the readings.
  private var minimum: Int64
  private var maximum: Int64

  /// Shorter differences are ignored: a thread can be interrupted between two readings, and no
  /// machine sleeps for less than this.
  private static var shortest: Int64 { 1_000_000 }

  init(_ reading: Reading) {
    minimum = Int64(bitPattern: reading.all &- reading.after)
    maximum = Int64(bitPattern: reading.all &- reading.before)
  }

  /// Returns how long the machine has slept since the last call that returned a value other than 0.
  mutating func sleep(until reading: Reading) -> UInt64 {
    let now = SleepWatch(reading)
    let (slept, overflow) = now.minimum.subtractingReportingOverflow(maximum)
    if !overflow, slept >= Self.shortest {
      self = now
      return UInt64(slept)
    }
    // The difference has not changed, so each reading narrows the range.
    minimum = max(minimum, now.minimum)
    maximum = min(maximum, now.maximum)
    return 0
  }
}

extension RecorderStore {
  /// Returns how long the machine has slept since the last call. Returns 0 if it has not, or if the
  /// host has a clock of its own.
  func newSleep() -> UInt64 { locked { state in state.sleepWatch?.sleep(until: .now()) ?? 0 } }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Records that the machine has slept, if it has.
  func recordSleep() {
    let slept = pointee.control.pointee.store.takeUnretainedValue().newSleep()
    if slept > 0 { writeSleep(slept) }
  }

  func writeSleep(_ duration: UInt64) {
    writeInstant(
      RecordedName(Vocabulary.Machine.sleep), .machine, details: SleepDetails(duration: duration))
  }
}

private struct SleepDetails: EventDetails {
  var duration: UInt64

  var keys: UInt64 { Vocabulary.Key.duration.bit }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.duration, duration)
  }
}
