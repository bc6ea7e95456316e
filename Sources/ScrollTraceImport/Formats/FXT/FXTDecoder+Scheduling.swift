internal import ScrollTraceLayout
internal import ScrollTraceModel

/// Scheduler records: context switches of a core, and threads that become ready.
extension FXTDecoder {
  /// Reads a scheduler record.
  mutating func readScheduling(_ record: FXTRecord) {
    switch FXT.SchedulingType(rawValue: record.header.bits(60, 4)) {
    case .legacySwitch: readLegacySwitch(record)
    case .contextSwitch: readSwitch(record)
    case .wakeup: readWakeup(record)
    case nil:
      unread.count("scheduling records of the unknown type \(record.header.bits(60, 4))")
    }
  }

  private mutating func readSwitch(_ record: FXTRecord) {
    let header = record.header
    var cursor = 4
    guard record.count >= 4, readWeights(Int(header.bits(16, 4)), of: record, from: &cursor) else {
      return lose(.malformedRecord, at: record.offset)
    }
    add(
      state: header.bits(36, 4), from: number(record[2], weight: keys.outgoingWeight),
      to: number(record[3], weight: keys.incomingWeight), core: header.bits(20, 16), record)
  }

  private mutating func readWakeup(_ record: FXTRecord) {
    let header = record.header
    var cursor = 3
    guard record.count >= 3, readWeights(Int(header.bits(16, 4)), of: record, from: &cursor) else {
      return lose(.malformedRecord, at: record.offset)
    }
    guard let time = time(record[1]) else { return lose(.timeOutOfRange, at: record.offset) }
    guard let core = core(header.bits(20, 16), record) else { return }
    let thread = number(record[2], weight: nil)
    guard thread != ScheduleRecords.nobody else { return }
    schedule.records.addWakeup(of: thread, by: ScheduleRecords.running, core: core, at: time)
  }

  /// Reads a context switch in the older form, which refers to threads by index.
  private mutating func readLegacySwitch(_ record: FXTRecord) {
    let header = record.header
    var cursor = 2
    hasUndefinedReference = false
    guard record.count >= 2,
      let out = legacyThread(
        header.bits(28, 8), priority: header.bits(44, 8), in: record, at: &cursor),
      let next = legacyThread(
        header.bits(36, 8), priority: header.bits(52, 8), in: record, at: &cursor)
    else { return lose(.malformedRecord, at: record.offset) }
    if hasUndefinedReference { lose(.undefinedReference, at: record.offset) }
    add(state: header.bits(24, 4), from: out, to: next, core: header.bits(16, 8), record)
  }

