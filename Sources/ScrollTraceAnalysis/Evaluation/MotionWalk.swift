import ScrollTraceModel

/// Walks through the frames of one motion and finds the refreshes that it missed (M-3).
///
/// Hitches are ranges of the motion that end with a picture, or with the motion. What no frame determines
/// goes to the ledger as unknown.
struct MotionWalk {
  let context: MotionContext
  let motion: Motion
  /// When the motion starts and ends, as the sequence counts time.
  let start: Int64
  let end: Int64
  /// The members, ascending positions in the sequence.
  let members: [Int]
  /// The refresh interval of the motion: that of its first frame.
  let refresh: Int64

  /// h of each member.
  private(set) var hitches: [Int64]
  /// The hitch that no frame of the motion ended: its ranges, and how long they are.
  var tailPieces: [(start: Int64, end: Int64)] = []
  var tailHitch: Int64 = 0
  /// The kinds of refreshes that the ledger needs, in nanoseconds.
  private(set) var unknownTime: Int64 = 0
  /// Where what is unknown lies, as far as it has a place.
  private(set) var unknownPieces: [(start: Int64, end: Int64)] = []
  var settledTime: Int64 = 0
  private(set) var notRequestedTime: Int64 = 0
  /// The way of the first picture after a rest, for which nothing is owed yet.
  var notYetTime: Int64 = 0
  /// For each member the position of the frame shown before it, -1 if there is none in sight.
  private(set) var before: [Int32]
  /// The last frame that was begun and not shown, if it is what the tail's hitch is about.
  var tailFrame: Int?
  /// From the last picture to the end, as a window for causes.
  var tailStart: Int64 = 0
  var tailRefresh: Int64 = 0
  /// How many frames have a picture of unknown place.
  private(set) var lostCount: Int64 = 0
  /// What is unknown, by its place: the tail's at the end.
  private(set) var notRequestedPlaces: [(time: Int64, refresh: Int64)] = []
  private(set) var lostPlaces: [Int64] = []

  /// What the last picture left: the position of its frame, what is taken off since, and the latest
  /// time by each clock.
  private(set) var last: Int?
  private(set) var off: Int64 = 0
  private var latest = LatestTimes()
  /// How much work the walk was, in frames and spans looked at.
  var stepCount = 0

  var sequence: FrameSequence { context.sequence }

  /// The latest picture by each clock.
  private struct LatestTimes {
    var presented = FrameSequence.unknown
    var estimate = FrameSequence.unknown
    var begin = FrameSequence.unknown

    mutating func add(_ entry: FrameSequence.Entry) {
      // What is unknown is less than all that is known.
      presented = max(presented, entry.presented)
      estimate = max(estimate, entry.estimate)
      begin = max(begin, entry.start)
    }

    func time(by clock: FrameSequence.Clock) -> Int64 {
      switch clock {
      case .presented: presented
      case .estimate: estimate
      case .start: begin
      }
    }
  }

  /// A gap between two pictures, and the frame that ended it.
  private struct Step {
    var member: Int
    var gap: Int64
    var clock: FrameSequence.Clock
    var off: Int64
  }

  init(_ motion: Motion, members: [Int], in context: MotionContext) {
    self.context = context
    self.motion = motion
    self.members = members
    start = context.sequence.relative(motion.start)
    end = context.sequence.relative(motion.end)
    let entries = context.sequence.entries
    refresh = entries.isEmpty ? 0 : entries[members.first ?? 0].refresh
    hitches = members.map { entries[$0].ownHitch }
    before = Array(repeating: -1, count: members.count)
    for member in members where entries[member].isNotRequested {
      addNotRequested(entries[member])
    }
  }

  /// Finds all hitches of the motion.
  mutating func walk() {
    walkInside()
    walkTail()
  }

  private mutating func addNotRequested(_ entry: FrameSequence.Entry) {
    notRequestedTime += entry.refresh
    notRequestedPlaces.append((entry.place, entry.refresh))
  }

  private mutating func addLost(_ entry: FrameSequence.Entry) {
    lostCount += 1
    lostPlaces.append(entry.place)
  }

  /// Adds refreshes of which nobody says whether a picture was owed.
  mutating func addUnknown(_ length: Int64, until end: Int64) {
    guard length > 0 else { return }
    unknownTime += length
    unknownPieces.append((end - length, end))
  }

  // MARK: - Inside

  /// The frame whose picture was on screen when the motion started, if it is younger than a refresh.
  private func pictureBefore() -> Int? {
    var index = context.shown.partitionPoint { $0.time > start } - 1
    while index >= 0, context.shown[index].time > start - refresh {
      if !isMember(context.shown[index].position) { return context.shown[index].position }
      index -= 1
    }
    return nil
  }

