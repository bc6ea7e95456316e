internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The scheduler records and the threads' states, until all threads of the file are known.
struct FXTSchedule {
  /// A thread; many records contain its number only.
  private struct Thread: Hashable {
    var process: UInt64?
    var id: UInt64
  }

  /// A slice that the file contains as one event.
  private struct Slice {
    let state: ThreadState
    let thread: UInt32
    let start: Timestamp
    let end: Timestamp
    let core: Int16?
    let waker: Thread?
  }

  private var records = ScheduleRecords()
  private var threads = ScheduleThreads<Thread>()
  private var slices: [Slice] = []
  private var hasTooManySlices = false

  // MARK: - Scheduler records

  /// Reads a scheduler record: a context switch of a core, or a thread that becomes ready.
  mutating func read(
    _ record: FXTRecord, _ parser: inout FXTArgumentParser, _ tables: inout FXTTables,
    _ unread: inout FXTUnreadRecords, _ trace: inout FXTTrace
  ) {
    let type = FXT.SchedulingType(rawValue: record.header.bits(60, 4))
    tables.begin()
    switch type {
    case .legacySwitch: readLegacySwitch(record, &tables, &trace)
    case .contextSwitch: readSwitch(record, &parser, &tables, &trace)
    case .wakeup: readWakeup(record, &parser, &tables, &trace)
    case nil:
      unread.count("scheduling records of the unknown type \(record.header.bits(60, 4))")
    }
  }

  private mutating func readSwitch(
    _ record: FXTRecord, _ parser: inout FXTArgumentParser, _ tables: inout FXTTables,
    _ trace: inout FXTTrace
  ) {
    let header = record.header
    var cursor = 4
    guard record.count >= 4,
      parser.read(Int(header.bits(16, 4)), of: record, from: &cursor, &tables, &trace)
    else { return trace.lose(.malformedRecord, at: record.offset) }
    tables.end(at: record.offset, &trace)
    let (list, vocabulary) = (parser.list, trace.vocabulary)
    add(
      state: header.bits(36, 4), from: number(record[2], list, weight: vocabulary.outgoingWeight),
      to: number(record[3], list, weight: vocabulary.incomingWeight), core: header.bits(20, 16),
      record,
      tables.clock, &trace)
  }

  private mutating func readWakeup(
    _ record: FXTRecord, _ parser: inout FXTArgumentParser, _ tables: inout FXTTables,
    _ trace: inout FXTTrace
  ) {
    let header = record.header
    var cursor = 3
    guard record.count >= 3,
      parser.read(Int(header.bits(16, 4)), of: record, from: &cursor, &tables, &trace)
    else { return trace.lose(.malformedRecord, at: record.offset) }
    tables.end(at: record.offset, &trace)
    guard let time = tables.clock.time(record[1]) else {
      return trace.lose(.timeOutOfRange, at: record.offset)
    }
    guard let core = Self.core(header.bits(20, 16), record, &trace) else { return }
    let thread = number(record[2], [], weight: nil)
    guard thread != ScheduleRecords.nobody else { return }
    records.addWakeup(of: thread, by: ScheduleRecords.running, core: core, at: time)
  }

  /// Reads a context switch in the older form, which refers to threads by index.
  private mutating func readLegacySwitch(
    _ record: FXTRecord, _ tables: inout FXTTables, _ trace: inout FXTTrace
  ) {
    let header = record.header
    var cursor = 2
    guard record.count >= 2,
      let out = legacyThread(
        header.bits(28, 8), priority: header.bits(44, 8), in: record, at: &cursor, &tables, trace),
      let next = legacyThread(
        header.bits(36, 8), priority: header.bits(52, 8), in: record, at: &cursor, &tables, trace)
    else { return trace.lose(.malformedRecord, at: record.offset) }
    tables.end(at: record.offset, &trace)
    add(
      state: header.bits(24, 4), from: out, to: next, core: header.bits(16, 8), record,
      tables.clock, &trace)
  }

  /// Returns the thread of a reference, nobody for an idle core, or `nil` if the record ends first.
  private mutating func legacyThread(
    _ reference: UInt64, priority: UInt64, in record: FXTRecord, at cursor: inout Int,
    _ tables: inout FXTTables, _ trace: borrowing FXTTrace
  ) -> UInt32? {
    guard reference == 0 else {
      guard let thread = tables.threadIfDefined(Int(reference)) else {
        return ScheduleRecords.nobody
      }
      let key = trace.threads.numbers(of: thread)
      return legacyNumber(process: key.process, thread: key.thread, priority)
    }
    guard record.count - cursor >= 2 else { return nil }
    defer { cursor += 2 }
    return legacyNumber(process: record[cursor], thread: record[cursor + 1], priority)
  }

