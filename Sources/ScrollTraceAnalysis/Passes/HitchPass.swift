import ScrollTraceModel

/// Turns evaluated frames into hitches with kind, severity and attribution (M-4, M-5, M-7, M-16).
struct HitchPass {
  let pass: SurfacePass
  /// The attributor of the main thread that makes these frames, or `nil` if nothing is known of it.
  let attributor: Attributor?
  var budget: AnalysisResourceLimits
  private var delays: HitchDelayPass
  /// The attributors of other tracks that committed frames.
  private var otherAttributors: [TrackID: Attributor] = [:]
  /// The thread of a game's engine that makes its frames, beside the main thread of the system, or `nil`.
  private let gameThread: TrackID?
  /// The number of updates of the app that are looked at for a picture of the display.
  private static let updates = 8

  init(pass: SurfacePass, attributor: Attributor?, budget: AnalysisResourceLimits) {
    var attributor = attributor
    if attributor != nil, let foreign = pass.trace.foreignTrack(of: pass.id) {
      // The host's main thread makes no frames of another app.
      attributor =
        pass.workload.knowsWork(of: foreign, pass.trace)
        ? Attributor(of: pass.trace, pass.workload, on: foreign) : nil
    }
    self.pass = pass
    self.attributor = attributor
    self.budget = budget
    gameThread = pass.workload.background.first {
      ["UnityMain", "GameThread"].contains(pass.trace.tracks[$0.index].name)
    }
    delays = HitchDelayPass(pass: pass, attributor: attributor)
  }

  /// The hitches, sorted by start.
  mutating func hitches() -> [Hitch] {
    if pass.surface.basis == .hitchList {
      let selected = pass.surface.listedHitches.filter { pass.isSelected($0) }
      return selected.map { hitch(listed: $0) }
    }
    var found: [Hitch] = []
    var cascades: [Int: Int] = [:]
    var origin: (position: Int, attribution: Attribution?)?
    let frames = pass.frames
    // Calls copy this pass, which is large, so that there are none for frames on time.
    for position in frames.indices
    where frames.hasHitch(at: position) || frames.source.frames[position].missedDeadline == true {
      if let origin = cascadeOrigin(at: position, known: cascades) { cascades[position] = origin }
      guard frames.hasHitch(at: position) else { continue }
      let frame = frames[position]
      guard let shown = frame.shown, pass.isSelected(frame, seenUntil: shown) else { continue }
      if let first = cascades[position], origin?.position != first {
        origin = (first, attribution(of: commitWindow(at: first), at: first))
      }
      found.append(
        hitch(
          frame, at: position, shown: shown,
          cascade: cascades[position].map { (frames[$0].frame.id, origin?.attribution) }))
    }
    for tail in pass.evaluatedMotions.lazy.compactMap(\.tail) where pass.isSelected(tail) {
      found.append(hitch(tail))
    }
    return found.stablySorted { $0.range.start < $1.range.start }
  }

  /// The hitch of the frame at `position`, selected or not, or `nil` if it was on time.
  mutating func hitch(ofFrameAt position: Int) -> Hitch? {
    let frame = pass.frames[position]
    guard frame.hitch > .zero, let shown = frame.shown else {
      let tail = pass.evaluatedMotions.lazy.compactMap(\.tail).first { $0.frame == position }
      return tail.map { hitch($0) }
    }
    var cascades: [Int: Int] = [:]
    for earlier in 0...position {
      if let origin = cascadeOrigin(at: earlier, known: cascades) { cascades[earlier] = origin }
    }
    return hitch(
      frame, at: position, shown: shown,
      cascade: cascades[position].map { (pass.frames[$0].frame.id, nil) })
  }

  /// The attribution of the frame at `position`, whether or not it was late.
  mutating func attribution(ofFrameAt position: Int) -> Attribution? {
    attribution(
      of: missWindow(at: position) ?? openWindow(at: position)
        ?? windowSinceFrame(before: position),
      at: position)
  }

