import ScrollTraceModel

/// The frames of a surface as integers, in the order in which they are compared (M-2).
///
/// Times are relative to the trace's start and limited to nine years, so that the sum of a few
/// cannot overflow.
struct FrameSequence {
  private static let longest: Int64 = 1 << 58

  /// A frame, with what follows from its own times.
  struct Entry {
    @Known var start: Int64?
    @Known var commitStart: Int64?
    @Known var commitEnd: Int64?
    @Known var deadline: Int64?
    @Known var target: Int64?
    @Known var presented: Int64?
    @Known var refreshInterval: Int64?
    /// The source's number of the frame.
    var id: UInt64 = 0
    /// The position of the frame in its surface.
    var position: Int
    var isDropped = false
    var isNotRequested = false
    var wasOnTime = false
    fileprivate let rules: Rules

    /// Whether a picture was expected and not dropped.
    var isOwed: Bool { !isDropped && !isNotRequested }
    /// The time by which the picture was expected.
    var due: Int64? { target ?? deadline }
    /// The frame's time, which says to which motion it belongs.
    var time: Int64? { start ?? commitEnd ?? presented }
    /// The start, or the time of its picture.
    var anchor: Int64? { start ?? shown }
    /// The refresh interval of a frame of a motion. No motion is walked through where none is known.
    var refresh: Int64 { refreshInterval ?? 0 }

    /// L: the lateness by the frame's own times.
    @inline(__always) var lateness: Int64? {
      guard isOwed, let refreshInterval else { return nil }
      switch rules.basis {
      case .target:
        guard let target, let presented else { return nil }
        let late = presented - target
        return late > LatenessRules.tolerance(rules.tolerance, at: refreshInterval) ? late : 0
      case .deadline:
        guard let commitEnd, let deadline else { return nil }
        let overrun = commitEnd - deadline
        if overrun <= 0 || wasOnTime { return 0 }
        return ((overrun - 1) / refreshInterval + 1) * refreshInterval
      default: return nil
      }
    }

    /// d + L, for the basis *deadline*.
    @inline(__always) var estimate: Int64? {
      guard rules.basis == .deadline, let deadline, let lateness else { return nil }
      return deadline + lateness
    }

    /// The clock that determines the time of its picture, or `nil` without one.
    @inline(__always) var picture: Clock? {
      guard isOwed else { return nil }
      if rules.basis != .target, rules.basis != .deadline, !rules.timesByPresentation {
        return start.map { _ in .start }
      }
      if presented != nil { return .presented }
      return estimate.map { _ in .estimate }
    }

    /// A: the time of its picture.
    @inline(__always) var shown: Int64? { picture.flatMap { time(by: $0) } }

    @inline(__always) func time(by clock: Clock) -> Int64? {
      switch clock {
      case .presented: presented
      case .estimate: estimate
      case .start: start
      }
    }
  }

  /// A time of a frame, in half of the room of an optional: frames are made very often.
  @propertyWrapper struct Known {
    /// The time, or the least number if it is unknown, which no time is.
    private let number: Int64

    @inline(__always) init(wrappedValue: Int64?) { number = wrappedValue ?? .min }

    @inline(__always) var wrappedValue: Int64? { number == .min ? nil : number }
  }

  /// What determines lateness and pictures on a surface.
  fileprivate struct Rules {
    let basis: Basis
    let tolerance: Int64
    var timesByPresentation = false
  }

  /// The frames, which are made from the surface's whenever they are needed: stored, they would take more
  /// memory than all else.
  struct Entries: NumberedCollection {
    fileprivate let source: TimedFrames
    fileprivate let origin: Int64
    fileprivate var rules: Rules
    /// The positions of the frames in their surface, or nothing if they are in the same order.
    fileprivate var order: [Int32] = []

    var count: Int { source.frames.count }

    /// Returns the position of a frame in its surface.
    @inline(__always) fileprivate func index(at position: Int) -> Int {
      order.isEmpty ? position : Int(order[position])
    }