  private mutating func legacyNumber(
    process: UInt64, thread: UInt64, _ priority: UInt64
  ) -> UInt32 {
    // Idle cores run a kernel thread with the lowest priority.
    if process == 0, thread == 0 || priority == 0 { return ScheduleRecords.nobody }
    return number(of: Thread(process: process, id: thread))
  }

  private mutating func add(
    state: UInt64, from thread: UInt32, to next: UInt32, core: UInt64, _ record: FXTRecord,
    _ clock: FXTClock, _ trace: inout FXTTrace
  ) {
    guard let time = clock.time(record[1]) else {
      return trace.lose(.timeOutOfRange, at: record.offset)
    }
    guard let core = Self.core(core, record, &trace) else { return }
    let kind: ScheduleRecords.Kind
    switch state {
    // A thread that is ready again has the state "new".
    case 0, 1: kind = .preemption
    case 2, 3: kind = .wait
    case 4, 5: kind = .end
    default:
      trace.lose(.invalidValue, at: record.offset)
      kind = .end
    }
    records.addSwitch(kind, from: thread, to: next, core: core, at: time)
  }

  private static func core(
    _ number: UInt64, _ record: FXTRecord, _ trace: inout FXTTrace
  ) -> Int16? {
    guard let core = Int16(exactly: number) else {
      trace.lose(.invalidValue, at: record.offset)
      return nil
    }
    return core
  }

  /// Returns the number of the thread `id`, or nobody for an idle thread, which its weight
  /// identifies.
  private mutating func number(
    _ id: UInt64, _ arguments: [Argument], weight key: StringID?
  ) -> UInt32 {
    let idleWeight = Int64(Int32.min)
    let isIdle = arguments.contains { $0.key == key && $0.value == .integer(idleWeight) }
    guard id != 0, !isIdle else { return ScheduleRecords.nobody }
    return number(of: Thread(process: nil, id: id))
  }

  /// Returns the number of a thread in records, assigning one to a new thread.
  private mutating func number(of thread: Thread) -> UInt32 {
    guard !records.isOverLimit else { return ScheduleRecords.nobody }
    let number = threads.number(of: thread)
    if number >= ScheduleRecords.maximumThreadCount { records.giveUp() }
    return number
  }

  // MARK: - States that the host recorded

  /// Adds the state that an instant of `scrolltrace.thread` says.
  mutating func add(_ state: ThreadState, _ event: FXTEvent, _ trace: inout FXTTrace) {
    var (end, core, waker, process) = (Timestamp?.none, Int16?.none, UInt64?.none, UInt64?.none)
    for argument in event.arguments.list {
      switch trace.vocabulary.key(argument.key) {
      case .end: end = event.arguments.time(argument.value, &trace)
      case .core: core = argument.value.unsigned.flatMap(Int16.init(exactly:))
      case .waker: waker = argument.value.unsigned
      case .process: process = argument.value.unsigned
      default: break
      }
    }
    guard let end else { return trace.lose(.invalidValue, at: event.offset) }
    guard end >= event.time else { return trace.lose(.endBeforeBegin, at: event.offset) }
    let threads = trace.threads
    add(
      Slice(
        state: state, thread: event.thread, start: event.time, end: end,
        core: state == .running ? core : nil,
        waker: state == .ready
          ? waker.map { Thread(process: process ?? threads.process(of: event.thread), id: $0) }
          : nil))
  }

  private mutating func add(_ slice: Slice) {
    guard !hasTooManySlices else { return }
    if slices.count < TraceBuilder.threadStateLimit {
      slices.append(slice)
    } else {
      hasTooManySlices = true
      slices = []
    }
  }

  // MARK: - At the end of the file

  /// Adds the thread states, once all threads are known.
  func resolve(_ trace: inout FXTTrace) {
    guard !records.isEmpty || !slices.isEmpty || hasTooManySlices else { return }
    let processes = trace.threads.processes()
    if hasTooManySlices { trace.builder.dropThreadStates() }
    if !records.isOverLimit {
      let tracks = threads.all.map { thread in
        let process = thread.process ?? processes[thread.id] ?? 0
        let index = trace.thread(process: process, thread: thread.id)
        return trace.track(of: index)
      }
      ScheduleReplay.add(records, on: tracks, to: &trace.builder)
    } else {
      trace.builder.dropThreadStates()
    }
    for slice in slices {
      let track = trace.track(of: slice.thread)
      let waker = slice.waker.flatMap { waker in
        trace.threads.known(
          process: waker.process ?? processes[waker.id] ?? 0, thread: waker.id)
      }
      trace.builder.addThreadState(
        slice.state, on: track, from: slice.start, to: slice.end, core: slice.core, waker: waker)
    }
  }

  mutating func forget(before time: Timestamp) {
    records.forget(before: time)
    slices.removeAll { $0.end < time }
  }
}
