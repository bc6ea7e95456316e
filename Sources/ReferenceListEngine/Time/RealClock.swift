internal import ScrollTraceLayout
package import ScrollTraceRecorder
internal import ScrollTracePlatform

/// The machine's own clock: work is work, sleep is sleep, and threads that load data are threads.
package final class RealClock: EngineClock {
  private let meter: WorkMeter
  private var loaders: LoaderThreads?

  /// A clock that first measures how fast this machine works, which takes a few milliseconds.
  package init() { meter = WorkMeter() }

  /// The clock that refreshes are counted in: the one that a thread can sleep by.
  package var recorderClock: RecorderClock {
    #if canImport(Darwin)
      .uptime
    #else
      .monotonic
    #endif
  }

  package var now: Nanoseconds { Self.readTime() }

  package func work(_ cost: Nanoseconds) { meter.work(cost) }

  package func sleep(until time: Nanoseconds) { Self.sleep(until: time) }

  package func startLoaders(_ count: Int, recorder: TraceRecorder) {
    loaders = LoaderThreads(count, meter: meter, recorder: recorder)
  }

  package func start(_ job: LoadJob) { loaders?.start(job) }

  package func cancel(_ items: Set<ItemID>) { loaders?.cancel(items) }

  package func takeFinished() -> [FinishedLoad] { loaders?.takeFinished() ?? [] }

  package func stopLoaders() { loaders?.stop() }

  /// The time of the system's clock.
  static func readTime() -> Nanoseconds {
    #if canImport(Darwin)
      return Nanoseconds(clamping: clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
    #endif
  }

  /// Sleeps until it is `time`; a signal does not cut it short.
  static func sleep(until time: Nanoseconds) {
    #if canImport(Darwin)
      while true {
        let left = time - readTime()
        guard left > 0 else { return }
        var span = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
        nanosleep(&span, nil)
      }
    #else
      var end = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
      while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) == EINTR {}
    #endif
  }
}

/// Time, work and threads as the engine sees them: the one place where virtual and real time differ.
///
/// A class, since the engine and the threads that load data look at the same clock.
package protocol EngineClock: AnyObject {
  /// The clock a recorder of this engine has to read.
  var recorderClock: RecorderClock { get }

  var now: Nanoseconds { get }

  /// Does work on the calling thread that takes `cost` where nothing else runs.
  func work(_ cost: Nanoseconds)

  /// Lets the main thread sleep until `time`; returns at once where that is past.
  func sleep(until time: Nanoseconds)

  /// Starts `count` threads that load data and record into `recorder`.
  func startLoaders(_ count: Int, recorder: TraceRecorder)

  /// Hands `job` to the threads; they take jobs in this order.
  func start(_ job: LoadJob)

  /// Lets no more be done for these items: jobs that wait never begin, and jobs that are under way
  /// end with the part they are at. Both count as finished.
  func cancel(_ items: Set<ItemID>)

  /// The jobs finished since the last call, in the order in which they were done.
  func takeFinished() -> [FinishedLoad]

  /// Lets the threads end the jobs they work on, and no others.
  func stopLoaders()
}

/// Threads that load data, with names of their own in the trace.
///
/// A class, since the engine and the threads share one queue; unchecked, since a monitor guards it.
final class LoaderThreads: @unchecked Sendable {
  /// What the threads share.
  private struct Shared {
    var waiting: [LoadJob] = []
    var finished: [FinishedLoad] = []
    var running: Set<ItemID> = []
    var cancelled: Set<ItemID> = []
    var isStopped = false
  }

  /// Guards `shared`; threads without work wait for it.
  private let monitor = Monitor()
  private var shared = Shared()
  /// The threads, fewer than asked for where the system has no more.
  private var threads: [WorkerThread] = []
  private let meter: WorkMeter
  private let recorder: TraceRecorder

  /// Starts `count` threads.
  init(_ count: Int, meter: WorkMeter, recorder: TraceRecorder) {
    self.meter = meter
    self.recorder = recorder
    threads = (0..<count).compactMap { number in WorkerThread { self.serve(number) } }
  }

  func start(_ job: LoadJob) {
    monitor.withLock {
      shared.waiting.append(job)
      monitor.wakeAll()
    }
  }

  func cancel(_ items: Set<ItemID>) {
    monitor.withLock {
      shared.finished += shared.waiting.filter { items.contains($0.item.id) }
        .map(FinishedLoad.init(cancelled:))
      shared.waiting.removeAll { items.contains($0.item.id) }
      shared.cancelled.formUnion(items.intersection(shared.running))
    }
  }

  func takeFinished() -> [FinishedLoad] {
    monitor.withLock {
      defer { shared.finished = [] }
      return shared.finished
    }
  }

  /// Ends the threads, each after the job it works on.
  func stop() {
    let isFirst = monitor.withLock {
      defer { shared.isStopped = true }
      shared.waiting = []
      monitor.wakeAll()
      return !shared.isStopped
    }
    if isFirst { for thread in threads { thread.join() } }
  }

  private func serve(_ number: Int) {
    recorder.nameThread("loader \(number + 1)")
    while let job = nextJob() {
      let done = carryOut(job)
      monitor.withLock {
        shared.running.remove(job.item.id)
        shared.cancelled.remove(job.item.id)
        shared.finished.append(done)
      }
    }
  }

  /// Waits for a job, or returns `nil` at the end.
  private func nextJob() -> LoadJob? {
    monitor.withLock {
      while shared.waiting.isEmpty {
        if shared.isStopped { return nil }
        monitor.wait()
      }
      let job = shared.waiting.removeFirst()
      shared.running.insert(job.item.id)
      return job
    }
  }

  private func carryOut(_ job: LoadJob) -> FinishedLoad {
    var run = LoadRun(job, recorder: recorder)
    while let part = run.next(at: RealClock.readTime()) {
      if monitor.withLock({ shared.cancelled.contains(job.item.id) }) { run.cancel() }
      switch part {
      case .work(let cost): meter.work(cost)
      case .wait(let time): RealClock.sleep(until: RealClock.readTime() + time)
      }
    }
    return run.finished
  }
}

/// Real work of a known size: as many rounds of a loop as this machine does in the time asked for.
///
/// It is no loop that waits for a clock: a machine that is busy or slow takes longer for the same
/// work, as it does for an app's.
///
/// A class, since all threads add to one digest; without it the work could be left out.
final class WorkMeter: Sendable {
  /// How many rounds are measured at once.
  private static let measured: Int64 = 16_000

  /// The time of so many rounds on an idle machine.
  private let time: Nanoseconds
  private let digest: Locked<UInt64>

  /// Measures this machine: the best of some tries, so that a disturbance does not count.
  init() {
    var (sum, best) = (UInt64(0), Nanoseconds.max)
    for _ in 0..<8 {
      let start = RealClock.readTime()
      sum = Self.hash(rounds: Self.measured, seed: sum)
      best = min(best, RealClock.readTime() - start)
    }
    time = max(1, best)
    digest = Locked(sum)
  }

  /// Does work that takes `cost` on an idle machine.
  func work(_ cost: Nanoseconds) {
    guard cost > 0 else { return }
    let result = Self.hash(rounds: max(1, cost * Self.measured / time), seed: UInt64(cost))
    digest.withLock { $0 &+= result }
  }

  /// Computes `rounds` numbers, each from the one before it.
  private static func hash(rounds: Int64, seed: UInt64) -> UInt64 {
    var hash = seed
    var left = rounds
    while left > 0 {
      hash = (hash ^ UInt64(bitPattern: left)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      left -= 1
    }
    return hash
  }
}
