import ScrollTraceModel

/// A bundle of events of one core's trace buffer: lines of libraries and apps, and scheduler events.
struct PerfettoKernelBundle {
  /// The core of the buffer, or `nil` if its number is invalid.
  private var core: Int16? = 0
  /// The offset of the events' times in nanoseconds, or `nil` if unknown.
  private let shift: Int64?
  /// Whether records before the next event are missing.
  private var followsLoss = false
  private let bytes: UnsafeRawBufferPointer

  init?(_ bytes: UnsafeRawBufferPointer, in builder: inout TraceBuilder) {
    self.bytes = bytes
    var (clock, kernelTime, bootTime) = (UInt64(0), Int64?.none, Int64?.none)
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): core = PerfettoSchedule.core(fields.value)
      case (3, false):
        if fields.value != 0 {
          followsLoss = true
          builder.countLoss(.sourceDroppedRecords)
        }
      case (5, false): clock = fields.value
      case (6, false): kernelTime = fields.signed
      case (7, false): bootTime = fields.signed
      default: break
      }
    }
    guard !fields.isDamaged else { return nil }
    shift = clock == 0 ? 0 : bootTime.flatMap { boot in kernelTime.map { boot &- $0 } }
  }

  /// Adds the events to `work`; returns `false` if some are damaged.
  mutating func addEvents(
    to work: inout PerfettoWork, _ clocks: inout PerfettoClocks, in builder: inout TraceBuilder
  ) -> Bool {
    var isWhole = true
    var fields = WireFields(bytes)
    while fields.next() {
      guard fields.isBytes else { continue }
      switch fields.number {
      case 2: isWhole = read(fields.bytes, &work, &clocks, in: &builder) && isWhole
      case 4: isWhole = readCompact(fields.bytes, &work, &clocks, in: &builder) && isWhole
      default: break
      }
    }
    return isWhole
  }

  private mutating func read(
    _ event: UnsafeRawBufferPointer, _ work: inout PerfettoWork, _ clocks: inout PerfettoClocks,
    in builder: inout TraceBuilder
  ) -> Bool {
    var (time, thread, flags) = (UInt64(0), UInt64(0), UInt64(0))
    var content: (number: UInt32, bytes: UnsafeRawBufferPointer)?
    var fields = WireFields(event)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): time = fields.value
      case (2, false): thread = PerfettoProcesses.processNumber(fields.value)
      case (5, false): flags = fields.value
      case (3, true), (4, true), (17, true), (20, true), (114, true), (235, true), (236, true):
        content = (fields.number, fields.bytes)
      default: break
      }
    }
    guard !fields.isDamaged else { return false }
    // Other kinds of events are ignored.
    guard let content else { return true }
    var line: UnsafeRawBufferPointer?
    if content.number == 3 {
      var print = WireFields(content.bytes)
      while print.next() { if print.number == 2, print.isBytes { line = print.bytes } }
      if print.isDamaged { return false }
      if line == nil { return true }
    }
    guard let instant = self.instant(time, &clocks) else {
      builder.countLoss(.timeOutOfRange)
      return true
    }
    if let line {
      if work.addLine(line, at: instant, of: thread, in: &builder) { builder.extend(to: instant) }
      return true
    }
    addGap(before: instant, in: &work)
    switch content.number {
    case 4: return readSwitch(content.bytes, &work, at: instant, in: &builder)
    case 17, 20, 114:
      return readWakeup(
        content.bytes, &work, by: Self.isInterrupt(flags) ? 0 : thread, at: instant, in: &builder)
    case 235: return readNewTask(content.bytes, &work, by: thread, at: instant, in: &builder)
    default: return Self.readRename(content.bytes, &work)
    }
  }

  /// Returns whether the flags of an event indicate an interrupt, which no thread causes.
  private static func isInterrupt(_ flags: UInt64) -> Bool { flags & 0x18 != 0 }

  /// Returns the time of an event of the bundle, or `nil` if it cannot be known.
  private func instant(_ time: UInt64, _ clocks: inout PerfettoClocks) -> Timestamp? {
    guard let shift, let sum = Int64(exactly: time)?.plus(shift), let boot = UInt64(exactly: sum)
    else { return nil }
    return clocks.traceTime(boot, clock: nil, sequence: 0).flatMap(Timestamp.init(nanoseconds:))
  }

  private mutating func addGap(before time: Timestamp, in work: inout PerfettoWork) {
    guard followsLoss, let core else { return }
    followsLoss = false
    work.schedule.addGap(core: core, before: time)
  }

  // MARK: - The scheduler

  private func readSwitch(
    _ bytes: UnsafeRawBufferPointer, _ work: inout PerfettoWork, at time: Timestamp,
    in builder: inout TraceBuilder
  ) -> Bool {
    var (previous, state, next) = (UInt64(0), UInt64(0), UInt64(0))
    var (previousName, nextName) = (UnsafeRawBufferPointer?.none, UnsafeRawBufferPointer?.none)
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, true): previousName = fields.bytes
      case (2, false): previous = PerfettoProcesses.processNumber(fields.value)
      case (4, false): state = fields.value
      case (5, true): nextName = fields.bytes
      case (6, false): next = PerfettoProcesses.processNumber(fields.value)
      default: break
      }
    }
    guard !fields.isDamaged else { return false }
    guard let core, let out = work.schedule.number(of: previous, name: previousName),
      let other = work.schedule.number(of: next, name: nextName)
    else {
      builder.countLoss(.invalidValue)
      return true
    }
    work.schedule.addSwitch(from: out, state: state, to: other, core: core, at: time)
    return true
  }

  private func readWakeup(
    _ bytes: UnsafeRawBufferPointer, _ work: inout PerfettoWork, by waker: UInt64,
    at time: Timestamp, in builder: inout TraceBuilder
  ) -> Bool {
    guard let task = EventThread(bytes, thread: 2, name: 1) else { return false }
    work.schedule.addWakeup(
      ofThread: task.thread, task.name, byThread: waker, core: core, at: time, in: &builder)
    return true
  }

  private func readNewTask(
    _ bytes: UnsafeRawBufferPointer, _ work: inout PerfettoWork, by creator: UInt64,
    at time: Timestamp, in builder: inout TraceBuilder
  ) -> Bool {
    guard let task = EventThread(bytes, thread: 1, name: 2, flags: 3) else { return false }
    work.addNewTask(
      task.thread, task.name, flags: task.flags, by: creator, core: core, at: time, in: &builder)
    return true
  }

  private static func readRename(
    _ bytes: UnsafeRawBufferPointer, _ work: inout PerfettoWork
  ) -> Bool {
    guard let task = EventThread(bytes, thread: 1, name: 3) else { return false }
    if let name = task.name { work.schedule.rename(task.thread, to: name) }
    return true
  }

  /// The thread of an event, whose fields have other numbers in each kind of event.
  private struct EventThread {
    var (thread, flags) = (UInt64(0), UInt64(0))
    var name: UnsafeRawBufferPointer?

    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer, thread: UInt32, name: UInt32, flags: UInt32? = nil) {
      var fields = WireFields(bytes)
      while fields.next() {
        switch (fields.number, fields.isBytes) {
        case (thread, false): self.thread = PerfettoProcesses.processNumber(fields.value)
        case (name, true): self.name = fields.bytes
        case (flags, false): self.flags = fields.value
        default: break
        }
      }
      guard !fields.isDamaged else { return nil }
    }
  }

  // MARK: - Columns

  /// Adds context switches and wakeups in columns, with times as increments.
  private mutating func readCompact(
    _ bytes: UnsafeRawBufferPointer, _ work: inout PerfettoWork, _ clocks: inout PerfettoClocks,
    in builder: inout TraceBuilder
  ) -> Bool {
    guard let columns = PerfettoCompactSchedule(bytes) else { return false }
    readRows(columns.switches, of: columns, &work, &clocks, in: &builder) {
      schedule, number, core, instant, index in
      schedule.addSwitch(state: columns.switchStates[index], to: number, core: core, at: instant)
    }
    readRows(columns.wakeups, of: columns, &work, &clocks, in: &builder) {
      schedule, number, core, instant, index in
      let isInterrupt =
        index < columns.wakeupFlags.count && Self.isInterrupt(columns.wakeupFlags[index])
      schedule.addWakeup(
        of: number, by: isInterrupt ? ScheduleRecords.nobody : ScheduleRecords.running,
        core: core, at: instant)
    }
    return true
  }

  /// Adds the rows of one table, with times as increments; `add` receives the schedule, the
  /// thread's number, the core, the time and the position of each valid row.
  private mutating func readRows(
    _ table: PerfettoCompactSchedule.Table, of columns: PerfettoCompactSchedule,
    _ work: inout PerfettoWork, _ clocks: inout PerfettoClocks, in builder: inout TraceBuilder,
    add: (inout PerfettoSchedule, UInt32, Int16, Timestamp, Int) -> Void
  ) {
    var time: UInt64 = 0
    for index in table.times.indices {
      time &+= table.times[index]
      guard let instant = self.instant(time, &clocks) else {
        builder.countLoss(.timeOutOfRange)
        continue
      }
      addGap(before: instant, in: &work)
      let thread = PerfettoProcesses.processNumber(table.threads[index])
      guard let core,
        let number = work.schedule.number(of: thread, name: columns.name(table.names, index))
      else {
        builder.countLoss(.invalidValue)
        continue
      }
      add(&work.schedule, number, core, instant, index)
    }
  }
}

