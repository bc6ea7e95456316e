import ScrollTraceModel

/// Finds what made frames late after the main thread's work for them, which was done in time (M-16).
struct HitchDelayPass {
  private let pass: SurfacePass
  private let attributor: Attributor?
  /// How long before their targets half of the frames on time end their commits, or `nil` if their deadlines
  /// are known, or they are too few.
  private lazy var usualLead = Self.usualLead(of: pass.frames)
  /// The time from the start of most frames to that of the next one, or `nil` if it varies.
  private lazy var usualSpacing = Self.usualSpacing(of: pass.frames)
  /// The threads that draw what the main thread committed.
  private let drawingTracks: [TrackID]
  /// Whether the frames are those of the display, which no thread of the app commits.
  private let isOfDisplay: Bool
  /// The number of earlier frames that are looked at.
  private static let reach = 64

  init(pass: SurfacePass, attributor: Attributor?) {
    self.pass = pass
    self.attributor = attributor
    isOfDisplay = pass.surface.isDisplayStream || pass.trace.isOfDisplayAlone(pass.surface)
    let trace = pass.trace
    let app = trace.foreignTrack(of: pass.id).map { trace.tracks[$0.index].process }
    let own =
      app.map { app in pass.workload.foreign.filter { trace.tracks[$0.index].process == app } }
      ?? pass.workload.background
    let tracks = own + pass.workload.foreign.filter { Self.isOfGPUProcess($0, in: trace) }
    drawingTracks = tracks.filter { trace.tracks[$0.index].name.isNameOfDrawingThread }
  }

  /// Whether a thread is of the process in which a browser draws.
  private static func isOfGPUProcess(_ track: TrackID, in trace: Trace) -> Bool {
    trace.processes[trace.tracks[track.index].process.index].name.lowercased().includes("gpu")
  }

  private static func usualLead(of frames: EvaluatedFrames) -> TimeSpan? {
    let leads = frames.compactMap { frame in
      frame.isEvaluated && frame.lateness == .zero ? lead(of: frame.frame) : nil
    }
    return leads.count < FindingThresholds.minimumCells ? nil : Percentiles(of: leads)?.p50
  }

  /// The median of the times between the starts of frames, if three quarters of them are within a sixteenth of it.
  private static func usualSpacing(of frames: EvaluatedFrames) -> TimeSpan? {
    let starts = frames.compactMap(\.frame.start)
    let spacings = zip(starts, starts.dropFirst()).map { $1 - $0 }
    guard spacings.count >= FindingThresholds.minimumCells,
      let median = Percentiles(of: spacings)?.p50
    else { return nil }
    let usual = spacings.count { ($0 - median).magnitude * 16 <= median }
    return usual * 4 >= spacings.count * 3 ? median : nil
  }

  /// The time from the start of a frame to that of the next one, if that is no whole number of refreshes, and this
  /// frame too was begun after it.
  private mutating func ownRate(of frame: EvaluatedFrame, at position: Int) -> TimeSpan? {
    guard pass.surface.basis == .cadence, let usualSpacing,
      let interval = frame.refreshInterval, interval > .zero,
      let start = frame.frame.start,
      let before = pass.frames[..<position].suffix(Self.reach).last(where: { $0.frame.start != nil }
      )?
      .frame.start
    else { return nil }
    let rest = usualSpacing.nanoseconds % interval.nanoseconds
    let isOff = min(rest, interval.nanoseconds - rest) > interval.nanoseconds / 100
    return isOff && usualSpacing > interval && (start - before) * 4 <= usualSpacing * 5
      ? usualSpacing : nil
  }

  /// The time from a commit's end to its target, or `nil` if it has a deadline.
  private static func lead(of frame: Frame) -> TimeSpan? {
    guard frame.deadline == nil, let end = frame.commitEnd, let target = frame.target else {
      return nil
    }
    return target - end
  }

