import ScrollTraceModel

/// The frames of a surface as integers, in the order in which they are compared (M-2).
///
/// Times are relative to the trace's start and limited to nine years, so that the sum of a few
/// cannot overflow.
struct FrameSequence {
  /// The value of an unknown time.
  static let unknown = Int64.min
  private static let longest: Int64 = 1 << 58

  struct Entry {
    var start = unknown
    var commitStart = unknown
    var commitEnd = unknown
    var deadline = unknown
    var target = unknown
    var presented = unknown
    /// The refresh interval, or zero if unknown.
    var refresh: Int64 = 0
    /// L: the lateness by the frame's own times.
    var lateness = unknown
    /// d + L, for the basis *deadline*.
    var estimate = unknown
    /// A: the time of its picture.
    var shown = unknown
    /// h by M-2 alone.
    var ownHitch: Int64 = 0
    /// The source's number of the frame.
    var id: UInt64 = 0
    private var rawPosition: UInt32 = 0
    var isDropped = false
    var isNotRequested = false
    var wasOnTime = false

    /// The position of the frame in its surface.
    var position: Int {
      get { Int(rawPosition) }
      set { rawPosition = UInt32(clamping: newValue) }
    }
    /// A Boolean value indicating whether a picture was expected and not dropped.
    var isOwed: Bool { !isDropped && !isNotRequested }
    /// The time by which the picture was expected.
    var due: Int64 { target != unknown ? target : deadline }
    /// The time that places the frame in a motion.
    var place: Int64 {
      start != unknown ? start : commitEnd != unknown ? commitEnd : presented
    }
    /// The start, or the time of its picture.
    var anchor: Int64 { start != unknown ? start : shown }
  }

  /// A clock by which pictures are compared.
  enum Clock {
    case presented
    case estimate
    case start
  }

  let basis: Basis
  private let tolerance: Int64
  private let origin: Int64
  /// A Boolean value indicating whether times lie on the refresh grid.
  let liesOnGrid: Bool
  private(set) var entries: [Entry] = []
  /// A Boolean value indicating whether pictures are placed by their presentation.
  private(set) var placesByPresentation = false
  /// A Boolean value indicating whether commit ends are known.
  private(set) var knowsCommits = false
  /// The usual time from b to p, or unknown if no frame has both.
  private(set) var wayToPresentation = unknown
  /// The usual time from b to d + L.
  private(set) var wayToEstimate = unknown
  /// For each position, the earlier refreshes that are subtracted from a gap by presentations.
  private var offSums: [Int64] = []
  /// For each position, the last earlier frame with a presentation, or -1.
  private var presentedBefore: [Int32] = []

  /// The frames of `surface`, which are ascending by `Frame.time`.
  ///
  /// - Parameter earlier: The ways of frames that are no longer held.
  init(
    _ frames: [EvaluatedFrame], of surface: Surface, origin: Timestamp, earlier: WayCounts? = nil
  ) {
    basis = surface.basis
    tolerance = surface.presentationTolerance.nanoseconds
    liesOnGrid = surface.timesLieOnRefreshGrid
    self.origin = origin.nanoseconds
    entries.reserveCapacity(frames.count)
    for position in frames.indices { entries.append(entry(frames[position], at: position)) }
    sort()
    let basis = basis
    placesByPresentation =
      basis == .target || entries.contains { $0.isOwed && $0.presented != Self.unknown }
    knowsCommits = entries.contains { $0.commitEnd != Self.unknown }
    for index in entries.indices { place(index) }
    findUsualWays(earlier)
    sumUp()
    var previous = Previous()
    for index in entries.indices {
      entries[index].ownHitch = ownHitch(at: index, after: previous)
      previous.add(entries[index])
    }
  }

  private func entry(_ frame: EvaluatedFrame, at position: Int) -> Entry {
    var entry = Entry()
    let source = frame.frame
    entry.start = relative(source.start)
    entry.commitStart = relative(source.commitStart)
    entry.commitEnd = relative(source.commitEnd)
    entry.deadline = relative(source.deadline)
    entry.target = relative(source.target)
    entry.presented = relative(source.presented)
    entry.refresh = min(frame.refreshInterval?.nanoseconds ?? 0, 1 << 40)
    entry.position = position
    entry.id = source.id
    entry.isDropped = source.outcome == .dropped
    entry.isNotRequested = source.outcome == .notRequested
    entry.wasOnTime = source.wasOnTime
    return entry
  }

