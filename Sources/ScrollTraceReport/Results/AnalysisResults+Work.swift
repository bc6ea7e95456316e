public import ScrollTraceAnalysis
public import ScrollTraceModel

extension AnalysisResults {
  /// The work of the app's process (M-11). A time is `nil` if the trace contains no work.
  public struct Work: Codable, Sendable {
    /// The measured time.
    public let window: MeasuredTime
    /// The running time of the main thread.
    public let mainBusy: TimeSpan?
    /// The total running time of all other threads of the app.
    public let backgroundBusy: TimeSpan?
    /// The main thread's share of the work, 0 to 1, or `nil` without work.
    public let mainShare: Double?
    /// The total work divided by the time in which any thread worked, from 1 on, or `nil` without work.
    public let parallelism: Double?
    /// The running time of the main thread in ms per second.
    public let mainBusyPerSecond: Double?
    /// The running time of the other threads in ms per second.
    public let backgroundBusyPerSecond: Double?
    /// The CPU time of the main thread (M-25), or `nil` if the system did not count it.
    public let mainCPU: TimeSpan?
    /// The time in which the main thread was ready without a core (M-25), or `nil` if unknown.
    public let mainReady: TimeSpan?
    /// The share of that time, 0 to 1, or `nil` if unknown.
    public let mainReadyShare: Double?
    /// Equal to `mainBusy`, or zero without work.
    public let mainRunning: TimeSpan?
    /// The time in which work of the main thread waited.
    public let mainWaiting: TimeSpan?
    /// What the main thread did (M-25), or `nil` if nothing was counted.
    public let mainThread: ThreadTimes?
    /// Equal to `backgroundBusy`, or zero without work.
    public let backgroundRunning: TimeSpan?
    /// The time in which work of the other threads waited.
    public let backgroundWaiting: TimeSpan?
    /// The background work from deadline to commit end of late frames, or `nil` without deadlines.
    public let backgroundBusyDuringOverruns: TimeSpan?
    /// The spans of the main thread above 50 ms, or `nil` if no main thread is known.
    public let longTasks: LongTasks?
    /// The tracks, main first, then by busy time.
    public let tracks: [TrackWork]

    private enum CodingKeys: String, CodingKey {
      case window, mainBusy = "mainBusyNs", backgroundBusy = "backgroundBusyNs", mainShare
      case parallelism, mainBusyPerSecond = "mainBusyMsPerS"
      case backgroundBusyPerSecond = "backgroundBusyMsPerS", mainCPU = "mainCpuNs"
      case mainReady = "mainReadyNs", mainReadyShare, mainRunning = "mainRunningNs"
      case mainWaiting = "mainWaitingNs", mainThread, backgroundRunning = "backgroundRunningNs"
      case backgroundWaiting = "backgroundWaitingNs"
      case backgroundBusyDuringOverruns = "backgroundBusyDuringOverrunsNs", longTasks, tracks
    }

    init(of run: Analysis) {
      let work = run.work
      let context = MetricContext(nil, in: run)
      window = MeasuredTime(kind: work.window.kind, duration: work.window.duration)
      mainBusy = Metric.mainBusy.value(context)?.time
      backgroundBusy = Metric.backgroundBusy.value(context)?.time
      mainShare = Metric.mainShare.value(context)?.number
      parallelism = Metric.parallelism.value(context)?.number
      mainBusyPerSecond = Metric.mainBusyPerSecond.value(context)?.number
      backgroundBusyPerSecond = Metric.backgroundBusyPerSecond.value(context)?.number
      mainCPU = Metric.mainCPU.value(context)?.time
      mainReady = Metric.mainReady.value(context)?.time
      mainReadyShare = Metric.mainReadyShare.value(context)?.number
      mainRunning = work.sums.mainBusy
      mainWaiting = work.sums.mainWaiting
      mainThread = work.sums.mainThread
      backgroundRunning = work.sums.backgroundBusy
      backgroundWaiting = work.sums.backgroundWaiting
      backgroundBusyDuringOverruns = work.backgroundBusyDuringOverruns
      longTasks = work.longTasks.map { LongTasks($0, in: run.trace) }
      tracks = work.tracks
    }
  }

  /// Spans of the main thread that block it for more than 50 ms (M-11).
  public struct LongTasks: Codable, Sendable {
    /// The number of long tasks.
    public let count: Int
    /// The total length.
    public let length: TimeSpan
    /// The total length beyond 50 ms of each.
    public let totalBlocking: TimeSpan
    /// The longest ones, at most five, longest first.
    public let longest: [LongTask]

    private enum CodingKeys: String, CodingKey {
      case count, length = "lengthNs", totalBlocking = "totalBlockingNs", longest
    }

    init(_ tasks: ScrollTraceAnalysis.LongTasks, in trace: Trace) {
      count = tasks.count
      length = tasks.length
      totalBlocking = tasks.blocking
      longest = tasks.longest.map {
        LongTask(
          start: $0.range.start - trace.range.start, length: $0.range.length,
          category: trace.category(of: $0.label), name: trace.name(of: $0.label),
          causes: $0.attribution?.causes ?? [])
      }
    }
  }

  /// A span of the main thread of more than 50 ms (M-11).
  public struct LongTask: Codable, Sendable {
    /// The start of the span.
    public let start: TimeSpan
    /// The length of the span.
    public let length: TimeSpan
    /// The category of the span.
    public let category: String
    /// The name of the span.
    public let name: String
    /// The work in it (M-16), longest first.
    public let causes: [Cause]

    private enum CodingKeys: String, CodingKey {
      case start = "startNs", length = "lengthNs", category, name, causes
    }
  }
}
