internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How long the machine has slept, told from two clocks of which one goes on meanwhile.
struct SleepWatch {
  /// Both clocks, read at one moment.
  struct Reading {
    /// The clock that stands during sleep, before the other was read.
    var before: UInt64
    /// The clock that goes on.
    var all: UInt64
    /// The clock that stands, afterwards.
    var after: UInt64

    /// Both now.
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

  /// The least and the most by which the clocks can differ, as far as readings tell.
  private var least: Int64
  private var most: Int64

  /// No machine sleeps less than this, while a thread can be held up between two readings.
  private static var shortest: Int64 { 1_000_000 }

  /// Begins at `reading`.
  init(_ reading: Reading) {
    least = Int64(bitPattern: reading.all &- reading.after)
    most = Int64(bitPattern: reading.all &- reading.before)
  }

  /// How long the machine has slept since the last time that this said so; 0 it has not.
  mutating func sleep(until reading: Reading) -> UInt64 {
    let now = SleepWatch(reading)
    let (slept, overflow) = now.least.subtractingReportingOverflow(most)
    if !overflow, slept >= Self.shortest {
      self = now
      return UInt64(slept)
    }
    // The difference has not changed, so each reading narrows it.
    least = max(least, now.least)
    most = min(most, now.most)
    return 0
  }
}

extension RecorderStore {
  /// How long the machine has slept since this was asked last; 0 it has not, or the host has a clock
  /// of its own.
  func newSleep() -> UInt64 {
    locked { state in state.sleepWatch?.sleep(until: .now()) ?? 0 }
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Records that the machine has slept, if it has.
  func noteSleep() {
    let slept = pointee.control.pointee.store.takeUnretainedValue().newSleep()
    if slept > 0 { writeSleep(slept) }
  }

  /// Records that the machine has slept for `duration` nanoseconds.
  func writeSleep(_ duration: UInt64) {
    writeInstant("sleep", .machine, details: SleepDetails(duration: duration))
  }
}

/// How long the machine has slept.
private struct SleepDetails: EventDetails {
  var duration: UInt64

  var keys: UInt64 { ArgumentKey.duration.bit }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.duration, duration)
  }
}