  /// Returns a time relative to the origin.
  func relative(_ time: Timestamp?) -> Int64 {
    guard let time else { return Self.unknown }
    let (length, overflow) = time.nanoseconds.subtractingReportingOverflow(origin)
    if overflow { return time.nanoseconds < origin ? -Self.longest : Self.longest }
    return min(max(length, -Self.longest), Self.longest)
  }

  /// Returns the time of a relative one.
  func time(_ relative: Int64) -> Timestamp {
    Timestamp(clamping: origin.saturatingAdd(relative))
  }

  // MARK: - Order and places

  /// Sorts the frames by b, and those with a presentation among themselves by that, because a frame
  /// can overtake another.
  private mutating func sort() {
    let zero = relative(.zero)
    let places = entries.map { entry in
      entry.place != Self.unknown
        ? entry.place : entry.deadline != Self.unknown ? entry.deadline : zero
    }
    let isPlaced = entries.allSatisfy { $0.place != Self.unknown }
    if !isPlaced || !zip(places, places.dropFirst()).allSatisfy({ $0 <= $1 }) {
      // Frames with only a deadline are last on a surface; their numbers determine their position.
      let order = Array(places.indices).stablySorted {
        (places[$0], entries[$0].id) < (places[$1], entries[$1].id)
      }
      entries = order.map { entries[$0] }
    }
    let slots = entries.indices.filter {
      entries[$0].isOwed && entries[$0].presented != Self.unknown
    }
    if !zip(slots, slots.dropFirst()).allSatisfy({
      entries[$0].presented <= entries[$1].presented
    }) {
      let sorted = slots.map { entries[$0] }.stablySorted { $0.presented }
      for (slot, entry) in zip(slots, sorted) { entries[slot] = entry }
    }
  }

  /// Computes the lateness of a frame by its own times, and the time of its picture.
  private mutating func place(_ index: Int) {
    var entry = entries[index]
    guard entry.isOwed else { return }
    switch basis {
    case .target:
      if entry.refresh > 0, entry.target != Self.unknown, entry.presented != Self.unknown {
        let late = entry.presented - entry.target
        entry.lateness = late > tolerance(at: entry.refresh) ? late : 0
      }
    case .deadline:
      if entry.refresh > 0, entry.commitEnd != Self.unknown, entry.deadline != Self.unknown {
        let overrun = entry.commitEnd - entry.deadline
        entry.lateness =
          overrun <= 0 || entry.wasOnTime
          ? 0 : ((overrun - 1) / entry.refresh + 1) * entry.refresh
        entry.estimate = entry.deadline + entry.lateness
      }
    default: break
    }
    entry.shown =
      basis != .target && basis != .deadline && !placesByPresentation
      ? entry.start : entry.presented != Self.unknown ? entry.presented : entry.estimate
    entries[index] = entry
  }

  /// The median way from b to the picture, of frames on time; for basis *cadence* of all.
  private mutating func findUsualWays(_ earlier: WayCounts?) {
    if basis == .cadence, !placesByPresentation {
      wayToEstimate = 0
      return
    }
    var presented: [Int64] = []
    var estimated: [Int64] = []
    let since = earlier.map { relative($0.end) } ?? Self.unknown
    for entry in entries where entry.isOwed && entry.start != Self.unknown {
      guard entry.start >= since else { continue }
      guard basis == .cadence || entry.lateness == 0 else { continue }
      if entry.presented != Self.unknown { presented.append(entry.presented - entry.start) }
      if basis == .deadline { estimated.append(entry.deadline - entry.start) }
    }
    guard let earlier else {
      wayToPresentation = Self.median(&presented)
      wayToEstimate = Self.median(&estimated)
      return
    }
    wayToPresentation = earlier.presented.median(with: presented)
    wayToEstimate = earlier.estimated.median(with: estimated)
  }

  /// The median, rounded down, or unknown without values.
  static func median(_ values: inout [Int64]) -> Int64 {
    guard !values.isEmpty else { return unknown }
    values.sort()
    let (low, high) = (values[(values.count - 1) / 2], values[values.count / 2])
    // Their sum may be too large.
    return (low >> 1) + (high >> 1) + (low & high & 1)
  }

