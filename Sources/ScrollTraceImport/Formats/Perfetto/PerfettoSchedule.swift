import ScrollTraceModel

/// The scheduler events of the kernel's trace buffers, until all threads are known.
struct PerfettoSchedule {
  /// The process id of the idle threads.
  private static let swapper: UInt64 = 0
  static let greatestThread = UInt64(Int32.max)
  /// The longest name of a thread that is kept; the kernel's have 15 bytes.
  private static let maximumNameLength = 64
  /// The bits of a thread's state with the reason it does not continue; others describe how it was
  /// interrupted.
  private static let reasons: UInt64 = 0xFF
  /// The bit of a thread that nothing interrupts, and that of a thread of the kernel that only idles so.
  static let uninterruptible: UInt64 = 0x2
  private static let isNoLoad: UInt64 = 0x400
  static let ended: UInt64 = 0x30

  private(set) var records = ScheduleRecords()
  private var threads = ScheduleThreads<UInt64>()
  private var names: [String?] = []
  private var recent = PerfettoPositions()
  /// The last thread of each core, for records that do not repeat it.
  private var latest: [Int16: UInt32] = [:]

  static func core(_ number: UInt64) -> Int16? { Int16(exactly: number) }

  /// Returns the number of the thread `id` in records, nobody for an idle core, or `nil` if it is
  /// impossible.
  mutating func number(of id: UInt64, name: UnsafeRawBufferPointer? = nil) -> UInt32? {
    guard id != Self.swapper else { return ScheduleRecords.nobody }
    guard id <= Self.greatestThread else { return nil }
    guard !records.isOverLimit else { return ScheduleRecords.nobody }
    let position: Int
    if let known = recent[id] {
      position = known
    } else {
      position = Int(threads.number(of: id))
      recent.add(id, at: position)
      names.append(nil)
      if position >= ScheduleRecords.maximumThreadCount { records.giveUp() }
    }
    if names[position] == nil, let name { rename(position, name) }
    return UInt32(truncatingIfNeeded: position)
  }

  mutating func rename(_ id: UInt64, to name: UnsafeRawBufferPointer) {
    guard let number = number(of: id), number != ScheduleRecords.nobody else { return }
    rename(Int(number), name)
  }

  private mutating func rename(_ position: Int, _ name: UnsafeRawBufferPointer) {
    guard !name.isEmpty, name.first != UInt8(ascii: "<") else { return }
    names[position] = String(decoding: name.prefix(Self.maximumNameLength), as: UTF8.self)
  }

  // MARK: - Records

  /// Adds a context switch; `state` is the kernel's number for the reason the thread lost the core.
  mutating func addSwitch(
    from thread: UInt32, state: UInt64, to next: UInt32, core: Int16, at time: Timestamp
  ) {
    let reason = state & Self.reasons
    let kind: ScheduleRecords.Kind =
      if reason == 0 {
        .preemption
      } else if reason & Self.ended != 0 {
        .end
      } else if reason & Self.uninterruptible != 0, state & Self.isNoLoad == 0 {
        .uninterruptibleWait
      } else {
        .wait
      }
    records.addSwitch(kind, from: thread, to: next, core: core, at: time)
    latest[core] = next
  }

  /// Adds a context switch from the last thread of the core, which is nobody for its first.
  mutating func addSwitch(state: UInt64, to next: UInt32, core: Int16, at time: Timestamp) {
    addSwitch(
      from: latest[core] ?? ScheduleRecords.nobody, state: state, to: next, core: core, at: time)
  }

  /// Adds a wakeup of a thread, by the thread on the core or by another one.
  mutating func addWakeup(
    of thread: UInt32, by waker: UInt32 = ScheduleRecords.running, core: Int16, at time: Timestamp
  ) {
    guard thread != ScheduleRecords.nobody else { return }
    records.addWakeup(of: thread, by: waker, core: core, at: time)
  }

