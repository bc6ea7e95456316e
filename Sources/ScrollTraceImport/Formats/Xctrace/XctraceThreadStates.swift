import ScrollTraceModel

extension XctraceCollector {
  /// Adds what the scheduler did with a thread. Rows of cores without a thread and of other states are
  /// counted as unused.
  mutating func addState(
    _ row: [XctraceValue], _ start: Timestamp, _ values: XctraceValues,
    to builder: inout TraceBuilder
  ) {
    guard let length = length(of: row, in: &builder) else { return }
    guard let state = ThreadState(xctrace: values.text(of: row[XctraceColumn.state.rawValue])),
      let track = track(of: row, values, in: &builder)
    else { return countUnusedRow() }
    let core = row[XctraceColumn.core.rawValue].integer.flatMap {
      $0 < 0 ? nil : Int16(exactly: $0)
    }
    let waker = row[XctraceColumn.waker.rawValue]
    builder.addThreadState(
      state, on: track, from: start, to: start + length, core: state == .running ? core : nil,
      waker: state == .ready ? self.track(waker, of: waker.process, values, in: &builder) : nil)
  }
}

extension ThreadState {
  /// Creates the state of Apple's name, or returns `nil` for those that say neither where the thread was
  /// nor why: `Idle`, `Terminated`, `Throttled` and `Unknown`.
  fileprivate init?(xctrace name: ArraySlice<UInt8>) {
    if name.matches("Running") {
      self = .running
    } else if name.matches("Blocked") {
      self = .blocked
    } else if name.matches("Runnable") || name.matches("Preempted") || name.matches("Interrupted") {
      // While an interrupt is handled, the thread could go on and does not.
      self = .ready
    } else {
      return nil
    }
  }
}
