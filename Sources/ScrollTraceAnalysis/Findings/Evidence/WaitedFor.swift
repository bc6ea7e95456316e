import ScrollTraceModel

/// What the main thread waited for, by what woke it or what ended when it went on.
struct WaitedFor {
  /// The thread, and the work that it was in; empty if nobody knows.
  private(set) var names: [String] = []

  /// How long before the end of a wait the work that ended it can have ended.
  private static let mostDelay: Int64 = 1_000_000

  private let trace: Trace
  private let timelines: [BusyTimeline]

  /// Examines the spans that are marked as waits.
  init(of context: FindingContext, in waits: [TimeRange]) {
    trace = context.trace
    timelines = context.workload.timelines
    guard let main = trace.mainTrack else { return }
    let found = waits.compactMap { coveringWork($0, main) }
    let counts = Dictionary(grouping: found, by: \.self).mapValues(\.count)
    names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(1)
      .filter { $0.value * 2 >= waits.count }.map(\.key)
  }

  /// Examines the time in which the main thread was blocked by the system's own count.
  init(of context: FindingContext, _ attributions: [Attribution]) {
    trace = context.trace
    timelines = context.workload.timelines
    guard let main = trace.mainTrack else { return }
    var sums: [String: Int64] = [:]
    var counts: [String: Int] = [:]
    for attribution in attributions {
      let window = attribution.window
      let states = trace.tracks[main.index].threadStates
      var index = states.firstIndex(endingAfter: window.start.nanoseconds)
      while index < states.count, states.starts[index] < window.end.nanoseconds {
        let isWait = states.states[index] == .blocked && index + 1 < states.count
        if isWait, let waker = states.waker(at: index + 1), waker != main {
          let time = states.ends[index] - states.starts[index]
          let name = name(of: waker, at: states.ends[index])
          sums[name, default: 0] = sums[name, default: 0].saturatingAdd(time)
          counts[name] = attributions.count
        }
        index += 1
      }
      if states.isEmpty, let cause = attribution.blockedIn.first,
        let wait = range(of: cause, on: main, in: window),
        let name = coveringWork(wait, main)
      {
        counts[name, default: 0] += 1
        sums[name, default: 0] = sums[name, default: 0].saturatingAdd(window.length.nanoseconds)
      }
    }
    // What fits a single wait of many fits by chance.
    names = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(1).map(\.key)
      .filter { counts[$0, default: 0] * 2 >= attributions.count }
  }

  /// The longest span of the main thread in `window` in which it was blocked.
  private func range(
    of cause: Attribution.Cause, on main: TrackID, in window: TimeRange
  ) -> TimeRange? {
    let spans = trace.tracks[main.index].spans
    return timelines[main.index].spanIndexes(in: window).indexes.map { spans[$0] }
      .filter { trace.name(of: $0.label) == cause.name }
      .max { $0.range.length < $1.range.length }?.range
  }

  /// The work of another thread of the host that lasted for most of `window` and ended as it did.
  private func coveringWork(_ window: TimeRange, _ main: TrackID) -> String? {
    var best: (name: String, overlap: Int64)?
    for (id, track) in trace.numberedTracks
    where id != main && trace.processes[track.process.index].isHost {
      let spans = track.spans
      for index in timelines[id.index].spanIndexes(in: window).indexes {
        let overlap =
          min(spans.times[index].end, window.end.nanoseconds)
          - max(spans.times[index].start, window.start.nanoseconds)
        guard overlap >= window.length.nanoseconds / 2,
          abs(spans.times[index].end - window.end.nanoseconds) <= Self.mostDelay,
          overlap > best?.overlap ?? 0
        else { continue }
        best = ("\(trace.displayName(of: id)) in \(trace.name(of: spans.labels[index]))", overlap)
      }
    }
    return best?.name
  }

  private func name(of track: TrackID, at instant: Int64) -> String {
    let spans = trace.tracks[track.index].spans
    let window = TimeRange(
      start: Timestamp(clamping: max(0, instant - Self.mostDelay)),
      end: Timestamp(clamping: instant))
    let indexes = timelines[track.index].spanIndexes(in: window).indexes
    let thread = trace.displayName(of: track)
    guard let last = indexes.last else { return thread }
    return "\(thread) in \(trace.name(of: spans.labels[last]))"
  }
}
