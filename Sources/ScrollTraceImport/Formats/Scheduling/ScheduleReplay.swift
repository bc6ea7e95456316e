import ScrollTraceModel

/// Replays scheduler records in order of time, and adds each thread's states.
///
/// A thread is *running* from the switch to it until the switch away from it. Then it is *ready* if
/// it lost its core, or *blocked* until something wakes it, and *ready* until it gets a core. Time
/// that contradictory records leave open is unknown and gets no slice.
struct ScheduleReplay {
  private struct Thread {
    var state: ThreadState?
    var since: Int64 = 0
    var core: Int16 = -1
    var waker = ScheduleRecords.nobody
    /// Whether nothing interrupts the wait that the thread is in.
    var isUninterruptible = false
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

  static func add(
    _ records: ScheduleRecords, on tracks: [TrackID], to builder: inout TraceBuilder
  ) {
    guard !records.isOverLimit else { return builder.dropThreadStates() }
    guard !records.all.isEmpty else { return }
    if !records.hasWakeups {
      builder.addNotice(
        "the trace has switches between threads and no wakeups: how long a thread waited for a"
          + " core after it was blocked is unknown")
    }
    var replay = ScheduleReplay(tracks, hasWakeups: records.hasWakeups)
    let sorted = records.all.stablySorted { $0.time }
    for record in sorted { replay.follow(record, &builder) }
    // The threads' states last until the last record of all.
    guard let last = sorted.last else { return }
    for thread in replay.threads.indices {
      replay.end(UInt32(truncatingIfNeeded: thread), at: last.time, &builder)
    }
  }

