internal import CRecorderShims
internal import ScrollTraceLayout
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A time or a length of time on the recorder's clock.
package typealias Nanoseconds = Int64

/// The clock a recorder reads.
///
/// Times that the host gives, such as a frame's deadline, must be of the same clock.
public enum RecorderClock: Sendable {
  /// Time since the machine started, not counting sleep, never slewed; the default.
  ///
  /// `CLOCK_MONOTONIC_RAW` on Linux, `CLOCK_UPTIME_RAW` (`mach_absolute_time`) on Apple's systems;
  /// told from the processor's tick counter where the system keeps time by it too.
  case uptime

  /// `CLOCK_MONOTONIC`: for a host whose display times are of that clock, as DRM's and Wayland's are.
  case monotonic

  /// Time since the machine started, sleep counted.
  case continuous

  /// Virtual time that stands where `TraceRecorder.setTime(_:)` puts it.
  case manual(start: Int64)

  /// The host's own clock; it must never run backwards. The closure is called for every event.
  case custom(@Sendable () -> Int64)

  /// The number of the clock in the session blob.
  var profileNumber: UInt32 {
    switch self {
    case .uptime: 1
    case .monotonic: 2
    case .continuous: 3
    case .manual, .custom: 0
    }
  }

  /// The C library's number of the clock, or `nil` if the time comes from the host.
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
  /// The clock, in nanoseconds: one reading of the tick counter, wherever there is one to be read.
  @inline(__always)
  func readClock() -> UInt64 {
    fastTime() ?? readClockAnew()
  }

  /// The clock where this thread's copy of the line reaches; else `nil`.
  @inline(__always)
  func fastTime() -> UInt64? {
    // Read first, so that nothing of the line has to be kept in registers meanwhile.
    let tick = scrolltrace_ticks()
    return pointee.line.time(at: tick)
  }

  /// The clock where this thread's copy of the line has run out, or where there is no counter.
  @inline(never)
  private func readClockAnew() -> UInt64 {
    pointee.control.readClock(&pointee.line)
  }
}

extension UnsafeMutablePointer<ControlBlock> {
  /// The clock, in nanoseconds, for a thread that may have no writer.
  func readClock() -> UInt64 {
    var line = TickCalibration.none
    return readClock(&line)
  }

  /// The clock, in nanoseconds; `line` becomes the one that holds now.
  func readClock(_ line: inout TickCalibration) -> UInt64 {
    guard let clock = pointee.systemClock else { return readHostClock() }
    // In the child of a fork the lock may be held for ever.
    guard pointee.readsTicks, pointee.mode.load(ordering: .relaxed) != RecorderMode.forked else {
      return scrolltrace_clock(clock)
    }
    let store = pointee.store.takeUnretainedValue()
    let (time, current) = store.locked { state in
      let time = state.tickClock?.time(at: scrolltrace_ticks()) { .now(of: clock) }
      return (time, state.tickClock?.scale.line ?? .none)
    }
    line = current
    return time ?? scrolltrace_clock(clock)
  }

  /// The host's clock; times before its zero are zero.
  private func readHostClock() -> UInt64 {
    let store = pointee.store.takeUnretainedValue()
    let time = store.customClock?() ?? pointee.manualTime.load(ordering: .relaxed)
    return UInt64(Swift.max(0, time))
  }
}

extension ClockAnchor {
  /// The system's clocks read now; `nil` for a clock of the host's own.
  static func now(of clock: RecorderClock) -> ClockAnchor? {
    guard let number = clock.systemClock else { return nil }
    let before = scrolltrace_clock(number)
    let wall = scrolltrace_clock(CLOCK_REALTIME)
    let after = scrolltrace_clock(number)
    return ClockAnchor(
      clock: Int64(clamping: before + (after - before) / 2), wall: Int64(clamping: wall),
      uncertainty: Int64(clamping: after - before))
  }

  /// Writes the anchor into a session blob.
  func write(to start: UnsafeMutableRawPointer) {
    typealias Anchor = RecordingLayout.Anchor
    (start + Anchor.clock).storeBytes(of: clock.littleEndian, as: Int64.self)
    (start + Anchor.wall).storeBytes(of: wall.littleEndian, as: Int64.self)
    (start + Anchor.uncertainty).storeBytes(of: uncertainty.littleEndian, as: Int64.self)
  }
}