  private mutating func sumUp() {
    offSums.reserveCapacity(entries.count + 1)
    presentedBefore.reserveCapacity(entries.count)
    var sum: Int64 = 0
    var last: Int32 = -1
    offSums.append(0)
    for (index, entry) in entries.enumerated() {
      presentedBefore.append(last)
      let isKnown = entry.presented != Self.unknown
      if entry.isOwed, isKnown { last = Int32(clamping: index) }
      if entry.isNotRequested || entry.isOwed && !isKnown {
        sum = min(sum + entry.refresh, Self.longest)
      }
      offSums.append(sum)
    }
  }

  // MARK: - M-2

  /// The lateness from which a frame counts as late.
  func tolerance(at refresh: Int64) -> Int64 {
    LatenessRules.tolerance(tolerance, at: refresh)
  }

  /// Returns whether a gap by `clock` is exact.
  func isExact(_ clock: Clock) -> Bool { clock == .presented && tolerance == 0 }

  /// Returns the time of `entry` by `clock`.
  static func time(of entry: Entry, by clock: Clock) -> Int64 {
    switch clock {
    case .presented: entry.presented
    case .estimate: entry.estimate
    case .start: entry.start
    }
  }

  /// The previous frame, with whose lateness that of the next one is compared (M-2).
  private struct Previous {
    private var due = unknown
    private var lateness = unknown
    /// The last frame whose picture is known by an estimate, and the refreshes of those since then.
    private var estimated: (due: Int64, lateness: Int64, off: Int64)?

    mutating func add(_ entry: Entry) {
      guard entry.isOwed else { return }
      (due, lateness) = (entry.due, entry.lateness)
      if entry.estimate != unknown {
        estimated = (entry.due, entry.lateness, 0)
      } else if let last = estimated {
        estimated?.off = min(last.off + entry.refresh, longest)
      }
    }

    /// Returns how late the frame still was when `next` was due.
    func lateness(at next: Entry) -> Int64 {
      if lateness > 0, due != unknown, next.due != unknown,
        !LatenessRules.isOver(next.due - due, refreshInterval: next.refresh, isExact: true)
      {
        return lateness
      }
      // Nothing but the frame's own times says that both were late together.
      guard next.presented == unknown, let estimated, estimated.lateness > 0 else { return 0 }
      let distance = next.due - estimated.due - estimated.off
      let rest = estimated.lateness - max(0, distance - next.refresh)
      return rest * 4 > next.refresh ? rest : 0
    }
  }

  /// h by M-2: only additional lateness counts, and presentations take precedence.
  private func ownHitch(at index: Int, after previous: Previous) -> Int64 {
    let entry = entries[index]
    guard entry.lateness > 0 else { return 0 }
    return capped(max(0, entry.lateness - previous.lateness(at: entry)), at: index)
  }

  /// Limits a hitch to the time that the previous picture was on screen beyond a refresh, if known.
  func capped(_ hitch: Int64, at index: Int) -> Int64 {
    let entry = entries[index]
    var hitch = hitch
    if entry.presented != Self.unknown {
      let before = Int(presentedBefore[index])
      if before >= 0, index - before <= Self.reach {
        let off = offSums[index] - offSums[before + 1]
        let gap = entry.presented - entries[before].presented - off
        hitch = min(hitch, max(0, gap - entry.refresh))
      }
    }
    return hitch > tolerance(at: entry.refresh) ? hitch : 0
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

  /// The clock by which two pictures are compared, or `nil` if there is none.
  func clock(_ entry: Entry, _ other: Entry) -> Clock? {
    if entry.presented != Self.unknown, other.presented != Self.unknown, placesByPresentation {
      return .presented
    }
    if basis == .deadline {
      return entry.estimate != Self.unknown && other.estimate != Self.unknown ? .estimate : nil
    }
    return placesByPresentation || basis == .target ? nil : .start
  }

  /// Returns whether a frame was started and not presented: dropped, without a commit end, or
  /// without a picture if the source does not report commit ends.
  func isUnfinished(_ entry: Entry) -> Bool {
    if entry.isDropped { return true }
    return entry.shown == Self.unknown && !entry.isNotRequested
      && (entry.commitEnd == Self.unknown || !knowsCommits)
  }

  /// The usual time from b to the picture, for the picture of `entry` or in general, or unknown if
  /// no frame has both.
  func usualWay(for entry: Entry?) -> Int64 {
    if let entry, entry.presented == Self.unknown, basis == .deadline { return wayToEstimate }
    if wayToPresentation != Self.unknown || basis != .deadline {
      return placesByPresentation ? wayToPresentation : 0
    }
    return entry == nil ? wayToEstimate : Self.unknown
  }
}
