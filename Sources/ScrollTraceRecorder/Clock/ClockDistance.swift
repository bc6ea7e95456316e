internal import CRecorderShims
internal import ScrollTracePlatform

/// How far a time of the display is from the recorder's clock, if it cannot be on that clock.
struct ClockDistance {
  /// The distance in nanoseconds: more than 0 is ahead.
  private let distance: Int64
  private let time: Int64

  /// The largest distance of a time on the same clock: one second.
  private static var largest: UInt64 { 1_000_000_000 }

  /// Returns `nil` if the time can be on the clock.
  init?(from now: Int64, to time: Int64) {
    let (difference, overflow) = time.subtractingReportingOverflow(now)
    distance = overflow ? (time < 0 ? .min : .max) : difference
    guard distance.magnitude > Self.largest else { return nil }
    self.time = time
  }

  var text: String {
    let tenths = distance.magnitude / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s \(distance < 0 ? "behind" : "ahead of")"
  }

  /// The likely cause and what to do, after the name of the recorder's clock.
  var cause: String {
    for unit in Self.units {
      let (nanoseconds, overflow) = time.multipliedReportingOverflow(by: unit.length)
      guard !overflow, let clock = Self.clock(near: nanoseconds) else { continue }
      if let name = unit.name { return "; it seems to be in \(name) of \(clock): give nanoseconds" }
      return "; it seems to be on \(clock): \(Self.advice)"
    }
    return "; \(Self.advice)"
  }

  private static var advice: String {
    "record with the display's clock, or give nanoseconds on the recording's"
  }

  private static var units: [(name: String?, length: Int64)] {
    [(nil, 1), ("microseconds", 1_000), ("milliseconds", 1_000_000), ("seconds", 1_000_000_000)]
  }

  /// The name of the system's clock that is nearest to a time, if any is near.
  private static func clock(near time: Int64) -> String? {
    func distance(_ clock: clockid_t) -> UInt64 {
      let (difference, overflow) = time.subtractingReportingOverflow(
        Int64(clamping: scrolltrace_clock(clock)))
      return overflow ? .max : difference.magnitude
    }
    let nearest = SystemClock.all.map { ($0.name, distance($0.id)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= largest else { return nil }
    return nearest.0
  }
}

private enum SystemClock {
  static var all: [(name: String, id: clockid_t)] {
    #if canImport(Darwin)
      [
        ("CLOCK_UPTIME_RAW", CLOCK_UPTIME_RAW), ("CLOCK_MONOTONIC", CLOCK_MONOTONIC),
        ("CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW), ("CLOCK_REALTIME", CLOCK_REALTIME),
      ]
    #else
      [
        ("CLOCK_MONOTONIC", CLOCK_MONOTONIC), ("CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW),
        ("CLOCK_BOOTTIME", CLOCK_BOOTTIME), ("CLOCK_REALTIME", CLOCK_REALTIME),
      ]
    #endif
  }
}

extension RecorderClock {
  /// The name of the C library's clock, or an empty string if the time comes from the host.
  var systemName: String { SystemClock.all.first { $0.id == systemClock }?.name ?? "" }
}
