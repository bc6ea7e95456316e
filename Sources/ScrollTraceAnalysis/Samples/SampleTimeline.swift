package import ScrollTraceModel

/// The samples of a thread, most often the one that makes the frames, for any windows (M-26).
package struct SampleTimeline: Sendable {
  private let trace: Trace
  package let series: SampleSeries
  /// The time that each of them stands for.
  package let cells: SampleCells
  private let attributor: Attributor?
  private let ownModules: Set<StringID>

  /// Creates the timeline of the main thread, or of the thread with most samples if there is no main
  /// thread with any, or returns `nil` if there are no samples.
  init?(of trace: Trace, attributor: Attributor?) {
    let main = trace.mainTrack
    guard
      let series = main.flatMap({ Self.series(of: $0, in: trace) })
        ?? Self.series(of: nil, in: trace)
    else { return nil }
    self.init(series, of: trace, attributor: series.track == main ? attributor : nil)
  }

  /// Creates the timeline of one thread, without its spans, or returns `nil` if it has no samples.
  init?(of thread: TrackID, in trace: Trace) {
    guard let series = Self.series(of: thread, in: trace) else { return nil }
    self.init(series, of: trace, attributor: nil)
  }

  private init(_ series: SampleSeries, of trace: Trace, attributor: Attributor?) {
    self.trace = trace
    self.series = series
    cells = SampleCells(series)
    self.attributor = attributor
    ownModules = trace.ownModules
  }

  /// The series with most samples of a thread, or of any thread if it is `nil`.
  private static func series(of thread: TrackID?, in trace: Trace) -> SampleSeries? {
    trace.samples.filter {
      $0.count > 0 && (thread == nil || $0.track == thread) && !isSwitch($0, in: trace)
    }.max { $0.count < $1.count }
  }

  /// Whether samples are taken when a thread leaves its core, so that they say nothing about time.
  private static func isSwitch(_ series: SampleSeries, in trace: Trace) -> Bool {
    let event = trace.strings[series.event]
    return event.hasPrefix("sched:") || event.includes("context-switch")
      || event == "SW_CONTEXT_SWITCHES"
  }

  package var threadName: String { trace.displayName(of: series.track) }

  package var isMain: Bool { series.track == trace.mainTrack }

  /// The account of windows that do not overlap.
  package func account(of windows: TimeRangeSet) -> SampleAccount {
    var totals = SampleTotals(trace, ownModules: ownModules)
    for window in windows.ranges {
      totals.addWindow(window)
      let spans = attributor?.innermostSpans(in: window) ?? []
      var position = 0
      cells.forEach(in: window) { index, start, end in
        let stack = series.stacks[index]
        totals.count(index, of: stack, lasting: end - start)
        while position < spans.count, spans[position].end <= start { position += 1 }
        // Most samples lie in one span, or in none.
        var (now, next) = (start, position)
        while now < end {
          let span = next < spans.count ? spans[next] : nil
          let isInSpan = span.map { $0.start <= now } ?? false
          let until = min(end, span.map { isInSpan ? $0.end : $0.start } ?? end)
          totals.add(until - now, of: index, stack, in: isInSpan ? span?.label : nil)
          now = until
          if isInSpan { next += 1 }
        }
      }
    }
    return totals.account()
  }
}

/// The samples of a function in a window.
struct FunctionSamples {
  /// The time in which the function was on the stack.
  var time = TimeSpan.zero
  /// All sampled time of the window.
  var sampled = TimeSpan.zero
  /// The number of samples with the function, each in its first window.
  var count = 0
}

extension SampleTimeline {
  func samples(
    of function: SampledFunction, in windows: Set<TimeRange>
  ) -> [TimeRange: FunctionSamples] {
    let tree = trace.stackTree
    // Callers come first.
    var holds: [Bool] = []
    for (leaf, caller) in zip(tree.leaves, tree.callers) {
      holds.append(tree.functions[Int(leaf)] == function || caller >= 0 && holds[Int(caller)])
    }
    var last = -1
    return windows.sorted { ($0.start, $0.end) < ($1.start, $1.end) }.reduce(into: [:]) {
      found, window in
      var samples = FunctionSamples()
      cells.forEach(in: window) { index, start, end in
        let time = TimeSpan(nanoseconds: end - start)
        samples.sampled += time
        guard series.stacks[index] >= 0, holds[Int(series.stacks[index])] else { return }
        samples.time += time
        if index > last { samples.count += 1 }
        last = max(last, index)
      }
      found[window] = samples
    }
  }
}

/// What the samples say about a run (M-26).
package struct SampleAnalysis: Sendable {
  package let timeline: SampleTimeline
  /// The account of the windows of each surface's hitches, or none for a surface without hitches.
  package let hitches: [SurfaceID: SampleAccount]
  /// The account of the frame of each surface that never ended, outside of motions.
  package let openFrames: [SurfaceID: SampleAccount]
  /// The account of the measured time: of all motions, or of the whole recording.
  package let measured: SampleAccount
  /// A Boolean value indicating whether the measured time is that of motions.
  package let isMotion: Bool

  init?(
    of trace: Trace, surfaces: [SurfaceAnalysis], windows: TimeRangeSet, isMotion: Bool,
    attributor: Attributor?
  ) {
    guard let timeline = SampleTimeline(of: trace, attributor: attributor) else { return nil }
    self.timeline = timeline
    hitches = surfaces.reduce(into: [:]) { accounts, surface in
      let late = surface.hitches.filter { $0.lengthInMotion > .zero }
      let windows = TimeRangeSet(union: late.compactMap { $0.chargedAttribution?.window })
      accounts[surface.surface] = windows.isEmpty ? nil : timeline.account(of: windows)
    }
    openFrames = surfaces.reduce(into: [:]) { accounts, surface in
      accounts[surface.surface] = surface.openFrame.map {
        timeline.account(of: TimeRangeSet(union: [$0.window]))
      }
    }
    measured = timeline.account(of: windows)
    self.isMotion = isMotion
  }
}