  /// Returns what made a frame late although the main thread's work for it was done in time, as far as its
  /// kind does not say so, or `nil`.
  mutating func delay(
    of frame: EvaluatedFrame, at position: Int, _ kind: HitchKind, _ window: TimeRange?,
    _ attribution: Attribution?
  ) -> Hitch.Delay? {
    if kind == .unknown, let usualLead, let lead = Self.lead(of: frame.frame) {
      return lead >= usualLead ? .afterUsualCommit : nil
    }
    if kind == .skippedRefresh, let gap = frame.gapWork, let window, window != gap,
      let refreshInterval = frame.refreshInterval, window.length <= refreshInterval
    {
      // The work was done before the next refresh, so what came late is behind it.
      if let drawing = drawing(after: frame) { return drawing }
      guard let dropped = droppedFrames(before: position, since: gap.start).first else {
        return drawing(in: TimeRange(start: window.end, end: gap.end))
          ?? .noFrame(gap)
      }
      return wasDone(pass.frames[dropped]) ? .dropped : nil
    }
    if kind == .render { return drawing(after: frame) }
    guard let window else { return nil }
    if let attribution {
      guard attribution.isMostlyUnexplained else { return workOfGPU(in: window, attribution) }
      if isOfDisplay, isAppOnTime(in: window) { return .display }
      let found =
        isOfDisplay
        ? longDrawing(in: window, refreshInterval: frame.refreshInterval)
        : drawing(in: window, of: frame.frame, at: position) ?? longDrawing(of: frame)
      if let found = found ?? workOfGPU(in: window, attribution) { return found }
    }
    return kind == .skippedRefresh
      ? delayBetweenFrames(before: position, window, attribution) : nil
  }

  /// The work of a browser's own drawing process that fills three quarters of a window in most of which the main
  /// thread was off its core, inside of some work: it waited for that.
  private func workOfGPU(in window: TimeRange, _ attribution: Attribution) -> Hitch.Delay? {
    guard attribution.notRunning.isPart(0.5, of: window.length) else { return nil }
    let busiest = drawingTracks.filter { Self.isOfGPUProcess($0, in: pass.trace) }
      .map { (track: $0, time: pass.workload.running[$0.index].busy(in: window)) }
      .max { $0.time < $1.time }
    guard let busiest, busiest.time.isPart(0.75, of: window.length),
      let work = mainWork(on: busiest.track, in: window)
    else { return nil }
    return .drawing(
      thread: busiest.track, label: work.label, parts: work.parts, time: busiest.time, .gpu)
  }

  /// Whether all frames that the app's threads committed in a window, or shortly before it, met their deadline.
  private func isAppOnTime(in window: TimeRange) -> Bool {
    var count = 0
    let start = window.start - TimeSpan(nanoseconds: window.length.nanoseconds)
    for surface in pass.trace.surfaces where surface.isOfThread {
      let frames = surface.frames
      let first = frames.partitionPoint { $0.time.map { $0 >= start } ?? true }
      for frame in frames[first...].prefix(Self.reach) {
        guard let time = frame.time, time <= window.end else { break }
        guard let end = frame.commitEnd, let deadline = frame.deadline, end <= deadline else {
          return false
        }
        count += 1
      }
    }
    return count > 0
  }

  /// What a drawing thread did in most of the rest of a window, after the main thread's last work,
  /// which ended before the deadline.
  private func drawing(
    in window: TimeRange, of frame: Frame, at position: Int
  ) -> Hitch.Delay? {
    guard !drawingTracks.isEmpty, let attributor else { return nil }
    let begin = frame.start ?? window.start
    // The main thread may make the next frame while this one is drawn.
    let next = pass.frames[(position + 1)...].prefix(Self.reach).lazy.compactMap(\.frame.start)
      .first
    let own = TimeRange(
      start: begin, end: max(begin, min(window.end, next ?? window.end)))
    let end = attributor.workEnd(in: own) ?? begin
    let rest = TimeRange(start: max(window.start, end), end: window.end)
    guard frame.deadline.map({ end <= $0 }) ?? true,
      rest.length.isPart(0.5, of: window.length)
    else { return nil }
    return drawing(in: rest)
  }

  /// The longest work of a drawing thread between the start and the picture of a frame that the main thread
  /// was done with within a refresh.
  private func longDrawing(of frame: EvaluatedFrame) -> Hitch.Delay? {
    guard let refreshInterval = frame.refreshInterval, let start = frame.frame.start,
      let end = frame.frame.commitEnd, let shown = frame.frame.presented, start < shown,
      end - start <= refreshInterval
    else { return nil }
    return longDrawing(
      in: TimeRange(start: start, end: shown), refreshInterval: refreshInterval)
  }

  /// The longest work of a drawing thread that touches a window, if it takes more than a refresh. It is that of a
  /// frame of the display, whose begin is unknown.
  private func longDrawing(in window: TimeRange, refreshInterval: TimeSpan?) -> Hitch.Delay? {
    var longest: (track: TrackID, range: TimeRange)?
    for track in drawingTracks {
      for span in spans(of: track, in: window)
      where span.range.length > longest?.range.length ?? refreshInterval ?? window.length {
        longest = (track, span.range)
      }
    }
    return longest.flatMap { drawing(in: $0.range) }
  }

