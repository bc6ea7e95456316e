package import ScrollTraceRecorder

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The machine's own clock: work is work, sleep is sleep, and threads that load data are threads.
package final class RealClock: EngineClock {
  private let meter: WorkMeter
  private var loaders: LoaderThreads?

  /// A clock that first measures how fast this machine works, which takes a few milliseconds.
  package init() {
    meter = WorkMeter()
  }

  /// The clock that refreshes are counted in: the one that a thread can sleep by.
  package var recorderClock: RecorderClock {
    #if canImport(Darwin)
      .uptime
    #else
      .monotonic
    #endif
  }

  /// The time now.
  package var now: Nanoseconds { Self.readTime() }

  /// Does work that takes `cost` on this machine where nothing disturbs it.
  package func work(_ cost: Nanoseconds) {
    meter.work(cost)
  }

  /// Sleeps until `time`.
  package func sleep(until time: Nanoseconds) {
    Self.sleep(until: time)
  }

  /// Starts `count` threads.
  package func startLoaders(_ count: Int, recorder: TraceRecorder) {
    loaders = LoaderThreads(count, meter: meter, recorder: recorder)
  }

  /// Hands `job` to the threads.
  package func start(_ job: LoadJob) {
    loaders?.start(job)
  }

  /// Takes waiting jobs back, and ends running ones with the part they are at.
  package func cancel(_ items: Set<ItemID>) {
    loaders?.cancel(items)
  }

  /// The jobs finished since the last call.
  package func takeFinished() -> [FinishedLoad] {
    loaders?.takeFinished() ?? []
  }

  /// Waits until each thread has ended the job it works on.
  package func stopLoaders() {
    loaders?.stop()
  }

  // MARK: - The system

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
