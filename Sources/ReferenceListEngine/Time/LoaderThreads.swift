internal import Dispatch
internal import ScrollTraceLayout
internal import ScrollTraceRecorder

/// Threads that load data, with names of their own in the trace.
///
/// A class, since the engine and the threads share one queue.
final class LoaderThreads: Sendable {
  /// What the threads share.
  private struct Shared {
    var waiting: [LoadJob] = []
    var finished: [FinishedLoad] = []
    var running: Set<ItemID> = []
    var cancelled: Set<ItemID> = []
    var isStopped = false
  }

  private let shared = Locked(Shared())
  /// Counts the jobs that wait, so that threads without work sleep.
  private let jobs = DispatchSemaphore(value: 0)
  /// Counts the threads that have ended.
  private let ended = DispatchSemaphore(value: 0)
  /// How many threads there are: fewer than asked for where the system has no more.
  private let count = Locked(0)
  private let meter: WorkMeter
  private let recorder: TraceRecorder

  /// Starts `count` threads.
  init(_ count: Int, meter: WorkMeter, recorder: TraceRecorder) {
    self.meter = meter
    self.recorder = recorder
    for number in 0..<count where DetachedThread.start({ self.serve(number) }) {
      self.count.withLock { $0 += 1 }
    }
  }

  /// Lets a thread take `job` when one is free.
  func start(_ job: LoadJob) {
    shared.withLock { $0.waiting.append(job) }
    jobs.signal()
  }

  /// Takes waiting jobs back, and ends running ones with the part they are at.
  func cancel(_ items: Set<ItemID>) {
    shared.withLock { shared in
      shared.finished += shared.waiting.filter { items.contains($0.item.id) }
        .map(FinishedLoad.init(cancelled:))
      shared.waiting.removeAll { items.contains($0.item.id) }
      shared.cancelled.formUnion(items.intersection(shared.running))
    }
  }

  /// The jobs finished since the last call.
  func takeFinished() -> [FinishedLoad] {
    shared.withLock { shared in
      defer { shared.finished = [] }
      return shared.finished
    }
  }

  /// Ends the threads, each after the job it works on.
  func stop() {
    let isFirst = shared.withLock { shared in
      defer { shared.isStopped = true }
      shared.waiting = []
      return !shared.isStopped
    }
    guard isFirst else { return }
    let count = count.withLock { $0 }
    for _ in 0..<count { jobs.signal() }
    for _ in 0..<count { ended.wait() }
  }

  private func serve(_ number: Int) {
    recorder.nameThread("loader \(number + 1)")
    while true {
      jobs.wait()
      let (job, isStopped) = shared.withLock { shared in
        let job = shared.waiting.isEmpty ? nil : shared.waiting.removeFirst()
        if let job { shared.running.insert(job.item.id) }
        return (job, shared.isStopped)
      }
      if let job {
        let done = carryOut(job)
        shared.withLock { shared in
          shared.running.remove(job.item.id)
          shared.cancelled.remove(job.item.id)
          shared.finished.append(done)
        }
      } else if isStopped {
        break
      }
    }
    ended.signal()
  }

  private func carryOut(_ job: LoadJob) -> FinishedLoad {
    var run = LoadRun(job, recorder: recorder)
    while let part = run.next(at: RealClock.readTime()) {
      if shared.withLock({ $0.cancelled.contains(job.item.id) }) { run.cancel() }
      switch part {
      case .work(let cost, let kind): meter.work(cost, kind)
      case .wait(let time): RealClock.sleep(until: RealClock.readTime() + time)
      }
    }
    return run.finished
  }
}
