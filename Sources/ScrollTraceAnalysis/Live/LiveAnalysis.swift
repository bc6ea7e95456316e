package import ScrollTraceModel

/// The analysis of the last part of a recording that is still being written.
///
/// The passes are those of `TraceAnalyzer`, so hitches are the same. Conclusions that need the
/// whole trace are omitted. The trace may have lost earlier events; see ``totals(from:to:)``.
package struct LiveAnalysis: Sendable {
  /// A surface in the part.
  package struct Surface: Sendable {
    package let name: String
    /// The refresh interval of its last frame, or `nil` if unknown.
    package let refreshInterval: TimeSpan?
    /// Its hitches with their causes (M-16), sorted by start.
    package let hitches: [Hitch]
  }

  package let trace: Trace
  /// The surfaces, sorted by name.
  package let surfaces: [Surface]
  let workload: TrackWorkload
  let passes: [SurfacePass]
  let moving: TimeRangeSet
  let blanks: [String: BlankTime]
  private let timelines: [StateTimeline]

  /// Prepares an analysis of `trace`.
  ///
  /// - Parameters:
  ///   - trace: The part of the recording that is held.
  ///   - options: The options of the analysis.
  ///   - ways: The ways of frames that the trace no longer contains, by surface name.
  package init(
    of trace: Trace, options: AnalysisOptions = AnalysisOptions(), ways: [String: WayCounts] = [:]
  ) {
    var options = options
    options.selection = AnalysisOptions.Selection()
    let trace = trace.withCommitsOnOneTrack()
    self.trace = trace
    let resolution = InteractionResolution(of: trace, options: options)
    moving = TimeRangeSet(
      union: resolution.interactions.map {
        TimeRange(start: $0.start, end: $0.end ?? trace.range.end)
      })
    let workload = TrackWorkload(of: trace, in: TimeRangeSet(union: []), timestamps: nil)
    self.workload = workload
    passes = trace.numberedSurfaces.map { id, surface in
      SurfacePass(
        id: id, surface: surface, interactions: resolution.interactions(of: id), trace: trace,
        options: options, workload: workload, earlierWays: ways[surface.name])
    }
    let attributor = Attributor(of: trace, workload)
    var budget = AnalysisResourceLimits(for: trace)
    surfaces = passes.map { pass in
      var hitchPass = HitchPass(pass: pass, attributor: attributor, budget: budget)
      let hitches = hitchPass.hitches()
      budget = hitchPass.budget
      return Surface(
        name: pass.surface.name, refreshInterval: pass.frames.last?.refreshInterval,
        hitches: hitches)
    }
    timelines = StateTimeline.all(of: trace)
    blanks = Self.blankTimes(
      in: trace, moving: moving, refreshInterval: surfaces.lazy.compactMap(\.refreshInterval).min())
  }

  /// Adds the ways of frames before `limit`, which the trace is about to forget.
  package func addWays(until limit: Timestamp, to ways: inout [String: WayCounts]) {
    for pass in passes {
      var counts = ways[pass.surface.name] ?? WayCounts(start: trace.range.start)
      counts.add(pass, until: limit)
      ways[pass.surface.name] = counts
    }
  }

  /// The interactions that go on where the trace ends, ascending by start.
  package var openInteractions: [Interaction] { trace.interactions.filter { $0.end == nil } }

  /// The states that hold at the end of the trace, sorted by key.
  package var states: [AnalysisOptions.State] {
    timelines.compactMap { timeline in
      timeline.value(start: trace.range.end, end: trace.range.end).map {
        AnalysisOptions.State(key: timeline.key, value: $0)
      }
    }
  }

  /// Returns the totals of the range from `start` to `end`, or to the end of the trace if `end` is
  /// `nil`.
  ///
  /// Every frame, deadline miss and hitch belongs to one point in time, so consecutive ranges count
  /// it once. For totals of the whole recording, the trace must contain everything that overlaps
  /// the range, and the frames before it from which its gaps are measured.
  package func totals(from start: Timestamp, to end: Timestamp?) -> LiveTotals {
    let range = TimeRange(start: start, end: end ?? Timestamp(clamping: Int64.max))
    func holds(_ instant: Timestamp?) -> Bool {
      // Events without a time count at the end.
      guard let instant else { return end == nil }
      return start <= instant && (end.map { instant < $0 } ?? true)
    }
    let all = TimeRangeSet(union: [range])
    let moving = moving.intersection(all)
    var totals = LiveTotals()
    totals.time = range.intersection(trace.range).length
    totals.movingTime = moving.length
    totals.work = work(in: all)
    totals.movingWork = work(in: moving)
    totals.blanks = blankTimes(in: range)
    for (pass, surface) in zip(passes, surfaces) {
      var figures = LiveTotals.Surface()
      let motion = pass.motions.time.intersection(all)
      figures.movingTime = motion.length
      figures.threadInMotion = workload.main.flatMap { workload.thread($0, in: motion) }
      figures.listsHitches = pass.surface.basis == .hitchList
      figures.isOnScreen = pass.isOnScreen
      figures.ledger = pass.ledger(over: all)
      for frame in pass.frames where frame.isOwed {
        if holds(frame.frame.time) {
          figures.frames += 1
          figures.framesInMotion += frame.motion != nil ? 1 : 0
          figures.evaluated += frame.isEvaluated ? 1 : 0
          figures.evaluatedInMotion += frame.isEvaluated && frame.motion != nil ? 1 : 0
        }
        if frame.missedDeadline == true, holds(frame.frame.commitEnd) {
          figures.deadlineMisses += 1
        }
      }
      for hitch in surface.hitches where holds(hitch.range.end) {
        figures.hitches += 1
        figures.refreshesMissed = figures.refreshesMissed.saturatingAdd(hitch.refreshesMissed ?? 0)
        // Without any interaction, all of the part would count as one.
        let isMoving = !pass.motions.time.isEmpty
        figures.hitchTime += isMoving ? hitch.length : hitch.lengthInMotion
        if isMoving { figures.hitchTimeInside += hitch.lengthInMotion }
      }
      totals.surfaces[surface.name] = figures
    }
    return totals
  }

  private func work(in time: TimeRangeSet) -> LiveTotals.Work {
    LiveTotals.Work(
      main: workload.main.map { workload.running[$0.index].busy(in: time) } ?? .zero,
      background: workload.backgroundBusy(in: time))
  }

  /// Returns the blank time of each list by name (M-27), of those that are known to have displayed a cell.
  static func blankTimes(
    in trace: Trace, moving: TimeRangeSet, refreshInterval: TimeSpan?
  ) -> [String: BlankTime] {
    let context = ListPass.Context(
      late: LateWindows(of: []), moving: moving,
      measured: moving.isEmpty ? TimeRangeSet(union: [trace.range]) : moving,
      refreshInterval: refreshInterval)
    let known = ListPass.lists(of: trace, context).compactMap { list in
      list.blank.map { (list.name, $0) }
    }
    return Dictionary(known, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the blank time of each list in a range; empty if something moves, but not there.
  func blankTimes(in range: TimeRange) -> [String: LiveTotals.Blank] {
    guard !moving.isEmpty else {
      let recording = TimeRangeSet(union: [trace.range])
      return blanks.mapValues {
        LiveTotals.Blank(withoutMotion: $0.time(in: recording, within: range))
      }
    }
    guard moving.coveredLength(of: range) > .zero else { return [:] }
    return blanks.mapValues { LiveTotals.Blank(inMotion: $0.time(in: moving, within: range)) }
  }

  /// The last `count` refreshes of a surface before `now`, ascending. Refreshes without a frame are
  /// assumed to have the rate of the frames before them.
  ///
  /// Open work of the main thread counts until `now`.
  package func refreshes(of surface: String, last count: Int, until now: Timestamp) -> [RefreshWork]
  {
    guard count > 0, let pass = passes.first(where: { $0.surface.name == surface }) else {
      return []
    }
    var refreshes = Self.grid(pass.frames, last: count, until: now)
    guard let first = refreshes.first, let main = workload.main else { return refreshes }
    var cursor = workload.cursor()
    let open = openRange(of: main, until: now)
    let ahead = rangesAhead(of: main, since: first.start)
    var occupied = BusyCursor(workload.timelines[main.index])
    var done = first.start
    for index in refreshes.indices {
      let own = refreshes[index].range
      let end = max(own.end, refreshes[index].lateCommitEnd ?? own.end)
      refreshes[index].isSkipped = own.end <= done
      let range = TimeRange(start: min(max(own.start, done), end), end: end)
      done = max(done, end)
      var busy = cursor.mainBusy(in: range)
      var waiting = TimeSpan(nanoseconds: occupied.busy(in: range)) - busy
      if let open {
        let length = range.intersection(open.range).length
        if open.isWaiting { waiting += length } else { busy += length }
      }
      refreshes[index].mainBusy = min(busy, range.length)
      refreshes[index].mainWaiting = max(
        .zero, min(waiting, range.length - refreshes[index].mainBusy))
      refreshes[index].aheadBusy = ahead.coveredLength(of: range)
    }
    return refreshes
  }

  /// The refreshes of frames, and those between and after them.
  private static func grid(
    _ frames: EvaluatedFrames, last count: Int, until now: Timestamp
  ) -> [RefreshWork] {
    var refreshes: [RefreshWork] = []
    // Only as far back as is displayed.
    func fill(until instant: Timestamp, _ refreshInterval: TimeSpan) {
      guard let last = refreshes.last else { return }
      var next = last.start + last.refreshInterval
      let earliest = instant - refreshInterval * Int64(count)
      if next < earliest { next = earliest }
      // A refresh is nearer to the frame's than to the previous one, or it is the frame's.
      while instant - next > TimeSpan(nanoseconds: refreshInterval.nanoseconds / 2) {
        refreshes.append(RefreshWork(start: next, refreshInterval: refreshInterval))
        next = next + refreshInterval
      }
    }
    for frame in frames.suffix(count) {
      guard let start = frame.frame.start, let interval = frame.refreshInterval, interval > .zero,
        start <= now
      else { continue }
      fill(until: start, refreshes.last?.refreshInterval ?? interval)
      let isMissed = frame.missedDeadline == true
      // The work of a commit that has not ended is late until now.
      let lateEnd = isMissed ? min(frame.frame.commitEnd ?? now, now) : nil
      if let last = refreshes.last,
        start < last.range.end - TimeSpan(nanoseconds: last.refreshInterval.nanoseconds / 2)
      {
        if isMissed {
          refreshes[refreshes.count - 1].missedDeadline = true
          refreshes[refreshes.count - 1].lateCommitEnd = lateEnd
        }
        continue
      }
      refreshes.append(
        RefreshWork(
          start: start, refreshInterval: interval, lateCommitEnd: lateEnd,
          missedDeadline: isMissed))
    }
    if let last = refreshes.last { fill(until: now, last.refreshInterval) }
    return Array(refreshes.suffix(count))
  }

  /// Returns the time from the main track's last recorded end to `now` if a span is open on it, and
  /// whether the innermost open span is a wait; `nil` if none is open.
  private func openRange(
    of main: TrackID, until now: Timestamp
  ) -> (range: TimeRange, isWaiting: Bool)? {
    let open = trace.openSpans.filter { $0.track == main }
    guard let first = open.map(\.since).min(), let innermost = open.max(by: { $0.since < $1.since })
    else { return nil }
    let recorded = Timestamp(
      clamping: trace.tracks[main.index].spans.times.lazy.map(\.end).max() ?? 0)
    return (TimeRange(start: max(first, recorded), end: now), workload.waits[innermost.label])
  }

  /// The ranges in which the main track prepared cells that were not needed yet.
  private func rangesAhead(of main: TrackID, since start: Timestamp) -> TimeRangeSet {
    guard let key = trace.strings.firstID(of: "ahead") else { return TimeRangeSet(union: []) }
    let spans = trace.tracks[main.index].spans
    let ranges = spans.times.indices.lazy.filter {
      spans.times[$0].end >= start.nanoseconds
        && trace.arguments.value(of: key, in: spans.arguments(at: $0)) == .bool(true)
    }.map { spans[$0].range }
    return TimeRangeSet(union: Array(ranges))
  }

  /// Shorter stalls may have been recorded already and not been read yet.
  private static let minimumStall = TimeSpan.milliseconds(100)

  /// The longest stall of a surface at `now`, or `nil` if no frame is expected or one has just been
  /// presented.
  ///
  /// A frame is expected in motion (M-3) and after a frame has started. The outcome is not known
  /// yet: if the recording ends here, it contains this hitch; if it continues, the hitch that
  /// results.
  package func stall(at now: Timestamp) -> LiveStall? {
    passes.compactMap { stall(of: $0, at: now) }.max { $0.length < $1.length }
  }

  private func stall(of pass: SurfacePass, at now: Timestamp) -> LiveStall? {
    guard let interval = pass.frames.last?.refreshInterval, interval > .zero,
      let since = owedSince(pass)
    else { return nil }
    let start = since + interval
    let length = now - start
    guard length >= max(Self.minimumStall, interval * 2) else { return nil }
    return LiveStall(
      surface: pass.surface.name, start: start, length: length,
      refreshesMissed: Int(length.nanoseconds / interval.nanoseconds))
  }

  /// The time of the last event of a surface in motion, or the start of its open frame, or `nil` if
  /// no frame is expected.
  private func owedSince(_ pass: SurfacePass) -> Timestamp? {
    let motion = pass.interactions.filter { $0.end == nil }.map(\.start).max()
    // Frames whose presentation is not reported yet are done.
    let last = pass.frames.suffix(8).compactMap { frame in
      frame.isOwed
        ? [frame.shown, frame.frame.commitEnd].compactMap { $0 }.max() : frame.frame.time
    }.max()
    if let motion { return max(motion, last ?? motion) }
    return trace.openSpans.first { span in
      trace.isFrame(span.label) && trace.name(of: span.label) == pass.surface.name
    }?.since
  }

  /// The samples of the thread that makes the frames, or `nil` if there are none.
  package var sampleTimeline: SampleTimeline? { SampleTimeline(of: trace, attributor: nil) }
}

extension SampleTimeline {
  /// Returns the host's function that most of the sampled time of a window is in, or `nil` if there are
  /// too few samples or none is in most of it.
  package func heaviestFunction(in window: TimeRange) -> String? {
    let account = account(of: TimeRangeSet(union: [window]))
    guard !account.isOnlyOrder, let code = account.unrecorded, code.isMost else { return nil }
    return code.function
  }
}

/// A hitch in progress: a frame is expected and has not been presented.
package struct LiveStall: Equatable, Sendable {
  package let surface: String
  /// The start: one refresh after the last event.
  package let start: Timestamp
  package let length: TimeSpan
  /// The number of whole refreshes without a frame so far.
  package let refreshesMissed: Int
}

/// The main-thread work between two refreshes of the display. A late commit belongs as a whole to the
/// refresh in which it started.
package struct RefreshWork: Equatable, Sendable {
  package let start: Timestamp
  package let refreshInterval: TimeSpan
  /// The end of a late commit that started in this refresh, or `nil` if none did.
  var lateCommitEnd: Timestamp?
  /// A Boolean value indicating whether the late commit of an earlier refresh lasted beyond this one.
  package internal(set) var isSkipped = false
  package internal(set) var mainBusy = TimeSpan.zero
  /// How much of it the main thread waited, which is no work (M-11).
  package internal(set) var mainWaiting = TimeSpan.zero
  /// The part of the busy time for cells prepared before they were needed.
  package internal(set) var aheadBusy = TimeSpan.zero
  /// A Boolean value indicating whether the frame that started at the refresh missed its deadline
  /// (M-1).
  package internal(set) var missedDeadline = false

  var range: TimeRange { TimeRange(start: start, end: start + refreshInterval) }
}