    @inline(__always) subscript(position: Int) -> Entry {
      let index = index(at: position)
      let frame = source.frames[index]
      return Entry(
        start: relative(frame.start), commitStart: relative(frame.commitStart),
        commitEnd: relative(frame.commitEnd), deadline: relative(frame.deadline),
        target: relative(frame.target), presented: relative(frame.presented),
        refreshInterval: source.refreshInterval(of: frame, at: index).map {
          Swift.min($0.nanoseconds, 1 << 40)
        },
        id: frame.id, position: index, isDropped: frame.outcome == .dropped,
        isNotRequested: frame.outcome == .notRequested, wasOnTime: frame.wasOnTime, rules: rules)
    }

    @inline(__always) private func relative(_ time: Timestamp?) -> Int64? {
      guard let time else { return nil }
      return relative(time)
    }

    @inline(__always) fileprivate func relative(_ time: Timestamp) -> Int64 {
      // Neither is negative, so that the distance fits.
      Swift.min(Swift.max(time.nanoseconds &- origin, -longest), longest)
    }
  }

  /// A clock by which pictures are compared.
  enum Clock {
    case presented
    case estimate
    case start
  }

  private(set) var entries: Entries
  let liesOnGrid: Bool
  /// Whether the frames are what a browser displayed. While it rests, input need not change anything: if the first
  /// picture comes after a rest, the wait for it is unknown.
  let isDisplayStream: Bool
  private(set) var knowsCommits = false
  /// The usual time from b to p, or `nil` if no frame has both.
  private var wayToPresentation: Int64?
  /// The usual time from b to d + L.
  private var wayToEstimate: Int64?
  /// The positions of the frames with a hitch by M-2 alone, ascending, and these hitches.
  private var ownHitches: [(position: Int32, hitch: Int64)] = []

  var basis: Basis { entries.rules.basis }
  private var tolerance: Int64 { entries.rules.tolerance }
  var timesByPresentation: Bool { entries.rules.timesByPresentation }

  /// The frames of `surface`, which are ascending by `Frame.time`.
  ///
  /// - Parameters:
  ///   - earlier: The ways of frames that are no longer held.
  ///   - body: Receives each frame, in order, with h by M-2 alone.
  init(
    _ frames: TimedFrames, of surface: Surface, origin: Timestamp, earlier: WayCounts?,
    _ body: (Entry, Int64) -> Void
  ) {
    let rules = Rules(
      basis: surface.basis, tolerance: surface.presentationTolerance.nanoseconds)
    entries = Entries(source: frames, origin: origin.nanoseconds, rules: rules)
    liesOnGrid = surface.timesLieOnRefreshGrid
    isDisplayStream = surface.isDisplayStream && surface.basis == .cadence
    sort()
    entries.rules.timesByPresentation =
      basis == .target || entries.contains { $0.isOwed && $0.presented != nil }
    knowsCommits = entries.contains { $0.commitEnd != nil }
    findUsualWays(earlier)
    var previous = Previous()
    for position in entries.indices {
      let entry = entries[position]
      var hitch: Int64 = 0
      if let lateness = entry.lateness, lateness > 0 {
        hitch = capped(max(0, lateness - previous.lateness(at: entry)), at: position)
        if hitch > 0 { ownHitches.append((Int32(clamping: position), hitch)) }
      }
      body(entry, hitch)
      previous.add(entry)
    }
  }

  func relative(_ time: Timestamp) -> Int64 { entries.relative(time) }

  func time(_ relative: Int64) -> Timestamp {
    Timestamp(clamping: entries.origin.saturatingAdd(relative))
  }

  func index(at position: Int) -> Int { entries.index(at: position) }

  /// Returns h by M-2 alone: only additional lateness counts, and presentations take precedence.
  func ownHitch(at position: Int) -> Int64 {
    let index = ownHitches.partitionPoint { Int($0.position) >= position }
    guard index < ownHitches.count, Int(ownHitches[index].position) == position else { return 0 }
    return ownHitches[index].hitch
  }

  // MARK: - Order and times

