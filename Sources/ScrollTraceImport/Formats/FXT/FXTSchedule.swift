internal import ScrollTraceModel

/// The scheduler records, until all threads of the file are known.
struct FXTSchedule {
  /// A thread; many records contain its number only.
  struct Thread: Hashable {
    var process: UInt64?
    var id: UInt64
  }

  /// A slice that the file contains as one event.
  struct Slice {
    let state: ThreadState
    let thread: UInt32
    let start: Timestamp
    let end: Timestamp
    let core: Int16?
    let waker: Thread?
  }

  var records = ScheduleRecords()
  var threads = ScheduleThreads<Thread>()
  private(set) var slices: [Slice] = []
  private(set) var hasTooManySlices = false

  /// A Boolean value indicating whether there is nothing to add.
  var isEmpty: Bool { records.isEmpty && slices.isEmpty && !hasTooManySlices }

  mutating func add(_ slice: Slice) {
    guard !hasTooManySlices else { return }
    if slices.count < TraceBuilder.threadStateLimit {
      slices.append(slice)
    } else {
      hasTooManySlices = true
      slices = []
    }
  }

  /// Forgets everything that ended before `time`.
  mutating func forget(before time: Timestamp) {
    records.forget(before: time)
    slices.removeAll { $0.end < time }
  }

  /// Returns the number of a thread in records, assigning one to a new thread.
  mutating func number(of thread: Thread) -> UInt32 {
    guard !records.isOverLimit else { return ScheduleRecords.nobody }
    let number = threads.number(of: thread)
    if number >= ScheduleRecords.maximumThreadCount { records.giveUp() }
    return number
  }
}
