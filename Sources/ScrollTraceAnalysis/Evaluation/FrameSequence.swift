import ScrollTraceModel

/// The frames of a surface in the order in which they are compared (M-2), as plain integers.
///
/// Times count from the trace's start and are clamped to nine years, so that no sum of a few of them
/// overflows.
struct FrameSequence {
  /// Stands for what is not known.
  static let unknown = Int64.min
  private static let longest: Int64 = 1 << 58

  /// One frame.
  struct Entry {
    var start = unknown
    var commitStart = unknown
    var commitEnd = unknown
    var deadline = unknown
    var target = unknown
    var presented = unknown
    /// The refresh interval that holds for it; zero if none is known.
    var refresh: Int64 = 0
    /// L: how late it was by its own times.
    var lateness = unknown
    /// d + L, for basis *deadline*.
    var estimate = unknown
    /// A: the place of its picture.
    var shown = unknown
    /// h by M-2 alone.
    var ownHitch: Int64 = 0
    /// Its position in the surface.
    var position = 0
    /// The source's number of the frame.
    var id: UInt64 = 0
    var isDropped = false
    var isNotRequested = false
    var wasOnTime = false

    /// Whether a picture was owed and not dropped.
    var isOwed: Bool { !isDropped && !isNotRequested }
    /// The time by which it was owed.
    var due: Int64 { target != unknown ? target : deadline }
    /// The instant that places it in a motion.
    var place: Int64 {
      start != unknown ? start : commitEnd != unknown ? commitEnd : presented
    }
    /// When it began, or else its picture's place.
    var anchor: Int64 { start != unknown ? start : shown }
  }

  /// A clock that pictures are compared by.
  enum Clock {
    case presented
    case estimate
    case start
  }

  let basis: Basis
  private let tolerance: Int64
  private let origin: Int64
  /// Whether the surface's times lie on the refresh grid.
  let liesOnGrid: Bool
  /// The frames, in order.
  private(set) var entries: [Entry] = []
  /// Whether pictures are placed by their presentation.
  private(set) var placesByPresentation = false
  /// Whether the source knows when commits ended.
  private(set) var knowsCommits = false
  /// The usual way from b to p; unknown if no frame has both times.
  private(set) var wayToPresentation = unknown
  /// The usual way from b to d + L.
  private(set) var wayToEstimate = unknown
  /// Before each position: the refreshes that are taken off a gap by presentations.
  private var offSums: [Int64] = []
  /// The position of the last frame with a presentation before each position, -1 if there is none.
  private var presentedBefore: [Int32] = []

