package import ScrollTraceRecorder

/// A clock that stands still but for the declared costs of work: the same run, the same bytes.
///
/// The threads that load data exist in virtual time only. What they do lies between the main
/// thread's own events and is carried out, and recorded, in order of time.
package final class VirtualClock: EngineClock {
  /// A thread that exists in virtual time only.
  private struct Loader {
    /// Records in the name of the thread.
    var recorder: TraceRecorder
    /// What it works on, or `nil` if it has nothing to do.
    var run: LoadRun?
    /// When it is done with the present part of it.
    var wakes: Nanoseconds = 0
  }

  private let start: Nanoseconds
  private var time: Nanoseconds
  private var recorder: TraceRecorder?
  private var loaders: [Loader] = []
  private var waiting: [LoadJob] = []
  private var finished: [FinishedLoad] = []
  private var alarm: (time: Nanoseconds, action: () -> Void)?

  package init(start: Nanoseconds = 1_000_000_000) {
    self.start = start
    time = start
  }

  /// Calls `action` once, when it is `time`, whatever goes on then.
  package func setAlarm(at time: Nanoseconds, _ action: @escaping () -> Void) {
    alarm = (time, action)
  }

  // MARK: - EngineClock

  /// A manual clock, which this one sets.
  package var recorderClock: RecorderClock { .manual(start: .nanoseconds(start)) }

  package var now: Nanoseconds { time }

  package func work(_ cost: Nanoseconds) { advance(to: time + max(0, cost)) }

  package func sleep(until time: Nanoseconds) { advance(to: time) }

  package func startLoaders(_ count: Int, recorder: TraceRecorder) {
    self.recorder = recorder
    recorder.setTime(.nanoseconds(time))
    loaders = (0..<count).map {
      Loader(recorder: recorder.makeSimulatedThread(id: UInt32(2 + $0), name: "loader \($0 + 1)"))
    }
  }

  /// Gives `job` to the first thread without work, else lets it wait.
  package func start(_ job: LoadJob) {
    waiting.append(job)
    if let idle = loaders.firstIndex(where: { $0.run == nil }) { beginNext(on: idle) }
  }

  package func cancel(_ items: Set<ItemID>) {
    finished += waiting.filter { items.contains($0.item.id) }.map(FinishedLoad.init(cancelled:))
    waiting.removeAll { items.contains($0.item.id) }
    for index in loaders.indices {
      guard let item = loaders[index].run?.item, items.contains(item) else { continue }
      loaders[index].run?.cancel()
    }
  }

  package func takeFinished() -> [FinishedLoad] {
    defer { finished = [] }
    return finished
  }

  /// Runs on until every thread is done with its job.
  package func stopLoaders() {
    waiting = []
    while let next = nextLoader(until: .max) {
      set(loaders[next].wakes)
      step(next)
    }
  }

  // MARK: - The schedule

  /// Moves the time to `end`, and carries out on the way what is due.
  private func advance(to end: Nanoseconds) {
    if let alarm, alarm.time <= end {
      self.alarm = nil
      advance(to: alarm.time)
      alarm.action()
    }
    while let next = nextLoader(until: end) {
      set(loaders[next].wakes)
      step(next)
    }
    set(max(time, end))
  }

  private func set(_ time: Nanoseconds) {
    self.time = time
    recorder?.setTime(.nanoseconds(time))
  }

  /// The thread that wakes first, at `end` at the latest; of several the one with the lowest number.
  private func nextLoader(until end: Nanoseconds) -> Int? {
    loaders.indices.filter { loaders[$0].run != nil && loaders[$0].wakes <= end }
      .min { loaders[$0].wakes < loaders[$1].wakes }
  }

  /// Lets a thread go on to the next part of its job, or to the next job.
  private func step(_ index: Int) {
    guard let part = loaders[index].run?.next(at: time) else {
      if let done = loaders[index].run?.finished { finished.append(done) }
      loaders[index].run = nil
      beginNext(on: index)
      return
    }
    loaders[index].wakes = time + part.duration
  }

  private func beginNext(on index: Int) {
    guard !waiting.isEmpty else { return }
    loaders[index].run = LoadRun(waiting.removeFirst(), recorder: loaders[index].recorder)
    loaders[index].wakes = time
  }
}

extension RecorderOptions {
  /// Options under which the same run gives the same bytes, on every machine and in every process.
  package static func virtual(_ clock: RecorderClock) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = clock
    options.session = SessionIdentifier(high: 0x7363_726F_6C6C_7472, low: 0x6163_6520_6665_6564)
    options.processID = 1
    options.processName = "ReferenceListEngine"
    options.isMainThreadFullyInstrumented = true
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    return options
  }
}