  /// Whether the frame at `position` belongs to the motion.
  func isMember(_ position: Int) -> Bool { memberIndex(of: position) != nil }

  /// The place of a frame among the members; `nil` if it is none.
  func memberIndex(of position: Int) -> Int? {
    let index = members.partitionPoint { $0 >= position }
    return index < members.count && members[index] == position ? index : nil
  }

  private mutating func walkInside() {
    let entries = context.sequence.entries
    last = pictureBefore()
    var isFirst = last == nil
    if let last { latest.add(entries[last]) }
    guard let first = members.first, let final = members.last else { return }
    var open: Int64 = 0
    var openPositions: [Int] = []
    var long: Step?
    var next = 0
    let from = last.map { min($0 + 1, first) } ?? first
    stepCount += final - from + 1
    for position in from...final {
      let entry = entries[position]
      let isOwn = next < members.count && members[next] == position
      let member = next
      if isOwn { next += 1 }
      if !isOwn, entry.shown != FrameSequence.unknown { continue }
      if entry.isNotRequested {
        off += entry.refresh
        if !isOwn { addNotRequested(entry) }
        continue
      }
      if entry.isDropped { continue }
      if entry.shown == FrameSequence.unknown {
        if sequence.isUnfinished(entry) {
          open += entry.refresh
          openPositions.append(position)
        } else {
          off += entry.refresh
          addLost(entry)
        }
        continue
      }
      // A picture after it: nobody says whether it was shown.
      off += open
      for position in openPositions { addLost(entries[position]) }
      open = 0
      openPositions.removeAll(keepingCapacity: true)
      if isFirst {
        isFirst = false
        walkHead(member, entry)
      } else if let last {
        before[member] = Int32(clamping: last)
        walkGap(member, entry, since: entries[last], &long)
      }
      latest.add(entry)
      last = position
      off = 0
    }
  }

  /// The gap between two pictures.
  private mutating func walkGap(
    _ member: Int, _ entry: FrameSequence.Entry, since other: FrameSequence.Entry,
    _ before: inout Step?
  ) {
    guard let clock = sequence.clock(entry, other) else {
      addUnknown(entry.shown - other.shown - entry.refresh - off, until: entry.shown)
      return
    }
    if context.areFramesMissing(from: other, to: entry) {
      // Nobody says whether the frames that were lost had been shown.
      addUnknown(entry.shown - other.shown - entry.refresh - off, until: entry.shown)
      before = nil
      return
    }
    let gap = FrameSequence.time(of: entry, by: clock) - latest.time(by: clock) - off
    let long = sequence.hitch(
      ofGap: gap, refresh: entry.refresh, longest: max(entry.refresh, other.refresh), by: clock)
    var hitch = max(hitches[member], long)
    if clock == .presented { hitch = min(hitch, max(0, gap - entry.refresh)) }
    if sequence.basis == .deadline, hitch > 0 {
      hitch = sequence.capped(hitch, at: members[member])
    }
    hitches[member] = hitch > sequence.tolerance(at: entry.refresh) ? hitch : 0
    let step = Step(member: member, gap: gap, clock: clock, off: off)
    if let before { makeGood(before, step) }
    before = step
  }

  /// Jitter: a long gap is made good by a short one of at least a quarter of a refresh.
  private mutating func makeGood(_ long: Step, _ short: Step) {
    let refresh = sequence.entries[members[long.member]].refresh
    guard !sequence.liesOnGrid, long.clock == short.clock, long.clock != .estimate,
      short.off == 0, refresh <= short.gap * 4, short.gap < refresh,
      (long.gap + short.gap) * 4 <= refresh * 9
    else { return }
    hitches[long.member] = 0
  }

  /// The first picture after a rest is owed a refresh and the usual way after the motion's start.
  private mutating func walkHead(_ member: Int, _ entry: FrameSequence.Entry) {
    guard entry.shown > start else { return }
    let way = sequence.usualWay(for: entry)
    guard way != FrameSequence.unknown else {
      addUnknown(
        entry.shown - start - entry.refresh - off - hitches[member],
        until: entry.shown - hitches[member])
      return
    }
    let clock: FrameSequence.Clock =
      entry.presented != FrameSequence.unknown && sequence.placesByPresentation
      ? .presented : sequence.basis == .deadline ? .estimate : .start
    let wait = sequence.hitch(
      ofGap: entry.shown - start - way - off, refresh: entry.refresh, longest: entry.refresh,
      by: clock, isEdge: true)
    hitches[member] = max(hitches[member], wait)
    notYetTime = max(
      0, min(way, entry.shown - hitches[member] - start - entry.refresh, end - start))
  }
}