  /// What a drawing thread did for most of the time between a frame's commit and its picture.
  private func drawing(after frame: EvaluatedFrame) -> Hitch.Delay? {
    guard let end = frame.frame.commitEnd, let shown = frame.shown, end < shown else { return nil }
    return drawing(in: TimeRange(start: end, end: shown))
  }

  private func spans(of track: TrackID, in window: TimeRange) -> [WorkSpan] {
    pass.workload.spans(of: track, in: window, pass.trace)
  }

  /// The work of a drawing thread, or its wait for the GPU, that fills most of a window.
  private func drawing(in rest: TimeRange) -> Hitch.Delay? {
    let busiest = drawingTracks.lazy
      .map { (track: $0, time: pass.workload.running[$0.index].busy(in: rest)) }
      .max { $0.time < $1.time }
    guard let busiest, busiest.time.isPart(0.5, of: rest.length),
      let work = mainWork(on: busiest.track, in: rest)
    else { return waitForDisplay(in: rest) }
    let isGPU = pass.trace.name(of: work.label) == "GPU"
    return .drawing(
      thread: busiest.track, label: work.label, parts: work.parts,
      time: drawingTime(on: busiest.track, in: rest, busy: busiest.time),
      isGPU ? .gpu : drawing(on: busiest.track, in: rest))
  }

  /// The longest work of a drawing thread in a window, or all of it if that is less than half: the rest is of
  /// earlier frames.
  private func drawingTime(on track: TrackID, in window: TimeRange, busy: TimeSpan) -> TimeSpan {
    let longest =
      spans(of: track, in: window).map { $0.range.intersection(window).length }.max() ?? busy
    return longest.isPart(0.5, of: busy) ? min(longest, busy) : busy
  }

  /// What the scheduler says that a thread did for most of a window, if it is not work.
  private func drawing(on track: TrackID, in window: TimeRange) -> Hitch.Drawing {
    guard let times = pass.workload.threads[track.index]?.times(in: window) else { return .works }
    if (times.ready ?? .zero).isPart(0.5, of: window.length) { return .hasNoCore }
    let states = pass.trace.tracks[track.index].threadStates
    var disk: Int64 = 0
    for index in states.indexes(in: window) where states.isUninterruptible(at: index) {
      disk +=
        min(states.ends[index], window.end.nanoseconds)
        - max(states.starts[index], window.start.nanoseconds)
    }
    if disk >= window.length.nanoseconds / 2 { return .waitsForDisk }
    return (times.blocked ?? .zero).isPart(0.5, of: window.length) ? .waits : .works
  }

  /// The wait of a drawing thread for the GPU, or for a buffer of the display, that fills most of a window.
  private func waitForDisplay(in window: TimeRange) -> Hitch.Delay? {
    for track in drawingTracks {
      let time = pass.workload.timelines[track.index].busy(in: window)
      guard time.isPart(0.5, of: window.length) else { continue }
      if let label = mainWork(on: track, in: window)?.label,
        pass.trace.name(of: label).lowercased().includes("gpu completion")
      {
        return .drawing(
          thread: track, label: label, parts: 1,
          time: drawingTime(on: track, in: window, busy: time), .gpu)
      }
      if let (label, waited) = longestWait(on: track, in: window), waited.isPart(0.5, of: time) {
        return .drawing(thread: track, label: label, parts: 1, time: waited, .waits)
      }
    }
    return nil
  }

  /// The longest span of a track in `window` that waits for a buffer of the display, and its part there.
  private func longestWait(on track: TrackID, in window: TimeRange) -> (LabelID, TimeSpan)? {
    spans(of: track, in: window).filter { WaitingNames.isOfDisplay(pass.trace.name(of: $0.label)) }
      .map { ($0.label, $0.range.intersection(window).length) }.max { $0.1 < $1.1 }
  }

  /// Whether the main thread's work for a frame that was dropped ended before its deadline.
  private func wasDone(_ frame: EvaluatedFrame) -> Bool {
    guard frame.missedDeadline != true else { return false }
    guard let attributor, let start = frame.frame.start, let deadline = frame.frame.deadline,
      let interval = frame.refreshInterval, start < deadline
    else { return true }
    let reach = TimeRange(start: start, end: deadline + interval)
    let busy = attributor.attribution(of: TimeRange(start: start, end: deadline))
    // Work that fills the time to the deadline, and goes on, is the app's.
    let isFull = (busy.window.length - busy.idle - busy.unrecorded).isPart(
      0.9, of: busy.window.length)
    return !isFull || (attributor.workEnd(in: reach) ?? start) <= deadline
  }

