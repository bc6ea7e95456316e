internal import CRecorderShims
internal import Synchronization

extension UnsafeMutablePointer<ThreadWriter> {
  /// The clock, in nanoseconds: one reading of the tick counter, wherever there is one to be read.
  @inline(__always)
  func readClock() -> UInt64 {
    quickTime() ?? readClockAnew()
  }

  /// The clock where this thread's copy of the line reaches; else `nil`.
  @inline(__always)
  func quickTime() -> UInt64? {
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
    var line = TickLine.none
    return readClock(&line)
  }

  /// The clock, in nanoseconds; `line` becomes the one that holds now.
  func readClock(_ line: inout TickLine) -> UInt64 {
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
