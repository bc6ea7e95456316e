import ScrollTraceModel

/// Keeps as many samples of a thread's CPU time as windows of milliseconds need: sources record one
/// at each start and end of the shortest span.
struct ThreadTimeThinning {
  /// The time within which at most two samples are kept, in nanoseconds.
  static let spacing: Int64 = 100_000

  private struct Thread {
    var track: TrackID?
    var latest = Int64.min
    /// The latest omitted sample: the next one can be far away.
    var pending: (time: Int64, cpu: Int64)?
  }

  private var threads: [Thread] = []

  /// Adds a sample, which must not be negative; samples in order of time that are close to others
  /// are omitted.
  mutating func add(
    _ cpu: Int64, on track: TrackID, at time: Timestamp, to builder: inout TraceBuilder
  ) {
    while threads.count <= track.index { threads.append(Thread()) }
    let position = track.index
    let latest = threads[position].latest
    guard time.nanoseconds >= latest, latest > .min else {
      threads[position].track = track
      threads[position].latest = max(latest, time.nanoseconds)
      return builder.addThreadTime(cpu: cpu, on: track, at: time)
    }
    guard time.nanoseconds - latest >= Self.spacing else {
      threads[position].pending = (time.nanoseconds, cpu)
      return
    }
    flush(position, to: &builder)
    threads[position].latest = time.nanoseconds
    builder.addThreadTime(cpu: cpu, on: track, at: time)
  }

  /// Adds the last sample of each thread.
  mutating func finish(in builder: inout TraceBuilder) {
    for position in threads.indices { flush(position, to: &builder) }
  }

  private mutating func flush(_ position: Int, to builder: inout TraceBuilder) {
    guard let pending = threads[position].pending, let track = threads[position].track else {
      return
    }
    threads[position].pending = nil
    builder.addThreadTime(cpu: pending.cpu, on: track, at: Timestamp(clamping: pending.time))
  }
}