  /// The window of a frame with only one known time: since the previous frame.
  private func windowSinceFrame(before position: Int) -> TimeRange? {
    guard position > 0, let begin = pass.frames[position - 1].frame.time,
      let end = pass.frames[position].frame.time
    else { return nil }
    return TimeRange(start: begin, end: end)
  }

  /// The window of a frame with an unknown end: until the next frame starts or the trace ends.
  private func openWindow(at position: Int) -> TimeRange? {
    let frame = pass.frames[position].frame
    guard frame.outcome == .unknown, let begin = frame.start ?? frame.commitStart else {
      return nil
    }
    let next = pass.frames[(position + 1)...].lazy.compactMap { $0.frame.start }.first
    return TimeRange(start: begin, end: next ?? pass.trace.range.end)
  }

  private mutating func hitch(
    _ frame: EvaluatedFrame, at position: Int, shown: Timestamp,
    cascade: (origin: UInt64, attribution: Attribution?)?
  ) -> Hitch {
    let range = TimeRange(start: shown - frame.hitch, end: shown)
    let kind: HitchKind =
      switch frame.missedDeadline {
      case true?: .commit
      case false? where frame.lateness > .zero: .render
      case nil where frame.lateness > .zero: .unknown
      default: .skippedRefresh
      }
    let gap = kind == .commit ? nil : frame.gapWork
    let between = kind == .skippedRefresh ? gap.flatMap { workBetween($0, at: position) } : nil
    let update = kind == .skippedRefresh ? lateUpdate(before: frame) : nil
    let window =
      kind == .commit
      ? commitWindow(at: position)
      : between ?? update
        ?? gap.map {
          lateWork(droppedBefore: position, in: $0) ?? withoutWait($0, at: position)
        } ?? missWindow(at: position)
    let attribution = attribution(of: window, at: position)
    var hitch = hitch(
      range, lasting: frame.hitch, counted(range, inMotion: pass.hitchPieces[position] ?? []), kind,
      frame.frame, at: frame.index, start: frame.frame.start, frame.frame.sourceLabel,
      frame.refreshInterval, attribution)
    hitch.presented = frame.frame.presented
    hitch.overrun = frame.overrun
    hitch.isEstimated =
      pass.surface.basis == .deadline && isOfOwnLateness(frame)
      && (frame.frame.presented == nil || frame.hitch == frame.lateness)
    (hitch.delayedByFrame, hitch.originAttribution) = (cascade?.origin, cascade?.attribution)
    if cascade == nil, between == nil, update == nil {
      hitch.delay = delays.delay(of: frame, at: position, kind, window, attribution)
    }
    return hitch
  }

  private mutating func hitch(_ tail: EvaluatedMotion.TailHitch) -> Hitch {
    let frame = tail.frame.map { pass.frames[$0].frame }
    let attribution = attribution(of: tail.gap, at: tail.frame)
    return hitch(
      tail.range, lasting: tail.length, counted(tail.range, inMotion: tail.pieces),
      .skippedRefresh, frame, at: tail.frame, start: frame?.start ?? tail.gap.start,
      frame?.sourceLabel, tail.refreshInterval, attribution)
  }

  private mutating func hitch(listed: ListedHitch) -> Hitch {
    let range = TimeRange(start: listed.start, end: listed.start + listed.length)
    let inMotion = pass.motions.time.intersection(TimeRangeSet(union: [range])).ranges
    let attribution = attribution(of: range, at: nil)
    return hitch(
      range, lasting: listed.length,
      counted(range, inMotion: pass.motions.all.isEmpty ? [] : inMotion), .unknown, nil, at: nil,
      start: listed.start, listed.sourceLabel,
      listed.refreshInterval ?? pass.options.refreshInterval, attribution)
  }