/// The context switches and wakeups of one core, in columns.
struct PerfettoCompactSchedule {
  /// The columns common to context switches and wakeups.
  struct Table {
    /// The times, each as the increment from the previous one.
    var times: [UInt64] = []
    var threads: [UInt64] = []
    /// The positions of the threads' names.
    var names: [UInt64] = []
  }

  private(set) var switches = Table()
  private(set) var switchStates: [UInt64] = []
  private(set) var wakeups = Table()
  private(set) var wakeupFlags: [UInt64] = []
  private var names: [UnsafeRawBufferPointer] = []

  /// Creates the columns in `bytes`, or returns `nil` if they are damaged or of different lengths.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var fields = WireFields(bytes)
    while fields.next() {
      let isWhole =
        switch fields.number {
        case 1: fields.forEachNumber { switches.times.append($0) }
        case 2: fields.forEachNumber { switchStates.append($0) }
        case 3: fields.forEachNumber { switches.threads.append($0) }
        case 6: fields.forEachNumber { switches.names.append($0) }
        case 7: fields.forEachNumber { wakeups.times.append($0) }
        case 8: fields.forEachNumber { wakeups.threads.append($0) }
        case 11: fields.forEachNumber { wakeups.names.append($0) }
        case 12: fields.forEachNumber { wakeupFlags.append($0) }
        default: true
        }
      guard isWhole else { return nil }
      if fields.number == 5, fields.isBytes { names.append(fields.bytes) }
    }
    guard !fields.isDamaged, switchStates.count == switches.times.count,
      switches.threads.count == switches.times.count, wakeups.threads.count == wakeups.times.count
    else { return nil }
  }

  func name(_ column: [UInt64], _ index: Int) -> UnsafeRawBufferPointer? {
    guard index < column.count, let nameIndex = Int(exactly: column[index]),
      names.indices.contains(nameIndex)
    else { return nil }
    return names[nameIndex]
  }
}
