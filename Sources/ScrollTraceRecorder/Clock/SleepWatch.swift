internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
  func newSleep() -> UInt64 {
    locked { state in state.sleepWatch?.sleep(until: .now()) ?? 0 }
  }
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