  /// Creates a hitch with what follows from its length and its counted parts.
  private func hitch(
    _ range: TimeRange, lasting length: TimeSpan, _ pieces: [TimeRange], _ kind: HitchKind,
    _ frame: Frame?, at index: Int?, start: Timestamp?, _ label: StringID?,
    _ refreshInterval: TimeSpan?, _ attribution: Attribution?
  ) -> Hitch {
    let inside = pieces.reduce(into: TimeSpan.zero) { $0 += $1.length }
    return Hitch(
      frame: frame?.id, frameIndex: index, start: start, deadline: frame?.deadline,
      target: frame?.target, range: range, length: length, lengthInMotion: inside,
      refreshesMissed: refreshesMissed(length, refreshInterval: refreshInterval),
      refreshesMissedInside: inside > .zero
        ? refreshesMissed(inside, refreshInterval: refreshInterval) : 0, kind: kind,
      severity: severity(length, refreshInterval: refreshInterval),
      sourceLabel: label.map { pass.trace.strings[$0] }, attribution: attribution, pieces: pieces)
  }

  // MARK: - M-5, M-7

  /// The selected parts of a hitch that count: those in each of its motions, or in the recording without
  /// any motion.
  private func counted(_ range: TimeRange, inMotion pieces: [TimeRange]) -> [TimeRange] {
    guard !pass.motions.time.isEmpty else {
      let time = TimeRangeSet(union: pass.isNowhereInMotion ? [] : [range])
      return pass.countedTime.intersection(time).ranges
    }
    return pass.selection.time == nil
      ? pieces : pieces.flatMap { pass.selection.part(of: [$0]).ranges }
  }

  /// The number of whole refreshes, rounded up after subtracting the tolerance, at least one.
  private func refreshesMissed(_ length: TimeSpan, refreshInterval: TimeSpan?) -> Int? {
    guard let refreshInterval, refreshInterval > .zero else { return nil }
    let net = (length - pass.evaluator.tolerance(at: refreshInterval)).nanoseconds
    return net <= 0 ? 1 : Int((net - 1) / refreshInterval.nanoseconds) + 1
  }

  private func severity(_ length: TimeSpan, refreshInterval: TimeSpan?) -> HitchSeverity? {
    guard let refreshInterval else { return nil }
    let net = length - pass.evaluator.tolerance(at: refreshInterval)
    return net <= refreshInterval ? .low : net <= refreshInterval * 2 ? .moderate : .high
  }

  // MARK: - M-16

  /// The position of the frame whose work delayed this one, although its own work would have met
  /// its deadline. The first of several such frames is the origin of all.
  private func cascadeOrigin(at position: Int, known: [Int: Int]) -> Int? {
    let frames = pass.frames.source.frames
    guard frames[position].missedDeadline == true else {
      return lateBeginOrigin(at: position, known: known)
    }
    guard let origin = commit(before: position) else { return nil }
    let (frame, before) = (frames[position], frames[origin])
    guard before.missedDeadline == true, let begin = frame.start, let deadline = frame.deadline,
      let end = frame.commitEnd, let endBefore = before.commitEnd, endBefore > begin
    else { return nil }
    let start = max(frame.commitStart ?? endBefore, endBefore)
    guard end - start <= deadline - begin else { return nil }
    return known[origin] ?? origin
  }

  /// The position of the frame before one that was begun late and done in time, if its work lasted through the refresh
  /// at which this one was to begin.
  private func lateBeginOrigin(at position: Int, known: [Int: Int]) -> Int? {
    guard pass.frames.hasHitch(at: position) else { return nil }
    let frame = pass.frames[position]
    guard frame.lateness == .zero, let gap = frame.gapWork,
      let refreshInterval = frame.refreshInterval, let begin = frame.frame.start,
      let end = frame.frame.commitEnd, end - begin <= refreshInterval,
      let origin = commit(before: position)
    else { return nil }
    let before = pass.frames.source.frames[origin]
    let tolerance = pass.evaluator.tolerance(at: refreshInterval)
    guard let beginBefore = before.start, let endBefore = before.commitEnd,
      endBefore == gap.start, endBefore <= begin, begin - endBefore <= refreshInterval,
      endBefore - beginBefore > refreshInterval + tolerance,
      frame.hitch <= begin - beginBefore - refreshInterval + tolerance
    else { return nil }
    return before.missedDeadline == true ? known[origin] ?? origin : origin
  }