  /// Sorts the frames by b, and those with a presentation among themselves by that, because a frame
  /// can overtake another.
  private mutating func sort() {
    var (isSorted, isPresentedInOrder) = (true, true)
    var (time, presented) = (Int64.min, Int64.min)
    for entry in entries {
      let own = entry.time ?? .min
      isSorted = isSorted && entry.time != nil && own >= time
      time = own
      guard entry.isOwed, let own = entry.presented else { continue }
      isPresentedInOrder = isPresentedInOrder && own >= presented
      presented = own
    }
    if !isSorted {
      let zero = relative(.zero)
      let times = entries.map { $0.time ?? $0.deadline ?? zero }
      // Frames with only a deadline are last on a surface; their numbers determine their position.
      let order = Array(times.indices).stablySorted {
        (times[$0], entries[$0].id) < (times[$1], entries[$1].id)
      }
      entries.order = order.map { Int32(clamping: $0) }
    }
    guard !isSorted || !isPresentedInOrder else { return }
    let slots = entries.indices.filter { entries[$0].isOwed && entries[$0].presented != nil }
    let sorted = slots.stablySorted { entries[$0].presented ?? 0 }
    guard sorted != slots else { return }
    let before = entries
    entries.order = entries.indices.map { Int32(clamping: before.index(at: $0)) }
    for (slot, position) in zip(slots, sorted) {
      entries.order[slot] = Int32(clamping: before.index(at: position))
    }
  }

  /// The median way from b to the picture, of frames on time; for basis *cadence* of all.
  private mutating func findUsualWays(_ earlier: WayCounts?) {
    if basis == .cadence, !timesByPresentation {
      wayToEstimate = 0
      return
    }
    var presented: [Int64] = []
    var estimated: [Int64] = []
    let since = earlier.map { relative($0.end) } ?? .min
    for entry in entries where entry.isOwed {
      guard let start = entry.start, start >= since,
        basis == .cadence || entry.lateness == 0
      else { continue }
      if let time = entry.presented { presented.append(time - start) }
      if basis == .deadline, let deadline = entry.deadline { estimated.append(deadline - start) }
    }
    guard let earlier else {
      wayToPresentation = Self.median(presented)
      wayToEstimate = Self.median(estimated)
      return
    }
    wayToPresentation = earlier.presented.median(with: presented)
    wayToEstimate = earlier.estimated.median(with: estimated)
  }

  /// The median, rounded down, or `nil` without values.
  static func median(_ values: consuming [Int64]) -> Int64? {
    let count = values.count
    guard count > 0 else { return nil }
    var ranked = RankedValues(values)
    let low = ranked.value(ofRank: (count - 1) / 2)
    let high = ranked.value(ofRank: count / 2)
    // Their sum may be too large.
    return (low >> 1) + (high >> 1) + (low & high & 1)
  }

  // MARK: - M-2

  func tolerance(at refresh: Int64) -> Int64 {
    LatenessRules.tolerance(tolerance, at: refresh)
  }

  func isExact(_ clock: Clock) -> Bool { clock == .presented && tolerance == 0 }

  /// The previous frame, with whose lateness that of the next one is compared (M-2).
  private struct Previous {
    private var due: Int64?
    private var lateness: Int64?
    /// The last frame whose picture is known by an estimate, and the refreshes of those since then.
    private var estimated: (due: Int64, lateness: Int64, off: Int64)?

    mutating func add(_ entry: Entry) {
      guard entry.isOwed else { return }
      (due, lateness) = (entry.due, entry.lateness)
      if entry.estimate != nil, let due, let lateness {
        estimated = (due, lateness, 0)
      } else if let last = estimated {
        estimated?.off = min(last.off + entry.refresh, longest)
      }
    }

    /// Returns how late the frame still was when `next` was due.
    func lateness(at next: Entry) -> Int64 {
      guard let nextDue = next.due else { return 0 }
      if let lateness, lateness > 0, let due,
        !LatenessRules.isOver(nextDue - due, refreshInterval: next.refresh, isExact: true)
      {
        return lateness
      }
      // Nothing but the frame's own times says that both were late together.
      guard next.presented == nil, let estimated, estimated.lateness > 0 else { return 0 }
      let distance = nextDue - estimated.due - estimated.off
      let rest = estimated.lateness - max(0, distance - next.refresh)
      return rest * 4 > next.refresh ? rest : 0
    }
  }

