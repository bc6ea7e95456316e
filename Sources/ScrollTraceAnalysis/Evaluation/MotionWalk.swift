import ScrollTraceModel

/// Walks through the frames of a motion and finds the refreshes that it missed (M-3).
///
/// Hitches are ranges of the motion that end with a picture or with the motion. Time that no frame
/// determines is unknown in the ledger.
struct MotionWalk {
  let context: MotionContext
  let motion: Motion
  /// The start and end of the motion, relative to the sequence's origin.
  let start: Int64
  let end: Int64
  /// The members, as ascending positions in the sequence, with the guests.
  let members: [Int]
  /// The members that only end a gap.
  let guests: Set<Int>
  /// The refresh interval of the motion: that of its first frame, or of the picture that was shown
  /// last before it.
  let refresh: Int64

  /// h of each member.
  private(set) var hitches: [Int64]
  /// The ranges of the hitch that no frame of the motion ended.
  var tailPieces: [(start: Int64, end: Int64)] = []
  var tailHitch: Int64 = 0
  /// The ranges of the unknown time, as far as they are known.
  private(set) var unknownPieces: [(start: Int64, end: Int64)] = []
  var settledTime: Int64 = 0
  /// The time at the start in which no picture is expected yet.
  var notYetTime: Int64 = 0
  /// For each member, the position of the frame presented before it, or `nil` if there is none.
  private(set) var before: [Int32?]
  /// The last frame that was started and not presented, if the tail's hitch is due to it.
  var tailFrame: Int?
  /// The start of the window for causes, from the last picture to the end.
  var tailStart: Int64 = 0
  var tailRefresh: Int64 = 0
  /// The refreshes without a request, by their time.
  private(set) var notRequestedRefreshes: [(time: Int64, refresh: Int64)] = []
  /// The refreshes of frames with a picture at an unknown time.
  private(set) var lostRefreshes: [(time: Int64, refresh: Int64)] = []

  /// The last picture: the position of its frame, the time to subtract since then, and the latest
  /// time by each clock.
  private(set) var last: Int?
  private(set) var off: Int64 = 0
  /// Whether no picture has answered the motion yet.
  private(set) var isUnanswered = true
  /// The refreshes of frames without a picture that were done when the motion started.
  private var flightOff: Int64 = 0
  /// The refreshes of the pictures that were in flight when the motion started.
  private(set) var flightTime: Int64 = 0
  /// The picture of a member that is shown last.
  private(set) var lastShown: (time: Int64, position: Int)?
  private var latest = LatestTimes()
  /// The cost of the walk, as the number of examined frames and spans.
  var stepCount = 0

  @inline(__always) var sequence: FrameSequence { context.sequence }

  private struct LatestTimes {
    private var presented: Int64?
    private var estimate: Int64?
    private var begin: Int64?

    mutating func add(_ entry: FrameSequence.Entry) {
      presented = later(presented, entry.presented)
      estimate = later(estimate, entry.estimate)
      begin = later(begin, entry.start)
    }

    func time(by clock: FrameSequence.Clock) -> Int64? {
      switch clock {
      case .presented: presented
      case .estimate: estimate
      case .start: begin
      }
    }
  }

  /// A gap between two pictures and the frame that ended it.
  private struct Step {
    var member: Int
    var refresh: Int64
    var gap: Int64
    var clock: FrameSequence.Clock
    var off: Int64
  }

  init(_ motion: Motion, members: MotionContext.Members, in context: MotionContext) {
    self.context = context
    self.motion = motion
    self.members = members.positions
    guests = members.guests
    start = context.sequence.relative(motion.start)
    end = context.sequence.relative(motion.end)
    refresh = Self.refresh(of: members.positions, start: start, in: context)
    hitches = self.members.map { context.sequence.ownHitch(at: $0) }
    before = Array(repeating: nil, count: self.members.count)
  }

  private static func refresh(
    of members: [Int], start: Int64, in context: MotionContext
  ) -> Int64 {
    let entries = context.sequence.entries
    if let first = members.first { return entries[first].refresh }
    let later = context.shown.partitionPoint { $0.time > start }
    return later > 0
      ? entries[context.shown[later - 1].position].refresh : entries.first?.refresh ?? 0
  }