  /// The last frame before `position` with a known commit end. Called only for frames with a known
  /// commit end, so that no range of frames is searched twice.
  private func commit(before position: Int) -> Int? {
    pass.frames.source.frames[..<position].lastIndex { $0.commitEnd != nil }
  }

  /// Returns the gap before a frame whose picture is timed by its start, without the wait for the next refresh
  /// after all work was done.
  private mutating func withoutWait(_ gap: TimeRange, at position: Int) -> TimeRange {
    let frame = pass.frames[position].frame
    guard frame.start == gap.end else { return gap }
    let commit = commit(before: position).flatMap { pass.frames[$0].frame.commitEnd }
    let ends = [commit, attributor(on: frame.track)?.workEnd(in: gap)].compactMap(\.self)
    guard let end = ends.max(), gap.start < end else { return gap }
    return TimeRange(start: gap.start, end: min(end, gap.end))
  }

  /// Returns the gap before a frame up to the end of the work that ran instead of a frame at the refresh before;
  /// `nil` if there is none. The wait for the frame's own refresh, and its commit, made no picture late.
  private mutating func workBetween(_ gap: TimeRange, at position: Int) -> TimeRange? {
    let frame = pass.frames[position]
    guard let start = frame.frame.start, gap.start < start, start < gap.end,
      let before = pass.frames[..<position].last(where: { $0.frame.start != nil })?.frame.start,
      let refreshInterval = frame.refreshInterval, refreshInterval > .zero,
      let attributor = attributor(on: frame.frame.track),
      let end = attributor.workEnd(in: TimeRange(start: gap.start, end: start)),
      gap.start < end, end < start, end > start - refreshInterval
    else { return nil }
    // Hosts that start frames as soon as they can have no such wait.
    let rest = (start - before).nanoseconds % refreshInterval.nanoseconds
    guard min(rest, refreshInterval.nanoseconds - rest) <= refreshInterval.nanoseconds / 8,
      delays.droppedFrames(before: position, since: gap.start).isEmpty
    else { return nil }
    let window = TimeRange(start: gap.start, end: end)
    return isBusy(attributor, in: window) ? window : nil
  }

  /// Returns the last update of the app before a late picture of the display, from its start to the end of its work,
  /// if that took three quarters of a refresh or more; `nil` if there is none that the picture can show, or if the gap
  /// is more than two refreshes longer.
  private mutating func lateUpdate(before frame: EvaluatedFrame) -> TimeRange? {
    guard pass.surface.isDisplayStream, pass.surface.basis == .cadence,
      frame.frame.commitEnd == nil,
      let shown = frame.shown, let gap = frame.gapWork, let refreshInterval = frame.refreshInterval,
      let updates = pass.trace.surfaces.first(where: \.isOfThread)?.frames
    else { return nil }
    let end = updates.partitionPoint { $0.time.map { $0 >= shown } ?? true }
    var next = shown
    for update in updates[..<end].suffix(Self.updates).reversed() {
      guard let start = update.start, start < next, let attributor = attributor(on: update.track)
      else { continue }
      let work = update.commitEnd ?? attributor.workEnd(in: TimeRange(start: start, end: next))
      next = start
      // A picture is drawn at the refresh after the update, and displayed at the next one.
      if let work, start < work, work <= shown, shown - work < refreshInterval * 2,
        (work - start) * 4 >= refreshInterval * 3
      {
        let window = TimeRange(start: start, end: work)
        let fillsGap = gap.length <= window.length + refreshInterval * 2
        return fillsGap && isBusy(attributor, in: window) ? window : nil
      }
      if shown - start > refreshInterval * 3 { return nil }
    }
    return nil
  }