  /// The frames of `surface`, which are ascending by `Frame.place`.
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
    var before = -1
    for index in entries.indices {
      entries[index].ownHitch = ownHitch(at: index, before: before)
      if entries[index].isOwed { before = index }
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

  /// A time as the sequence counts it.
  func relative(_ time: Timestamp?) -> Int64 {
    guard let time else { return Self.unknown }
    let (length, overflow) = time.nanoseconds.subtractingReportingOverflow(origin)
    if overflow { return time.nanoseconds < origin ? -Self.longest : Self.longest }
    return min(max(length, -Self.longest), Self.longest)
  }

  /// The time that `relative` made of it.
  func time(_ relative: Int64) -> Timestamp {
    Timestamp(clamping: origin.saturatingAdd(relative))
  }

  // MARK: - Order and places

  /// Orders the frames by b, and those with a presentation among themselves by that: one frame can
  /// overtake another.
  private mutating func sort() {
    let zero = relative(.zero)
    let places = entries.map { entry in
      entry.place != Self.unknown
        ? entry.place : entry.deadline != Self.unknown ? entry.deadline : zero
    }
    let isPlaced = entries.allSatisfy { $0.place != Self.unknown }
    if !isPlaced || !zip(places, places.dropFirst()).allSatisfy({ $0 <= $1 }) {
      // Frames with a deadline alone come last in a surface; their numbers say where they belong.
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

  /// How late a frame is by its own times, and the place of its picture.
  private mutating func place(_ index: Int) {
    var entry = entries[index]
    guard entry.isOwed else { return }
    switch basis {
    case .target:
      if entry.target != Self.unknown, entry.presented != Self.unknown {
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

  /// The median, rounded down; unknown if there are no values.
  static func median(_ values: inout [Int64]) -> Int64 {
    guard !values.isEmpty else { return unknown }
    values.sort()
    return (values[(values.count - 1) / 2] + values[values.count / 2]) >> 1
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

  /// How late a frame may be before it counts.
  func tolerance(at refresh: Int64) -> Int64 { max(tolerance, refresh / 20) }

  /// Whether a gap by `clock` is exact.
  func isExact(_ clock: Clock) -> Bool { clock == .presented && tolerance == 0 }

  /// The time of `entry` by `clock`.
  static func time(of entry: Entry, by clock: Clock) -> Int64 {
    switch clock {
    case .presented: entry.presented
    case .estimate: entry.estimate
    case .start: entry.start
    }
  }

  /// h by M-2: only what is new counts, and the screen overrules.
  private func ownHitch(at index: Int, before: Int) -> Int64 {
    let entry = entries[index]
    guard entry.lateness != Self.unknown, entry.lateness > 0 else { return 0 }
    guard entry.refresh > 0 else { return entry.lateness }
    var hitch = entry.lateness
    if before >= 0 {
      let other = entries[before]
      if other.lateness != Self.unknown, other.lateness > 0, other.due != Self.unknown,
        (entry.due - other.due) * 4 <= entry.refresh * 5
      {
        hitch = max(0, hitch - other.lateness)
      }
    }
    return capped(hitch, at: index)
  }

  /// No more than the screen kept the picture before longer than a refresh, if that is known.
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

  /// How many frames back a presentation is looked for.
  private static let reach = 200

  // MARK: - M-3

  /// Whether a gap is long enough to hold a missed refresh.
  static func isOver(_ gap: Int64, longest refresh: Int64, isExact: Bool) -> Bool {
    let gap = min(max(gap, -(1 << 60)), 1 << 60)
    return isExact ? gap * 4 > refresh * 5 : gap * 2 > refresh * 3
  }

  /// h of a gap: zero up to the threshold, else the gap less a refresh; whole refreshes on the grid.
  ///
  /// - Parameter isEdge: Whether the gap is measured from or to the edge of a motion, which lies on
  ///   no grid.
  func hitch(
    ofGap gap: Int64, refresh: Int64, longest: Int64, by clock: Clock, isEdge: Bool = false
  ) -> Int64 {
    guard Self.isOver(gap, longest: longest, isExact: isExact(clock)) else { return 0 }
    guard liesOnGrid, clock != .estimate, !isEdge, refresh > 0 else { return gap - refresh }
    return max(0, (2 * min(gap, 1 << 60) + refresh) / (2 * refresh) - 1) * refresh
  }

  /// The clock by which two pictures are compared, like with like; `nil` if there is none.
  func clock(_ entry: Entry, _ other: Entry) -> Clock? {
    if entry.presented != Self.unknown, other.presented != Self.unknown, placesByPresentation {
      return .presented
    }
    if basis == .deadline {
      return entry.estimate != Self.unknown && other.estimate != Self.unknown ? .estimate : nil
    }
    return placesByPresentation || basis == .target ? nil : .start
  }

  /// Whether a frame was begun and not shown: dropped, without a commit end, or, if the source knows
  /// none, without a picture.
  func isUnfinished(_ entry: Entry) -> Bool {
    if entry.isDropped { return true }
    return entry.shown == Self.unknown && !entry.isNotRequested
      && (entry.commitEnd == Self.unknown || !knowsCommits)
  }

  /// The usual way from b to the picture, for the picture of `entry` or of none; unknown if no frame
  /// has both times.
  func usualWay(for entry: Entry?) -> Int64 {
    if let entry, entry.presented == Self.unknown, basis == .deadline { return wayToEstimate }
    if wayToPresentation != Self.unknown || basis != .deadline {
      return placesByPresentation ? wayToPresentation : 0
    }
    return entry == nil ? wayToEstimate : Self.unknown
  }
}