  mutating func walk() {
    walkInside()
    walkTail()
  }

  private mutating func addLost(_ entry: FrameSequence.Entry) {
    lostRefreshes.append((entry.time ?? start, entry.refresh))
  }

  /// Adds refreshes for which it is unknown whether a picture was expected.
  mutating func addUnknown(_ length: Int64, until end: Int64) {
    guard length > 0 else { return }
    unknownPieces.append((end - length, end))
  }

  // MARK: - Inside

  /// The frame whose picture was on screen at the start of the motion, if it is no older than one and
  /// a half refreshes.
  private func pictureBefore() -> Int? {
    var index = context.shown.partitionPoint { $0.time > start } - 1
    while index >= 0, 2 * (start - context.shown[index].time) <= 3 * refresh {
      let position = context.shown[index].position
      if memberIndex(of: position) == nil { return position }
      index -= 1
    }
    return nil
  }

  /// Returns whether the picture of a frame can show the motion.
  func answers(_ entry: FrameSequence.Entry) -> Bool {
    if let end = entry.commitEnd { return end > start }
    return (entry.start ?? entry.presented).map { $0 >= start } ?? true
  }

  func memberIndex(of position: Int) -> Int? {
    let index = members.partitionPoint { $0 >= position }
    return index < members.count && members[index] == position ? index : nil
  }

  private mutating func walkInside() {
    let sequence = context.sequence
    let entries = sequence.entries
    last = pictureBefore()
    if let last { latest.add(entries[last]) }
    guard let first = members.first, let final = members.last else { return }
    // The frame of the last picture, if there is one.
    var lastEntry = entries[last ?? first]
    // The frames since the last picture whose work did not end.
    var unfinished: [Int] = []
    var long: Step?
    var next = 0
    let from = last.map { min($0 + 1, first) } ?? first
    stepCount += final - from + 1
    for position in from...final {
      let entry = entries[position]
      let isOwn = next < members.count && members[next] == position
      let member = next
      let shown = entry.shown
      if isOwn {
        next += 1
        addMember(entry, shown: shown, at: position)
      }
      if !isOwn, shown != nil { continue }
      if isUnanswered, !answers(entry) {
        passInFlight(entry, at: position)
        if shown != nil { lastEntry = entry }
        continue
      }
      guard let shown else {
        passWithoutPicture(entry, at: position, isOwn: isOwn, &unfinished)
        continue
      }
      // A picture follows, so it is unknown whether these were presented.
      for position in unfinished {
        off += entries[position].refresh
        addLost(entries[position])
      }
      unfinished.removeAll(keepingCapacity: true)
      if isUnanswered, last == nil || sequence.usualWay(for: entry) != nil {
        walkHead(member, entry, shown: shown)
      } else if let last {
        before[member] = Int32(clamping: last)
        walkGap(member, entry, shown: shown, since: lastEntry, &long, in: sequence)
      }
      if hitches[member] > 0 { hitches[member] = sequence.capped(hitches[member], at: position) }
      isUnanswered = false
      latest.add(entry)
      last = position
      lastEntry = entry
      (off, flightOff) = (0, 0)
    }
    notYetTime = max(0, notYetTime - flightTime)
  }

  /// Notes what a member says by itself.
  @inline(__always)
  private mutating func addMember(_ entry: FrameSequence.Entry, shown: Int64?, at position: Int) {
    if entry.isNotRequested { notRequestedRefreshes.append((entry.time ?? start, entry.refresh)) }
    guard let shown else { return }
    if shown >= lastShown?.time ?? .min { lastShown = (shown, position) }
    if start < shown, shown <= end, !answers(entry) { flightTime += entry.refresh }
  }

  /// A frame that was done when the motion started is evaluated by its own times alone.
  private mutating func passInFlight(_ entry: FrameSequence.Entry, at position: Int) {
    if entry.shown != nil {
      flightOff = 0
      latest.add(entry)
      last = position
    } else if !entry.isDropped {
      flightOff += entry.refresh
    }
  }