  /// Whether spans cover half of a window.
  private func isBusy(_ attributor: Attributor, in window: TimeRange) -> Bool {
    let busy = attributor.innermostSpans(in: window).reduce(Int64(0)) { $0 + $1.end - $1.start }
    return busy >= window.length.nanoseconds / 2
  }

  /// The windows of the frames in a gap that missed their deadlines and were dropped, as one; `nil` if none was, or if
  /// the gap is more than two refreshes longer, so that something else happened in it.
  private func lateWork(droppedBefore position: Int, in gap: TimeRange) -> TimeRange? {
    var work: TimeRange?
    for before in delays.droppedFrames(before: position, since: gap.start) {
      guard pass.frames[before].missedDeadline == true, let window = commitWindow(at: before) else {
        continue
      }
      work = TimeRange(start: window.start, end: work?.end ?? window.end)
    }
    guard let work, let refreshInterval = pass.frames[position].refreshInterval,
      gap.length <= work.length + refreshInterval * 2
    else { return nil }
    return work
  }

  /// The window of a missed deadline: [max(b, the previous commit end), c].
  private func commitWindow(at position: Int) -> TimeRange? {
    let frame = pass.frames[position].frame
    guard let end = frame.commitEnd else { return nil }
    let before = commit(before: position).flatMap { pass.frames[$0].frame.commitEnd }
    let known = [frame.start, before].compactMap { $0 }.filter { $0 <= end }
    guard let begin = known.max() ?? frame.commitStart else { return nil }
    return TimeRange(start: begin, end: end)
  }

  /// The window of a late frame that met its deadline: its own work.
  private func missWindow(at position: Int) -> TimeRange? {
    let frame = pass.frames[position].frame
    if let window = commitWindow(at: position) { return window }
    guard let begin = frame.start ?? frame.target, let end = frame.presented else { return nil }
    return TimeRange(start: begin, end: end)
  }

  /// What filled `window`, on the thread that committed the frame at `position`.
  private mutating func attribution(of window: TimeRange?, at position: Int?) -> Attribution? {
    let frame = position.map { pass.frames[$0].frame }
    guard let attributor = attributor(on: frame?.track), let window, window.length > .zero,
      budget.hasPieces(for: pass.surface.name)
    else { return nil }
    var starting: TimeRange?
    if let frame, let start = frame.start, let commit = frame.commitStart, commit > start {
      starting = TimeRange(start: start, end: commit)
    }
    let (result, pieceCount) = attributor.attribute(window, starting: starting)
    budget.spend(pieces: pieceCount)
    guard let gameThread, result.isMostlyUnexplained,
      let other = self.attributor(on: gameThread)
    else { return result }
    let game = other.attribute(window, starting: starting)
    budget.spend(pieces: game.pieceCount)
    return game.result.isMostlyUnexplained ? result : game.result
  }

  /// The attributor of a track of the host, the main one's if `track` is unknown or another app's.
  private mutating func attributor(on track: TrackID?) -> Attributor? {
    guard let attributor, let track, track != pass.workload.main, pass.trace.isOtherThread(track)
    else { return attributor }
    if let known = otherAttributors[track] { return known }
    let other = Attributor(of: pass.trace, pass.workload, on: track) ?? attributor
    otherAttributors[track] = other
    return other
  }

  // MARK: - M-17

