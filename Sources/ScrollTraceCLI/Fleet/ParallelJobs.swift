import ScrollTraceLayout
import ScrollTracePlatform

/// Runs jobs on several threads, and hands over their results one by one in the order of the jobs.
///
/// Only a few results wait at a time, so memory does not grow with the number of jobs.
enum ParallelJobs {
  static let flag = Flag(
    name: "jobs", short: "j", value: "count", standard: "the number of cores",
    group: .input, help: "Number of traces to read at once.")

  /// The largest accepted number of threads.
  private static let maximum = 256

  /// Returns the number of threads in `arguments`, or the number of cores.
  static func count(_ arguments: ParsedArguments) throws(UsageError) -> Int {
    let count = try arguments.value(
      of: flag, as: { Int($0).flatMap { (1...maximum).contains($0) ? $0 : nil } },
      expecting: "a number from 1 to \(maximum)")
    return count ?? min(maximum, max(1, Int(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  /// Runs `work` on each input.
  ///
  /// - Parameters:
  ///   - count: The number of threads; with 1, everything runs on the calling thread.
  ///   - next: Returns the next input, or `nil` at the end. It is called by one thread at a time.
  ///   - work: Returns the result of an input.
  ///   - take: Receives the results on the calling thread; returns whether to continue.
  static func run<Input: Sendable, Output: Sendable, Failure>(
    count: Int, next: @escaping () -> Input?, work: @escaping @Sendable (Input) -> Output,
    take: (Output) throws(Failure) -> Bool
  ) throws(Failure) {
    guard count > 1 else {
      while let input = next() {
        guard try take(work(input)) else { return }
      }
      return
    }
    let queue = JobQueue(window: count * 4, next: next, work: work)
    let threads = (0..<count).compactMap { _ in WorkerThread { while queue.runOneJob() {} } }
    // If the system has no thread left, this one does the work, as far as there is room for results.
    defer {
      queue.stop()
      for thread in threads { thread.join() }
    }
    while true {
      if threads.isEmpty { queue.runOneJob() }
      guard let output = queue.takeResult() else { return }
      guard try take(output) else { return }
    }
  }
}

/// The jobs that run and the results that wait.
///
/// A class because threads share it; the mutexes guard what they share.
private final class JobQueue<Input: Sendable, Output: Sendable>: @unchecked Sendable {
  private let next: () -> Input?
  private let work: @Sendable (Input) -> Output
  private let window: Int
  private let inputLock = Monitor()
  private let lock = Monitor()
  private var results: [Int: Output] = [:]
  private var begun = 0
  /// The number of results that were taken.
  private var taken = 0
  private var hasEnded = false

  init(
    window: Int, next: @escaping () -> Input?, work: @escaping @Sendable (Input) -> Output
  ) {
    self.window = window
    self.next = next
    self.work = work
  }

  /// Runs a job as soon as there is room for its result; returns whether there was one.
  @discardableResult
  func runOneJob() -> Bool {
    guard let (number, input) = takeInput() else { return false }
    let output = work(input)
    lock.withLock {
      results[number] = output
      lock.wakeAll()
    }
    return true
  }

  private func takeInput() -> (Int, Input)? {
    inputLock.withLock {
      let mayTake = lock.withLock {
        while begun - taken >= window, !hasEnded { lock.wait() }
        return !hasEnded
      }
      guard mayTake, let input = next() else {
        stop()
        return nil
      }
      return lock.withLock {
        begun += 1
        return (begun - 1, input)
      }
    }
  }

  /// Waits for the next result in order, or returns `nil` after the last.
  func takeResult() -> Output? {
    lock.withLock {
      while true {
        if let output = results.removeValue(forKey: taken) {
          taken += 1
          lock.wakeAll()
          return output
        }
        guard !hasEnded || taken < begun else { return nil }
        lock.wait()
      }
    }
  }

  /// Begins no more jobs.
  func stop() {
    lock.withLock {
      hasEnded = true
      lock.wakeAll()
    }
  }
}
