#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A time or a stretch of time in nanoseconds of the recorder's clock.
public typealias Nanoseconds = Int64

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
  case manual(start: Nanoseconds)

  /// The host's own clock; it must never run backwards. The closure is called for every event.
  case custom(@Sendable () -> Nanoseconds)

  /// The number of the clock in the session blob.
  var profileNumber: UInt32 {
    switch self {
    case .uptime: 1
    case .monotonic: 2
    case .continuous: 3
    case .manual, .custom: 0
    }
  }

  /// The C library's number of the clock; `nil` where the time comes from the host.
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