  /// The frames to judge again without a cause, in order: those with a hitch, those that missed their
  /// deadline, and those that ended after the next one could have begun. Hitches that no frame ended follow.
  mutating func lateFrames(of hitches: [Hitch]) -> [LateFrame] {
    let byFrame = Dictionary(
      hitches.enumerated().compactMap { index, hitch in hitch.frameIndex.map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
    let isOnGrid = isOnGrid
    var found: [LateFrame] = []
    var last: Int?
    let frames = pass.frames.source.frames
    for position in frames.indices where frames[position].commitEnd != nil {
      let before = last
      last = position
      let index = byFrame.isEmpty ? nil : byFrame[position]
      guard
        index != nil || frames[position].missedDeadline == true
          || Self.delaysNext(position, in: frames)
      else { continue }
      let hitch = index.map { hitches[$0] }
      let frame = pass.frames[position]
      let window = commitWindow(at: position)
      let commit =
        hitch?.kind == .commit && hitch?.attribution?.window == window
        ? hitch?.attribution : attribution(of: window, at: position)
      let room = window.map { $0.start - (frame.frame.start ?? $0.start) } ?? .zero
      let follows = before.map { pass.frames[$0].index == found.last?.index } ?? false
      found.append(
        LateFrame(
          index: frame.index, rule: rule(of: frame, hitch, isOnGrid: isOnGrid),
          attribution: hitch?.chargedAttribution, commit: commit, room: max(.zero, room),
          followsLateFrame: follows, overrun: frame.overrun ?? .zero,
          refreshInterval: frame.refreshInterval ?? .zero,
          hitchTime: hitch?.lengthInMotion ?? .zero, length: frame.lateness,
          addsToLateness: follows && isOnGrid && addsToLateness(position, after: before)))
    }
    let known = Set(found.compactMap(\.index))
    for hitch in hitches where hitch.frameIndex.map({ !known.contains($0) }) ?? true {
      found.append(
        LateFrame(
          index: hitch.frameIndex, rule: hitch.isAfterCommit ? .none : .window,
          attribution: hitch.chargedAttribution, commit: nil, room: .zero, followsLateFrame: false,
          overrun: .zero, refreshInterval: .zero, hitchTime: hitch.lengthInMotion,
          length: hitch.length))
    }
    return found
  }

  /// Whether the frame at `position` counts, and only with what it adds to the lateness of the one before
  /// it, due at most one and a quarter of a refresh earlier (M-2).
  private func addsToLateness(_ position: Int, after before: Int?) -> Bool {
    let frame = pass.frames[position]
    guard let before, frame.motion != nil || pass.motions.time.isEmpty, pass.isSelected(frame),
      let due = frame.frame.deadline, let dueBefore = pass.frames[before].frame.deadline,
      let refreshInterval = frame.refreshInterval
    else { return false }
    return (due - dueBefore) * 4 <= refreshInterval * 5
  }

  private func rule(
    of frame: EvaluatedFrame, _ hitch: Hitch?, isOnGrid: Bool
  ) -> LateFrame.Rule {
    guard let hitch else { return .none }
    if hitch.isAfterCommit { return .none }
    guard frame.overrun ?? .zero > .zero, isOfOwnLateness(frame) else { return .window }
    return isOnGrid ? .overrun : .exactOverrun
  }

  /// Returns whether a hitch is no longer than its frame's own lateness. Both are differences of
  /// rounded times, so less than the tolerance (M-2) between them means nothing.
  private func isOfOwnLateness(_ frame: EvaluatedFrame) -> Bool {
    frame.hitch <= frame.lateness + pass.evaluator.tolerance(at: frame.refreshInterval)
  }

  /// Whether the commit at `position` ended after the next frame's start.
  private static func delaysNext(_ position: Int, in frames: FrameColumns) -> Bool {
    guard position + 1 < frames.count, let end = frames[position].commitEnd,
      let next = frames[position + 1].start
    else { return false }
    return end > next
  }

  /// Whether most late frames are late by whole refreshes.
  private var isOnGrid: Bool {
    var (onGrid, offGrid) = (0, 0)
    for position in pass.frames.indices where pass.frames.hasHitch(at: position) {
      let frame = pass.frames[position]
      guard frame.lateness > .zero else { continue }
      guard let interval = frame.refreshInterval?.nanoseconds else {
        onGrid += 1
        continue
      }
      let rest = frame.lateness.nanoseconds % interval
      if min(rest, interval - rest) <= interval / 10 { onGrid += 1 } else { offGrid += 1 }
    }
    return onGrid >= offGrid
  }
}
