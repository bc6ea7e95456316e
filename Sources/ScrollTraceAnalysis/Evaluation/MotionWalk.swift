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
  /// The members, as ascending positions in the sequence.
  let members: [Int]
  /// The refresh interval of the motion, which is that of its first frame.
  let refresh: Int64

  /// h of each member.
  private(set) var hitches: [Int64]
  /// The ranges of the hitch that no frame of the motion ended.
  var tailPieces: [(start: Int64, end: Int64)] = []
  var tailHitch: Int64 = 0
  /// The parts of the ledger, in nanoseconds.
  private(set) var unknownTime: Int64 = 0
  /// The ranges of the unknown time, as far as they are known.
  private(set) var unknownPieces: [(start: Int64, end: Int64)] = []
  var settledTime: Int64 = 0
  private(set) var notRequestedTime: Int64 = 0
  /// The time before the first picture after a rest, when none is expected yet.
  var notYetTime: Int64 = 0
  /// For each member, the position of the frame presented before it, or -1 if there is none.
  private(set) var before: [Int32]
  /// The last frame that was started and not presented, if the tail's hitch is due to it.
  var tailFrame: Int?
  /// The start of the window for causes, from the last picture to the end.
  var tailStart: Int64 = 0
  var tailRefresh: Int64 = 0
  /// The number of frames with a picture at an unknown time.
  private(set) var lostCount: Int64 = 0
  /// The refreshes without a request, by their time.
  private(set) var notRequestedPlaces: [(time: Int64, refresh: Int64)] = []
  private(set) var lostPlaces: [Int64] = []

  /// The last picture: the position of its frame, the time to subtract since then, and the latest
  /// time by each clock.
  private(set) var last: Int?
  private(set) var off: Int64 = 0
  private var latest = LatestTimes()
  /// The cost of the walk, as the number of examined frames and spans.
  var stepCount = 0

  var sequence: FrameSequence { context.sequence }

  private struct LatestTimes {
    var presented = FrameSequence.unknown
    var estimate = FrameSequence.unknown
    var begin = FrameSequence.unknown

    mutating func add(_ entry: FrameSequence.Entry) {
      // An unknown value is less than all known ones.
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

  /// A gap between two pictures and the frame that ended it.
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

  /// Finds the hitches of the motion.
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

  /// Adds refreshes for which it is unknown whether a picture was expected.
  mutating func addUnknown(_ length: Int64, until end: Int64) {
    guard length > 0 else { return }
    unknownTime += length
    unknownPieces.append((end - length, end))
  }

  // MARK: - Inside

  /// The frame whose picture was on screen at the start of the motion, if it is less than a refresh
  /// old.
  private func pictureBefore() -> Int? {
    var index = context.shown.partitionPoint { $0.time > start } - 1
    while index >= 0, context.shown[index].time > start - refresh {
      if !isMember(context.shown[index].position) { return context.shown[index].position }
      index -= 1
    }
    return nil
  }

  /// Returns whether the frame at `position` is a member.
  func isMember(_ position: Int) -> Bool { memberIndex(of: position) != nil }

  /// The index of a frame among the members, or `nil` if it is not a member.
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
    var unfinished = UnfinishedFrames()
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
      if entry.isNotRequested || entry.isDropped || entry.shown == FrameSequence.unknown {
        passWithoutPicture(entry, at: position, isOwn: isOwn, &unfinished)
        continue
      }
      // A picture follows, so it is unknown whether these were presented.
      off += unfinished.length
      for position in unfinished.positions { addLost(entries[position]) }
      unfinished.removeAll()
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

  /// The frames since the last picture whose work did not end.
  private struct UnfinishedFrames {
    /// The sum of their refresh intervals.
    var length: Int64 = 0
    var positions: [Int] = []

    mutating func removeAll() {
      length = 0
      positions.removeAll(keepingCapacity: true)
    }
  }

  /// Takes a frame that has no picture into account.
  private mutating func passWithoutPicture(
    _ entry: FrameSequence.Entry, at position: Int, isOwn: Bool,
    _ unfinished: inout UnfinishedFrames
  ) {
    if entry.isNotRequested {
      off += entry.refresh
      if !isOwn { addNotRequested(entry) }
    } else if entry.isDropped {
      return
    } else if sequence.isUnfinished(entry) {
      unfinished.length += entry.refresh
      unfinished.positions.append(position)
    } else {
      off += entry.refresh
      addLost(entry)
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
      // It is unknown whether the lost frames were presented.
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

  /// Jitter: a short gap of at least a quarter of a refresh compensates for a long one.
  private mutating func makeGood(_ long: Step, _ short: Step) {
    let refresh = sequence.entries[members[long.member]].refresh
    guard !sequence.liesOnGrid, long.clock == short.clock, long.clock != .estimate,
      short.off == 0, refresh <= short.gap * 4, short.gap < refresh,
      (long.gap + short.gap) * 4 <= refresh * 9
    else { return }
    hitches[long.member] = 0
  }

  /// The first picture after a rest is expected a refresh and the usual time after the motion's
  /// start.
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