  /// Limits a hitch to the time that the previous picture was on screen beyond a refresh, if known.
  func capped(_ hitch: Int64, at position: Int) -> Int64 {
    let entry = entries[position]
    var hitch = hitch
    if hitch > 0, let gap = gapOfPresentations(at: position) {
      hitch = min(hitch, max(0, gap - entry.refresh))
    }
    return hitch > tolerance(at: entry.refresh) ? hitch : 0
  }

  /// Returns the time since the last earlier presentation, without the refreshes of the frames in between
  /// that have none, or `nil` if it is not near or the frame's own is unknown.
  private func gapOfPresentations(at position: Int) -> Int64? {
    guard let presented = entries[position].presented else { return nil }
    var off: Int64 = 0
    for before in (max(0, position - Self.reach)..<position).reversed() {
      let entry = entries[before]
      if entry.isOwed, let earlier = entry.presented { return presented - earlier - off }
      if !entry.isDropped { off += entry.refresh }
    }
    return nil
  }

  /// The number of earlier frames that are searched for a presentation.
  private static let reach = 200

  // MARK: - M-3

  /// h of a gap: zero up to the threshold, otherwise the gap minus a refresh, in whole refreshes on
  /// the grid.
  ///
  /// - Parameter isEdge: Whether the gap starts or ends at the edge of a motion, which is not on a
  ///   grid.
  func hitch(
    ofGap gap: Int64, refresh: Int64, longest: Int64, by clock: Clock, isEdge: Bool = false
  ) -> Int64 {
    guard LatenessRules.isOver(gap, refreshInterval: longest, isExact: isExact(clock)) else {
      return 0
    }
    guard liesOnGrid, clock != .estimate, !isEdge, refresh > 0 else { return gap - refresh }
    return max(0, (2 * min(gap, 1 << 60) + refresh) / (2 * refresh) - 1) * refresh
  }

  /// Returns whether a gap between two pictures is long only because the refresh interval changed:
  /// both were on time, and the second frame began within the interval of the first.
  ///
  /// A picture that comes several refreshes after its frame began moves by the change of as many.
  func isRateChange(from other: Entry, to entry: Entry, off: Int64, by clock: Clock) -> Bool {
    let isByDue = clock == .estimate || clock == .presented && basis == .target
    let longest = max(entry.refresh, other.refresh)
    let change = longest - min(entry.refresh, other.refresh)
    guard isByDue, change > tolerance(at: longest), entry.lateness == 0, other.lateness == 0,
      let start = entry.start, let before = other.start
    else { return false }
    let distance = start - before - off
    return !LatenessRules.isOver(distance, refreshInterval: other.refresh, isExact: true)
  }

  /// The clock by which two pictures are compared, or `nil` if there is none.
  func clock(_ entry: Entry, _ other: Entry) -> Clock? {
    if entry.presented != nil, other.presented != nil, timesByPresentation { return .presented }
    if basis == .deadline {
      return entry.estimate != nil && other.estimate != nil ? .estimate : nil
    }
    return timesByPresentation || basis == .target ? nil : .start
  }

  /// Returns whether a frame was started and not presented: dropped, without a commit end, or
  /// without a picture if the source does not report commit ends.
  func isUnfinished(_ entry: Entry) -> Bool {
    if entry.isDropped { return true }
    return entry.shown == nil && !entry.isNotRequested && (entry.commitEnd == nil || !knowsCommits)
  }

  /// The usual time from b to the picture, for the picture of `entry` or in general, or `nil` if
  /// no frame has both.
  func usualWay(for entry: Entry?) -> Int64? {
    if let entry, entry.presented == nil, basis == .deadline { return wayToEstimate }
    if wayToPresentation != nil || basis != .deadline {
      return timesByPresentation ? wayToPresentation : 0
    }
    return entry == nil ? wayToEstimate : nil
  }
}
