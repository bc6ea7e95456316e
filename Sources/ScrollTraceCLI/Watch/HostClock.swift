import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The clock that a recording's times are of.
enum HostClock {
  /// The time now on the clock that a file calls `number`; `nil` for a clock of the host's own.
  static func now(_ number: UInt32) -> Timestamp? {
    #if canImport(Darwin)
      let clocks = [1: CLOCK_UPTIME_RAW, 2: CLOCK_MONOTONIC, 3: CLOCK_MONOTONIC_RAW]
    #else
      let clocks = [1: CLOCK_MONOTONIC_RAW, 2: CLOCK_MONOTONIC, 3: CLOCK_BOOTTIME]
    #endif
    guard let clock = clocks[Int(number)] else { return nil }
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : Timestamp(clamping: seconds + Int64(time.tv_nsec))
  }
}
