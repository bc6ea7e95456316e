import ScrollTraceLayout
import Foundation

/// An actor whose turns run on two threads alternately.
actor MovingActor {
  private let executor = MovingExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Value: Sendable>(
    _ operation: @Sendable (isolated MovingActor) async throws -> Value
  ) async throws -> Value {
    try await operation(self)
  }
}

/// Runs each job on the other one of two threads.
private final class MovingExecutor: SerialExecutor {
  /// The jobs of a thread that waits for some.
  private final class Turns: Sendable {
    private let jobs = Locked<[UnownedJob]>([])
    private let isReady = DispatchSemaphore(value: 0)

    func add(_ job: UnownedJob) {
      jobs.withLock { $0.append(job) }
      isReady.signal()
    }

    func next() -> UnownedJob {
      isReady.wait()
      return jobs.withLock { $0.removeFirst() }
    }
  }

  private let threads = [Turns(), Turns()]
  private let turn = Locked(0)
  /// Held while a job runs: an actor's jobs never overlap.
  private let serial = NSLock()

  init() {
    for turns in threads {
      Thread.detachNewThread { [weak self] in
        while true {
          let job = turns.next()
          guard let self else { return }
          self.serial.withLock { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let number = turn.withLock { turn in
      turn += 1
      return turn % threads.count
    }
    threads[number].add(job)
  }
}
