import ScrollTraceModel

extension MotionWalk {
  /// A rest of at most this length at the end counts as a scroll that had settled (M-23).
  static var longestSettled: Int64 { 250_000_000 }

  /// The last picture of a motion, or the time one was expected if there is none.
  private struct Tail {
    var time: Int64
    /// The position of its frame, or `nil` if no picture has answered the motion.
    var last: Int?
    var refresh: Int64
    var clock: FrameSequence.Clock
    /// The time from the last picture to the end, minus subtracted refreshes.
    var gap: Int64
  }

  /// Evaluates the time in which the last picture stayed until the end of the motion.
  mutating func walkTail() {
    guard refresh > 0 else { return }
    let entries = sequence.entries
    guard let tail = tail() else { return }
    (tailStart, tailRefresh) = (tail.time, tail.refresh)
    let after =
      tail.last.flatMap { memberIndex(of: $0) }.map { members[($0 + 1)...] } ?? members[...]
    // The next frame and what became of a frame under way may be among what was lost.
    if !motion.endsInLoss, let next = nextFrame(after: tail),
      let anchor = entries[next].anchor, 2 * (anchor - end) <= 3 * tail.refresh
    {
      return walkOn(from: tail, to: next)
    }
    let straddles = members.contains { position in
      let entry = entries[position]
      guard let started = entry.commitStart ?? entry.start, let done = entry.commitEnd else {
        return false
      }
      return started <= end && end < done
    }
    let isLastOpen =
      tail.clock == .start && sequence.knowsCommits
      && tail.last.map { entries[$0].commitEnd == nil } == true
    stepCount += members.count
    tailFrame = after.last { isAbandoned(entries[$0]) }
    let isUndone = !motion.endsInLoss && (isLastOpen || tailFrame != nil)
    if isUndone || straddles || (motion.isUnfinished && !members.isEmpty) {
      return addGap(tail)
    }
    guard
      LatenessRules.isOver(
        tail.gap, refreshInterval: tail.refresh, isExact: sequence.isExact(tail.clock))
    else { return }
    let found = addEvidence(tail)
    let rest = tail.gap - tail.refresh - found
    let isSettled = rest <= Self.longestSettled && !motion.endsInLoss
    if isSettled { settledTime += rest } else { addUnknown(rest, until: end) }
  }

  /// Returns whether a frame was started and not presented, as when a host hangs. A dropped frame
  /// whose commit is known to be done is no sign of that.
  private func isAbandoned(_ entry: FrameSequence.Entry) -> Bool {
    sequence.isUnfinished(entry)
      && !(entry.isDropped && entry.commitEnd != nil)
  }

  /// The last picture before the end, or `nil` if there is a later one or it is unknown.
  private mutating func tail() -> Tail? {
    let entries = sequence.entries
    var latest = lastShown
    if latest == nil, let last, let time = entries[last].shown { latest = (time, last) }
    var refresh = refresh
    let way = sequence.usualWay(for: nil)
    let time: Int64
    if let latest, !isUnanswered || way == nil {
      time = latest.time
      refresh = entries[latest.position].refresh
    } else {
      guard let way else {
        addUnknown(end - start - refresh - off, until: end)
        return nil
      }
      // No picture has answered the motion.
      time = max(start + way, latest?.time ?? .min)
      notYetTime = max(0, min(way, end - start) - flightTime)
      latest = nil
    }
    guard time < end else { return nil }
    let isPresented =
      latest.map { entries[$0.position].presented != nil } ?? true
    let clock: FrameSequence.Clock =
      sequence.timesByPresentation && isPresented
      ? .presented : sequence.basis == .deadline ? .estimate : .start
    return Tail(
      time: time, last: latest?.position, refresh: refresh, clock: clock, gap: end - time - off)
  }

  /// The first requested frame after the motion.
  private func nextFrame(after tail: Tail) -> Int? {
    context.starts.first(from: max(members.last ?? -1, tail.last ?? -1) + 1, above: end)
  }

  /// The host continued: the gap to its next picture counts like those inside the motion.
  private mutating func walkOn(from tail: Tail, to next: Int) {
    let entries = sequence.entries
    let position = context.nextShown(from: next) ?? next
    let entry = entries[position]
    let clock = tail.last.map { sequence.clock(entry, entries[$0]) } ?? tail.clock
    // The picture before the motion may have a time of a clock that this frame has not.
    guard let shown = entry.shown, let clock, let time = entry.time(by: clock),
      let from = tail.last == nil ? tail.time : tail.last.flatMap({ entries[$0].time(by: clock) })
    else { return addGap(tail) }
    let gap = time - from - off - context.offTime(from: next, to: position)
    let hitch = sequence.hitch(
      ofGap: gap, refresh: entry.refresh, longest: max(entry.refresh, tail.refresh), by: clock,
      isEdge: tail.last == nil)
    if hitch > 0 { addPiece(from: shown - hitch) }
  }

  /// All of the gap except the first refresh counts.
  private mutating func addGap(_ tail: Tail) {
    let hitch = sequence.hitch(
      ofGap: tail.gap, refresh: tail.refresh, longest: tail.refresh, by: tail.clock, isEdge: true)
    if hitch > 0 { addPiece(from: end - hitch) }
  }

  private mutating func addPiece(from first: Int64) {
    guard first < end else { return }
    tailPieces.append((max(first, start), end))
    tailHitch += end - max(first, start)
  }

  /// The time covered by single spans of the main thread of at least two refreshes each, which are
  /// not waits and started no earlier than the last presented frame.
  private mutating func addEvidence(_ tail: Tail) -> Int64 {
    let since = tail.last.map { sequence.entries[$0].start ?? tail.time }
    let found = context.evidence.cover(
      since: since, last: tail.time, end: end, refresh: tail.refresh, in: sequence)
    stepCount += found.steps
    var cover = found.cover
    var length = cover.reduce(0) { $0 + $1.end - $1.start }
    // Subtracted refreshes are not hitches.
    let maximum = tail.gap - tail.refresh
    while length > maximum, let final = cover.popLast() {
      let less = min(length - maximum, final.end - final.start)
      length -= less
      if final.end - less > final.start { cover.append((final.start, final.end - less)) }
    }
    tailPieces += cover
    tailHitch += length
    return length
  }
}