  /// Returns the thread of a reference, nobody for an idle core, or `nil` if the record ends first.
  private mutating func legacyThread(
    _ reference: UInt64, priority: UInt64, in record: FXTRecord, at cursor: inout Int
  ) -> UInt32? {
    guard reference == 0 else {
      guard let thread = references.thread(Int(reference)) else {
        hasUndefinedReference = true
        return ScheduleRecords.nobody
      }
      let key = threads.numbers(of: thread)
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
    return schedule.number(of: FXTSchedule.Thread(process: process, id: thread))
  }

  private mutating func add(
    state: UInt64, from thread: UInt32, to next: UInt32, core: UInt64, _ record: FXTRecord
  ) {
    guard let time = time(record[1]) else { return lose(.timeOutOfRange, at: record.offset) }
    guard let core = self.core(core, record) else { return }
    let kind: ScheduleRecords.Kind
    switch state {
    // A thread that is ready again has the state "new".
    case 0, 1: kind = .preemption
    case 2, 3: kind = .wait
    case 4, 5: kind = .end
    default:
      lose(.invalidValue, at: record.offset)
      kind = .end
    }
    schedule.records.addSwitch(kind, from: thread, to: next, core: core, at: time)
  }

  private mutating func core(_ number: UInt64, _ record: FXTRecord) -> Int16? {
    guard let core = Int16(exactly: number) else {
      lose(.invalidValue, at: record.offset)
      return nil
    }
    return core
  }

  /// Returns the number of the thread `id`, or nobody for an idle thread, which its weight
  /// identifies.
  private mutating func number(_ id: UInt64, weight key: StringID?) -> UInt32 {
    let idleWeight = Int64(Int32.min)
    let isIdle = arguments.contains { $0.key == key && $0.value == .integer(idleWeight) }
    guard id != 0, !isIdle else { return ScheduleRecords.nobody }
    return schedule.number(of: FXTSchedule.Thread(process: nil, id: id))
  }

  private mutating func readWeights(
    _ count: Int, of record: FXTRecord, from cursor: inout Int
  ) -> Bool {
    hasUndefinedReference = false
    guard readArguments(count, of: record, from: &cursor) else { return false }
    if hasUndefinedReference { lose(.undefinedReference, at: record.offset) }
    return true
  }

  // MARK: - Threads

  /// Adds the thread states, once all threads are known.
  mutating func resolveSchedule() {
    guard !schedule.isEmpty else { return }
    let processes = threads.processes()
    if schedule.hasTooManySlices { builder.dropThreadStates() }
    if !schedule.records.isOverLimit {
      let tracks = schedule.threads.all.map { thread in
        let process = thread.process ?? processes[thread.id] ?? 0
        let index = threads.index(process: process, thread: thread.id, in: &builder)
        return threads.tracks[Int(index)]
      }
      ScheduleReplay.add(schedule.records, on: tracks, to: &builder)
    } else {
      builder.dropThreadStates()
    }
    for slice in schedule.slices {
      let track = threads.track(of: slice.thread)
      let waker = slice.waker.flatMap { waker in
        threads.known(process: waker.process ?? processes[waker.id] ?? 0, thread: waker.id)
      }
      builder.addThreadState(
        slice.state, on: track, from: slice.start, to: slice.end, core: slice.core, waker: waker)
    }
  }
}

/// Thread times that the host itself recorded.
extension FXTDecoder {
  /// Reads an instant of `scrolltrace.thread`; one with an unknown name is a mark.
  mutating func readThreadInstant(_ event: FXTEvent) {
    typealias Word = Vocabulary.Thread
    let state: ThreadState
    switch text(of: labelNames[event.label.id] ?? .empty) {
    case Word.time.description:
      return addThreadTime(arguments[...], of: event.thread, at: event.time, event.offset)
    case Word.running.description: state = .running
    case Word.ready.description: state = .ready
    case Word.blocked.description: state = .blocked
    default:
      builder.extend(to: event.time)
      return addMark(event)
    }
    var (end, core, waker, process) = (Timestamp?.none, Int16?.none, UInt64?.none, UInt64?.none)
    for argument in arguments {
      switch argument.key {
      case keys.end: end = time(of: argument.value, at: event.offset)
      case keys.core: core = argument.value.unsigned.flatMap(Int16.init(exactly:))
      case keys.waker: waker = argument.value.unsigned
      case keys.process: process = argument.value.unsigned
      default: break
      }
    }
    guard let end else { return lose(.invalidValue, at: event.offset) }
    guard end >= event.time else { return lose(.endBeforeBegin, at: event.offset) }
    schedule.add(
      FXTSchedule.Slice(
        state: state, thread: event.thread, start: event.time, end: end,
        core: state == .running ? core : nil,
        waker: state == .ready
          ? waker.map {
            FXTSchedule.Thread(process: process ?? threads.process(of: event.thread), id: $0)
          } : nil))
  }

  /// Adds the system's counts for `thread` at `time`, if `list` contains any.
  mutating func addThreadTime(
    _ list: ArraySlice<Argument>, of thread: UInt32, at time: Timestamp, _ offset: UInt64
  ) {
    var sample = ThreadTimeSample()
    for argument in list {
      switch argument.key {
      case keys.cpu: sample.cpu = count(argument, offset)
      case keys.ready: sample.ready = count(argument, offset)
      case keys.preemptions: sample.preemptions = count(argument, offset)
      case keys.waits: sample.waits = count(argument, offset)
      case keys.faults: sample.faults = count(argument, offset)
      case keys.diskFaults: sample.diskFaults = count(argument, offset)
      default: break
      }
    }
    guard !sample.isEmpty else { return }
    profile.readingCount &+= 1
    if profile.chunk?.isMain == true { profile.mainReadingCount &+= 1 }
    builder.addThreadTime(sample, on: threads.track(of: thread), at: time)
  }

  private mutating func count(_ argument: Argument, _ offset: UInt64) -> Int64? {
    guard let count = argument.value.unsigned.flatMap({ Int64(exactly: $0) }) else {
      lose(.invalidValue, at: offset)
      return nil
    }
    return count
  }
}
