import ScrollTraceModel

/// The records of a scheduler, in any order: each core writes its own.
struct ScheduleRecords {
  enum Kind: UInt8 {
    /// A thread lost its core although it could have continued.
    case preemption
    /// A thread left its core to sleep or to wait.
    case wait
    /// A thread ended.
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

  /// The maximum number of distinct threads.
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

  /// Adds a wakeup of `thread`, by an event on `core`.
  mutating func addWakeup(
    of thread: UInt32, by waker: UInt32, core: Int16, at time: Timestamp
  ) {
    hasWakeups = true
    add(
      Record(time: time.nanoseconds, thread: thread, other: waker, core: core, kind: .wakeup))
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

  /// Discards the records before `time`.
  mutating func forget(before time: Timestamp) {
    all.removeAll { $0.time < time.nanoseconds }
  }
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
