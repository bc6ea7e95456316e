internal import ScrollTraceLayout
internal import ScrollTraceRecorder

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

  /// Lets a thread take `job` when one is free.
  func start(_ job: LoadJob) {
    monitor.withLock {
      shared.waiting.append(job)
      monitor.wakeAll()
    }
  }

  /// Takes waiting jobs back, and ends running ones with the part they are at.
  func cancel(_ items: Set<ItemID>) {
    monitor.withLock {
      shared.finished += shared.waiting.filter { items.contains($0.item.id) }
        .map(FinishedLoad.init(cancelled:))
      shared.waiting.removeAll { items.contains($0.item.id) }
      shared.cancelled.formUnion(items.intersection(shared.running))
    }
  }

  /// The jobs finished since the last call.
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
