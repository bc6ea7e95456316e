import ScrollTraceModel

/// Replays scheduler records in order of time, and adds each thread's states.
///
/// A thread is *running* from the switch to it until the switch away from it. Then it is *ready* if
/// it lost its core, or *blocked* until something wakes it, and *ready* until it gets a core. Time
/// that contradictory records leave open is unknown and gets no slice.
struct ScheduleReplay {
  private struct Thread {
    /// The thread's state, or `nil` if unknown.
    var state: ThreadState?
    var since: Int64 = 0
    var core: Int16 = -1
    var waker = ScheduleRecords.nobody
  }

  private struct Core {
    var running = ScheduleRecords.nobody
    /// The time of the core's latest record.
    var latest: Int64 = 0
  }

  private let tracks: [TrackID]
  private let hasWakeups: Bool
  private var threads: [Thread]
  private var cores: [Core] = []

  private init(_ tracks: [TrackID], hasWakeups: Bool) {
    self.tracks = tracks
    self.hasWakeups = hasWakeups
    threads = Array(repeating: Thread(), count: tracks.count)
  }

  /// Adds the states in `records` to the threads with the tracks `tracks`.
  static func add(
    _ records: ScheduleRecords, on tracks: [TrackID], to builder: inout TraceBuilder
  ) {
    guard !records.isOverLimit else { return builder.dropThreadStates() }
    guard !records.all.isEmpty else { return }
    if !records.hasWakeups {
      builder.addNotice(
        .source(
          "the trace has switches between threads and no wakeups: how long a thread waited for a"
            + " core after it was blocked is unknown"))
    }
    var replay = ScheduleReplay(tracks, hasWakeups: records.hasWakeups)
    let sorted = records.all.stablySorted { $0.time }
    for record in sorted { replay.follow(record, &builder) }
    if let last = sorted.last { replay.finish(at: last.time, &builder) }
  }

  private mutating func follow(
    _ record: ScheduleRecords.Record, _ builder: inout TraceBuilder
  ) {
    guard record.core >= 0 else { return wake(record, on: nil, &builder) }
    let core = Int(record.core)
    while cores.count <= core { cores.append(Core()) }
    switch record.kind {
    case .preemption, .wait, .end:
      leave(record, core, &builder)
      enter(record, core, &builder)
    case .wakeup: wake(record, on: core, &builder)
    case .gap:
      let running = cores[core].running
      if known(running) {
        end(running, at: cores[core].latest, &builder)
        threads[Int(running)].state = nil
      }
      cores[core].running = ScheduleRecords.nobody
    }
    cores[core].latest = record.time
  }

  private func known(_ thread: UInt32) -> Bool { Int(thread) < threads.count }

  /// Ends the slice of the thread that had the core.
  private mutating func leave(
    _ record: ScheduleRecords.Record, _ core: Int, _ builder: inout TraceBuilder
  ) {
    let running = cores[core].running
    if running != record.thread, known(running) {
      // The switch away from this thread is missing.
      threads[Int(running)].state = nil
    }
    cores[core].running = ScheduleRecords.nobody
    guard known(record.thread) else { return }
    if running == record.thread { end(record.thread, at: record.time, &builder) }
    release(record.thread, except: core)
    let state: ThreadState? =
      record.kind == .preemption ? .ready : record.kind == .wait ? .blocked : nil
    threads[Int(record.thread)] = Thread(state: state, since: record.time)
  }

  /// Starts the slice of the thread that got the core.
  private mutating func enter(
    _ record: ScheduleRecords.Record, _ core: Int, _ builder: inout TraceBuilder
  ) {
    guard known(record.other) else { return }
    // A thread that migrates can start on one core before it is known to have left the other one.
    end(record.other, at: record.time, &builder)
    release(record.other, except: core)
    threads[Int(record.other)] = Thread(
      state: .running, since: record.time, core: record.core)
    cores[core].running = record.other
  }

  /// Releases the core on which the thread was assumed to run.
  private mutating func release(_ thread: UInt32, except core: Int) {
    let other = Int(threads[Int(thread)].core)
    guard other >= 0, other != core, other < cores.count, cores[other].running == thread else {
      return
    }
    cores[other].running = ScheduleRecords.nobody
  }

  private mutating func wake(
    _ record: ScheduleRecords.Record, on core: Int?, _ builder: inout TraceBuilder
  ) {
    guard record.kind == .wakeup, known(record.thread) else { return }
    let state = threads[Int(record.thread)].state
    guard state == .blocked || state == nil else { return }
    end(record.thread, at: record.time, &builder)
    var waker = record.other
    if waker == ScheduleRecords.running {
      waker = core.map { cores[$0].running } ?? ScheduleRecords.nobody
    }
    threads[Int(record.thread)] = Thread(
      state: .ready, since: record.time,
      waker: waker == record.thread ? ScheduleRecords.nobody : waker)
  }

  private mutating func end(
    _ thread: UInt32, at time: Int64, _ builder: inout TraceBuilder
  ) {
    let current = threads[Int(thread)]
    guard let state = current.state, time > current.since else { return }
    // Without wakeups the time it became ready is unknown.
    guard state != .blocked || hasWakeups else { return }
    builder.addThreadState(
      state, on: tracks[Int(thread)], from: Timestamp(clamping: current.since),
      to: Timestamp(clamping: time), core: state == .running ? current.core : nil,
      waker: state == .ready && known(current.waker) ? tracks[Int(current.waker)] : nil)
  }

  /// Adds the threads' states until the last record of all.
  private mutating func finish(at time: Int64, _ builder: inout TraceBuilder) {
    for thread in threads.indices {
      end(UInt32(truncatingIfNeeded: thread), at: time, &builder)
    }
  }
}