  /// Adds a wakeup between threads by their ids; an impossible one is counted as lost.
  mutating func addWakeup(
    ofThread id: UInt64, _ name: UnsafeRawBufferPointer?, byThread waker: UInt64, core: Int16?,
    at time: Timestamp, in builder: inout TraceBuilder
  ) {
    guard let core, let thread = number(of: id, name: name), let waker = number(of: waker) else {
      return builder.countLoss(.invalidValue)
    }
    addWakeup(of: thread, by: waker, core: core, at: time)
  }

  /// Marks the core's records before `time` as missing.
  mutating func addGap(core: Int16, before time: Timestamp) {
    latest[core] = nil
    guard !records.isEmpty else { return }
    records.addGap(core: core, before: time)
  }

  // MARK: - Threads

  /// Finds the tracks of the threads after those of events, and adds the thread states.
  ///
  /// - Parameter described: The processes of threads in track descriptors.
  func finish(
    _ processes: PerfettoProcesses, _ described: [UInt64: UInt64],
    in collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) {
    guard !records.isEmpty else { return }
    guard !records.isOverLimit else { return builder.dropThreadStates() }
    var tracks: [TrackID] = []
    for (id, name) in zip(threads.all, names) {
      let thread = collector.tracks.thread(
        process: described[id] ?? processes.process(of: id), number: id, &builder)
      if let name = processes.threadNames[id] ?? name, builder.name(of: thread.track).isEmpty {
        collector.tracks.setName(name, of: thread, in: &builder)
      }
      tracks.append(thread.track)
    }
    ScheduleReplay.add(records, on: tracks, to: &builder)
  }
}

/// The thread times recorded with events as counter values.
struct PerfettoThreadTimes {
  private struct Counter {
    var sum: Double = 0
    var epoch: UInt64?
    var samples: [(time: Timestamp, value: Double)] = []
  }

  /// The maximum number of samples stored for all threads.
  private static let maximumCount = 1 << 24

  private var counters: [Int: Counter] = [:]
  private var count = 0

  /// Adds a value of the counter on the track at `position`, in nanoseconds.
  mutating func add(
    _ value: Double, of counter: PerfettoTracks.Counter, at position: Int, epoch: UInt64,
    time: Timestamp
  ) {
    guard count < Self.maximumCount else { return }
    var known = counters[position] ?? Counter()
    counters[position] = nil
    if known.epoch != epoch { (known.sum, known.epoch) = (0, epoch) }
    let value = value * Double(counter.multiplier)
    known.sum = counter.isIncremental ? known.sum + value : value
    if let last = known.samples.last, time < last.time {
      // An event recorded after the fact: its count belongs to a later time than its own.
    } else if !Self.isClose(known.samples, to: time) {
      count += 1
      known.samples.append((time, known.sum))
    } else {
      known.samples[known.samples.count - 1] = (time, known.sum)
    }
    counters[position] = known
  }

  /// Returns whether the last two samples and one at `time` are so close that the middle one adds nothing.
  private static func isClose(
    _ samples: [(time: Timestamp, value: Double)], to time: Timestamp
  ) -> Bool {
    guard samples.count >= 2 else { return false }
    let first = samples[samples.count - 2].time
    return time - first < TimeSpan(nanoseconds: ThreadTimeThinning.spacing)
  }

  /// Adds the samples to the threads of the counters.
  func finish(
    _ tracks: inout PerfettoTracks, in collector: inout ChromeEventCollector,
    _ builder: inout TraceBuilder
  ) {
    var invalidCount = 0
    for (position, counter) in counters.sorted(by: { $0.key < $1.key }) {
      let owner = tracks.owner(of: position)
      guard let process = owner.process, let number = owner.thread else { continue }
      let thread = collector.tracks.thread(process: process, number: number, &builder)
      for (time, value) in counter.samples {
        guard let cpu = Int64(exactly: value.rounded()), cpu >= 0 else {
          invalidCount += 1
          continue
        }
        builder.addThreadTime(cpu: cpu, on: thread.track, at: time)
      }
    }
    builder.addNotice("impossible CPU times of threads, omitted", count: invalidCount)
  }
}