  private mutating func follow(_ record: ScheduleRecords.Record, _ builder: inout TraceBuilder) {
    guard record.core >= 0 else { return wake(record, on: nil, &builder) }
    let core = Int(record.core)
    while cores.count <= core { cores.append(Core()) }
    switch record.kind {
    case .preemption, .wait, .uninterruptibleWait, .end:
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
      switch record.kind {
      case .preemption: .ready
      case .wait, .uninterruptibleWait: .blocked
      case .end, .wakeup, .gap: nil
      }
    threads[Int(record.thread)] = Thread(
      state: state, since: record.time, isUninterruptible: record.kind == .uninterruptibleWait)
  }

  /// Starts the slice of the thread that got the core.
  private mutating func enter(
    _ record: ScheduleRecords.Record, _ core: Int, _ builder: inout TraceBuilder
  ) {
    guard known(record.other) else { return }
    // A thread that migrates can start on one core before it is known to have left the other one.
    end(record.other, at: record.time, &builder)
    release(record.other, except: core)
    threads[Int(record.other)] = Thread(state: .running, since: record.time, core: record.core)
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

  private mutating func end(_ thread: UInt32, at time: Int64, _ builder: inout TraceBuilder) {
    let current = threads[Int(thread)]
    guard let state = current.state, time > current.since else { return }
    // Without wakeups the time it became ready is unknown.
    guard state != .blocked || hasWakeups else { return }
    builder.addThreadState(
      state, on: tracks[Int(thread)], from: Timestamp(clamping: current.since),
      to: Timestamp(clamping: time), core: state == .running ? current.core : nil,
      waker: state == .ready && known(current.waker) ? tracks[Int(current.waker)] : nil,
      isUninterruptible: current.isUninterruptible)
  }
}

/// The records of a scheduler, in any order: each core writes its own.
struct ScheduleRecords {
  enum Kind: UInt8 {
    /// A thread lost its core although it could have continued.
    case preemption
    /// A thread left its core to sleep or to wait.
    case wait
    /// A thread left its core for a wait that nothing interrupts, as that for a disk.
    case uninterruptibleWait
    case end
    /// A thread became ready.
    case wakeup
    /// Records of the core are missing before this instant.
    case gap
  }

  /// One record, kept small because traces contain millions.
  struct Record {
    let time: Int64
    /// The thread that lost the core, or that became ready.
    let thread: UInt32
    /// The thread that got the core, or that woke the other one.
    let other: UInt32
    let core: Int16
    let kind: Kind
  }

  /// No thread: an idle core, or an unknown thread.
  static let nobody = UInt32.max

  /// The thread that runs on the core of the record.
  static let running = UInt32.max - 1

  static let maximumThreadCount = 1 << 17

  private(set) var all: [Record] = []
  /// Whether there are more records or threads than are read.
  private(set) var isOverLimit = false
  private(set) var hasWakeups = false

  /// Whether there is nothing to read.
  var isEmpty: Bool { all.isEmpty && !isOverLimit }

  /// Adds a context switch of `core` from one thread to another.
  mutating func addSwitch(
    _ kind: Kind, from thread: UInt32, to next: UInt32, core: Int16, at time: Timestamp
  ) {
    add(
      Record(time: time.nanoseconds, thread: thread, other: next, core: core, kind: kind))
  }

  mutating func addWakeup(of thread: UInt32, by waker: UInt32, core: Int16, at time: Timestamp) {
    hasWakeups = true
    add(Record(time: time.nanoseconds, thread: thread, other: waker, core: core, kind: .wakeup))
  }

  /// Marks records of `core` before `time` as missing.
  mutating func addGap(core: Int16, before time: Timestamp) {
    add(
      Record(
        time: time.nanoseconds, thread: Self.nobody, other: Self.nobody, core: core, kind: .gap))
  }

  private mutating func add(_ record: Record) {
    guard !isOverLimit else { return }
    guard all.count < TraceBuilder.threadStateLimit else { return giveUp() }
    all.append(record)
  }

  /// Discards all records and accepts no more.
  mutating func giveUp() {
    isOverLimit = true
    all = []
  }

  mutating func forget(before time: Timestamp) { all.removeAll { $0.time < time.nanoseconds } }
}

/// The threads of a schedule, numbered in order of appearance.
struct ScheduleThreads<Key: Hashable> {
  private(set) var all: [Key] = []
  private var numbers: [Key: UInt32] = [:]

  /// Returns the number of a thread, assigning one to a new thread.
  mutating func number(of key: Key) -> UInt32 {
    if let known = numbers[key] { return known }
    let number = UInt32(truncatingIfNeeded: all.count)
    numbers[key] = number
    all.append(key)
    return number
  }
}

/// Keeps as many samples of a thread's CPU time as windows of milliseconds need: sources record one
/// at each start and end of the shortest span.
struct ThreadTimeThinning {
  /// The time within which at most two samples are kept, in nanoseconds.
  static let spacing: Int64 = 100_000

  private struct Thread {
    var track: TrackID?
    var latest = Int64.min
    /// The latest omitted sample: the next one can be far away.
    var pending: (time: Int64, cpu: Int64)?
  }

  private var threads: [Thread] = []

  /// Adds a sample, which must not be negative; samples in order of time that are close to others
  /// are omitted.
  mutating func add(
    _ cpu: Int64, on track: TrackID, at time: Timestamp, to builder: inout TraceBuilder
  ) {
    while threads.count <= track.index { threads.append(Thread()) }
    let position = track.index
    let latest = threads[position].latest
    guard time.nanoseconds >= latest, latest > .min else {
      threads[position].track = track
      threads[position].latest = max(latest, time.nanoseconds)
      return builder.addThreadTime(cpu: cpu, on: track, at: time)
    }
    guard time.nanoseconds - latest >= Self.spacing else {
      threads[position].pending = (time.nanoseconds, cpu)
      return
    }
    flush(position, to: &builder)
    threads[position].latest = time.nanoseconds
    builder.addThreadTime(cpu: cpu, on: track, at: time)
  }

  /// Adds the last sample of each thread.
  mutating func finish(in builder: inout TraceBuilder) {
    for position in threads.indices { flush(position, to: &builder) }
  }

  private mutating func flush(_ position: Int, to builder: inout TraceBuilder) {
    guard let pending = threads[position].pending, let track = threads[position].track else {
      return
    }
    threads[position].pending = nil
    builder.addThreadTime(cpu: pending.cpu, on: track, at: Timestamp(clamping: pending.time))
  }
}
