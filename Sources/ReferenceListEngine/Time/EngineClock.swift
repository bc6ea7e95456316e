package import ScrollTraceRecorder

/// Time, work and threads as the engine sees them: the one place where virtual and real time differ.
///
/// A class, since the engine and the threads that load data look at the same clock.
package protocol EngineClock: AnyObject {
  /// The clock a recorder of this engine has to read.
  var recorderClock: RecorderClock { get }

  /// The time now.
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