  /// The positions of the frames that were dropped between `start` and the one at `position`, the last first.
  func droppedFrames(before position: Int, since start: Timestamp) -> [Int] {
    (max(0, position - Self.reach)..<position).reversed()
      .prefix { pass.frames[$0].frame.time.map { $0 >= start } ?? false }
      .filter { pass.frames[$0].frame.outcome == .dropped }
  }

  /// The spans of one name on a track in a window, without the numbers in the name.
  private struct NamedWork {
    /// The label of the longest.
    var label: LabelID
    var time = TimeSpan.zero
    var longest = TimeSpan.zero
    /// The end of the last of them, which holds those inside it.
    var end: Timestamp
    /// The position of the outermost span around the last of them.
    var outermost = 0
    /// The number of them inside that, and inside the one with most.
    var count = 0
    var parts = 1
  }

  /// The innermost work of a track that takes at least half of its time in `window`, or else the longest, and the
  /// number of spans of that name inside the work around them, which is one if one takes most of their time.
  private func mainWork(on track: TrackID, in window: TimeRange) -> (label: LabelID, parts: Int)? {
    var (works, indexes) = ([NamedWork](), [String: Int]())
    var (whole, end, outermost) = (TimeSpan.zero, window.start, 0)
    for span in spans(of: track, in: window) {
      let range = span.range.intersection(window)
      let isInner = range.start < end
      if range.end > end {
        whole += range.end - max(range.start, end)
        end = range.end
      }
      outermost += isInner ? 0 : 1
      let name = NameTemplate.name(of: span.label, in: pass.trace)
      let index = indexes[name] ?? works.count
      if index == works.count {
        indexes[name] = index
        works.append(NamedWork(label: span.label, end: window.start))
      }
      guard range.end > works[index].end else { continue }
      if works[index].outermost != outermost { works[index].count = 0 }
      works[index].outermost = outermost
      works[index].count += isInner && range.start >= works[index].end ? 1 : 0
      works[index].parts = max(works[index].parts, works[index].count)
      works[index].time += range.end - max(range.start, works[index].end)
      if range.length > works[index].longest {
        (works[index].label, works[index].longest) = (span.label, range.length)
      }
      works[index].end = range.end
    }
    let large = works.enumerated().filter { $0.element.time.isPart(0.5, of: whole) }
    // Work inside other work is no longer, and begins no earlier.
    let innermost = large.min { ($0.element.time, $1.offset) < ($1.element.time, $0.offset) }?
      .element
    guard let found = innermost ?? works.max(by: { $0.time < $1.time }) else { return nil }
    return (found.label, found.longest * 4 > found.time * 3 ? 1 : found.parts)
  }

  /// What came between two frames whose commits met their deadlines: one that was dropped, or none. If the
  /// main thread may have worked there unseen, it is unknown, unless frames are always begun like this.
  private mutating func delayBetweenFrames(
    before position: Int, _ window: TimeRange, _ attribution: Attribution?
  ) -> Hitch.Delay? {
    let frame = pass.frames[position]
    guard let begin = frame.frame.start ?? frame.frame.commitStart else { return nil }
    let isLateBegin =
      attribution.map {
        $0.thread == nil && !pass.trace.hasMainSamples
          && (begin - window.start).isPart(0.5, of: window.length)
      } ?? false
    if frame.missedDeadline == nil, isLateBegin {
      return ownRate(of: frame, at: position).map { .ownRate($0) }
    }
    guard frame.missedDeadline == false else { return nil }
    for before in pass.frames[..<position].suffix(Self.reach).reversed()
    where before.frame.outcome != .dropped {
      guard let end = before.frame.commitEnd, end > window.start else { break }
      if before.missedDeadline != false { return nil }
    }
    if let dropped = droppedFrames(before: position, since: window.start).first {
      return wasDone(pass.frames[dropped]) ? .dropped : nil
    }
    guard isLateBegin else { return nil }
    return drawing(in: TimeRange(start: window.start, end: begin)) ?? .noFrame(window)
  }
}

extension Attribution {
  /// Whether no work or wait that is known fills half of the window.
  var isMostlyUnexplained: Bool {
    (RemovableCause.unrecorded.time(in: self) + idle).isPart(0.5, of: window.length)
  }
}

extension String {
  /// Whether threads of this name draw, as Android's RenderThread, Flutter's
  /// raster thread and the compositors of browsers do.
  var isNameOfDrawingThread: Bool {
    let name = lowercased()
    return ["render", "raster", "gpu", "compositor"].contains { name.includes($0) }
  }
}