  private mutating func passWithoutPicture(
    _ entry: FrameSequence.Entry, at position: Int, isOwn: Bool, _ unfinished: inout [Int]
  ) {
    if entry.isNotRequested {
      off += entry.refresh
      if !isOwn { notRequestedRefreshes.append((entry.time ?? start, entry.refresh)) }
    } else if entry.isDropped {
      return
    } else if sequence.isUnfinished(entry) {
      unfinished.append(position)
    } else {
      off += entry.refresh
      addLost(entry)
    }
  }

  private mutating func walkGap(
    _ member: Int, _ entry: FrameSequence.Entry, shown: Int64, since other: FrameSequence.Entry,
    _ before: inout Step?, in sequence: FrameSequence
  ) {
    guard let clock = sequence.clock(entry, other), let time = entry.time(by: clock),
      let latest = latest.time(by: clock)
    else { return addUnknownGap(until: shown, entry, since: other) }
    if context.areFramesMissing(from: other, to: entry) {
      // It is unknown whether the lost frames were presented.
      addUnknownGap(until: shown, entry, since: other)
      before = nil
      return
    }
    let gap = time - latest - off - flightOff
    if !sequence.isRateChange(from: other, to: entry, off: off, by: clock) {
      let longest = max(entry.refresh, other.refresh)
      let long = sequence.hitch(
        ofGap: gap, refresh: entry.refresh, longest: longest, by: clock)
      hitches[member] = max(hitches[member], long)
    }
    if clock == .presented {
      hitches[member] = min(hitches[member], max(0, gap - entry.refresh))
    }
    let step = Step(member: member, refresh: entry.refresh, gap: gap, clock: clock, off: off)
    if let before, !sequence.liesOnGrid { makeGood(before, step) }
    before = step
  }

  private mutating func addUnknownGap(
    until shown: Int64, _ entry: FrameSequence.Entry, since other: FrameSequence.Entry
  ) {
    guard let before = other.shown else { return }
    addUnknown(shown - before - entry.refresh - off, until: shown)
  }

  /// Jitter: a short gap of at least a quarter of a refresh compensates for a long one.
  private mutating func makeGood(_ long: Step, _ short: Step) {
    let refresh = long.refresh
    guard long.clock == short.clock, long.clock != .estimate, short.off == 0,
      refresh <= short.gap * 4, short.gap < refresh, (long.gap + short.gap) * 4 <= refresh * 9
    else { return }
    hitches[long.member] = 0
  }

  /// The first picture that can show the motion is expected a refresh and the usual time after the
  /// motion's start.
  private mutating func walkHead(_ member: Int, _ entry: FrameSequence.Entry, shown: Int64) {
    guard shown > start else { return }
    guard let way = sequence.usualWay(for: entry), last != nil || !sequence.isDisplayStream else {
      addUnknown(
        shown - start - entry.refresh - off - hitches[member], until: shown - hitches[member])
      return
    }
    let clock: FrameSequence.Clock =
      entry.presented != nil && sequence.timesByPresentation
      ? .presented : sequence.basis == .deadline ? .estimate : .start
    var wait = sequence.hitch(
      ofGap: shown - start - way - off, refresh: entry.refresh, longest: entry.refresh,
      by: clock, isEdge: true)
    if let previous = latest.time(by: clock), let time = entry.time(by: clock) {
      let gap = time - previous - off - flightOff
      wait = min(wait, max(0, gap - entry.refresh))
    }
    let before = last ?? members[member] - 1
    if wait > 0, before >= 0, context.areFramesMissing(from: sequence.entries[before], to: entry) {
      // It is unknown whether a lost frame answered.
      addUnknown(wait, until: shown)
      wait = 0
    }
    hitches[member] = max(hitches[member], wait)
    notYetTime = min(way, shown - hitches[member] - start - entry.refresh, end - start)
  }
}

/// Returns the later of two times, as far as they are known.
@inline(__always)
func later(_ first: Int64?, _ second: Int64?) -> Int64? {
  guard let first, let second else { return first ?? second }
  return max(first, second)
}
