package import ScrollTraceModel

/// The totals of a range of a recording. Those of consecutive ranges add up to those of the whole.
package struct LiveTotals: Equatable, Sendable {
  /// Work in a range of time (M-11).
  package struct Work: Equatable, Sendable {
    package var main = TimeSpan.zero
    /// The total busy time of all other tracks of the host.
    package var background = TimeSpan.zero
  }

  /// The blank time of a list (M-27).
  package struct Blank: Equatable, Sendable {
    /// The part in motion.
    var inMotion = TimeSpan.zero
    /// The part while no interaction was known at all.
    var withoutMotion = TimeSpan.zero
  }

  /// The totals of a surface.
  package struct Surface: Equatable, Sendable {
    /// Whether the frames are known to have reached the screen.
    package var isOnScreen = false
    /// The number of expected frames, at the time of each, and those in motion.
    package var frames = 0
    package var framesInMotion = 0
    /// Those of them that could be evaluated (M-2), and those in motion.
    package var evaluated = 0
    package var evaluatedInMotion = 0
    /// Whether the source lists hitches and no frames.
    package var listsHitches = false
    /// Every refresh in motion, counted once (M-23), or `nil` if none is known.
    package var ledger: RefreshLedger?
    /// What the main thread did in motion by the system's own count (M-25), or `nil` if unknown.
    package var threadInMotion: ThreadTimes?
    /// Commits that ended after their deadline (M-1), by their ends.
    package var deadlineMisses = 0
    /// The number of hitches (M-4), at their end.
    package var hitches = 0
    /// The number of whole refreshes that they skipped (M-7), if the refresh interval is known.
    package var refreshesMissed = 0
    package var hitchTime = TimeSpan.zero
    /// The part of the hitch time in interactions.
    package var hitchTimeInside = TimeSpan.zero
    package var movingTime = TimeSpan.zero

    package init() {}
  }

  /// The length of the range within the recording.
  package var time = TimeSpan.zero
  /// The time in which any surface was in motion.
  package var movingTime = TimeSpan.zero
  package var work = Work()
  package var movingWork = Work()
  package var surfaces: [String: Surface] = [:]
  /// The blank time of each list that is known to have displayed a cell, by name.
  var blanks: [String: Blank] = [:]

  package init() {}

  /// The surface that gives the verdict (M-24): one on screen, then the one with most frames in
  /// motion, then the first name.
  package var evaluatedPrimarySurface: String? {
    surfaces.max { left, right in
      let (a, b) = (left.value, right.value)
      let screens = (a.isOnScreen ? 1 : 0, b.isOnScreen ? 1 : 0)
      return (screens.0, a.framesInMotion, a.frames, right.key)
        < (screens.1, b.framesInMotion, b.frames, left.key)
    }?.key
  }

  /// Returns the hitch time ratio of a surface (M-5), relative to its interactions, or to the whole
  /// range if there was none.
  package func ratio(of surface: String) -> HitchTimeRatio? {
    guard let figures = surfaces[surface] else { return nil }
    return figures.movingTime > .zero
      ? HitchTimeRatio(hitchTime: figures.hitchTimeInside, duration: figures.movingTime)
      : HitchTimeRatio(hitchTime: figures.hitchTime, duration: time)
  }

  /// The blank time of the list with the most, relative to the time in motion, or to all of it if there was
  /// none, or `nil` if no list is known to have displayed a cell.
  package var blankRatio: HitchTimeRatio? {
    let times = blanks.values.map { movingTime > .zero ? $0.inMotion : $0.withoutMotion }
    return HitchTimeRatio(
      hitchTime: times.max(), duration: movingTime > .zero ? movingTime : time)
  }

  /// The rating of a surface by `thresholds`, as uncertain as it would be in a report (M-24). On a machine
  /// without a free core it is uncertain even where the bounds of a report decide, which take the hitches'
  /// windows.
  package func rated(_ surface: String?, by thresholds: RatingThresholds) -> RatedHitches {
    let figures = surface.flatMap { surfaces[$0] } ?? Surface()
    let isMoving = figures.movingTime > .zero
    let evaluated = isMoving ? figures.evaluatedInMotion : figures.evaluated
    return RatedHitches(
      hitchTime: isMoving ? figures.hitchTimeInside : figures.hitchTime,
      duration: isMoving ? figures.movingTime : time,
      evaluated: figures.listsHitches ? nil : evaluated,
      ledger: isMoving ? figures.ledger : nil, thread: isMoving ? figures.threadInMotion : nil,
      blankRatio: surface == evaluatedPrimarySurface ? blankRatio?.millisecondsPerSecond : nil,
      by: thresholds)
  }

  /// The work that a report speaks of (M-11): while something moved, or where nothing ever did, in
  /// all of the time.
  package var reportedWork: Work { movingTime > .zero ? movingWork : work }

  package static func + (left: LiveTotals, right: LiveTotals) -> LiveTotals {
    var sum = left
    sum.time += right.time
    sum.movingTime += right.movingTime
    sum.work += right.work
    sum.movingWork += right.movingWork
    sum.surfaces.merge(right.surfaces) { $0 + $1 }
    sum.blanks.merge(right.blanks) {
      Blank(inMotion: $0.inMotion + $1.inMotion, withoutMotion: $0.withoutMotion + $1.withoutMotion)
    }
    return sum
  }
}

extension LiveTotals.Work {
  fileprivate static func += (left: inout LiveTotals.Work, right: LiveTotals.Work) {
    left.main += right.main
    left.background += right.background
  }
}

extension LiveTotals.Surface {
  fileprivate static func + (left: LiveTotals.Surface, right: LiveTotals.Surface)
    -> LiveTotals.Surface
  {
    var sum = left
    sum.frames += right.frames
    sum.evaluated += right.evaluated
    sum.evaluatedInMotion += right.evaluatedInMotion
    sum.framesInMotion += right.framesInMotion
    sum.isOnScreen = left.isOnScreen || right.isOnScreen
    sum.listsHitches = left.listsHitches || right.listsHitches
    sum.ledger = sumOfKnown(left.ledger, right.ledger, by: +)
    sum.threadInMotion = sumOfKnown(left.threadInMotion, right.threadInMotion, by: +)
    sum.deadlineMisses += right.deadlineMisses
    sum.hitches += right.hitches
    sum.refreshesMissed = sum.refreshesMissed.saturatingAdd(right.refreshesMissed)
    sum.hitchTime += right.hitchTime
    sum.hitchTimeInside += right.hitchTimeInside
    sum.movingTime += right.movingTime
    return sum
  }
}

/// The ways from starts to pictures (M-3) of the frames of a surface that are no longer held.
///
/// Whoever watches a recording forgets its frames, but not how long they usually took. Ways are counted to
/// the nanosecond until there are too many different ones; then neighbors are counted as one.
package struct WayCounts: Equatable, Sendable {
  private static let maximumWays = 4_096

  /// The start of the first frame that is not counted.
  private(set) var end: Timestamp
  private(set) var presented = Counts()
  private(set) var estimated = Counts()

  /// The counts of ways, which are multiples of a power of two.
  struct Counts: Equatable, Sendable {
    private(set) var counts: [Int64: Int] = [:]
    private var shift: Int64 = 0

    mutating func add(_ way: Int64) {
      counts[(way >> shift) << shift, default: 0] += 1
      while counts.count > WayCounts.maximumWays {
        shift += 1
        let finer = counts
        counts = [:]
        for (way, count) in finer { counts[(way >> shift) << shift, default: 0] += count }
      }
    }

    /// The median of these ways and of `others`, rounded down, or `nil` if there are none.
    func median(with others: [Int64]) -> Int64? {
      var all = counts
      for way in others { all[way, default: 0] += 1 }
      let total = all.values.reduce(0, +)
      guard total > 0 else { return nil }
      let sorted = all.sorted { $0.key < $1.key }
      func way(at index: Int) -> Int64 {
        var rest = index
        for (way, count) in sorted {
          if rest < count { return way }
          rest -= count
        }
        return 0
      }
      return (way(at: (total - 1) / 2) + way(at: total / 2)) >> 1
    }
  }

  /// Creates counts of no frames; those that start at `start` or later are to come.
  init(start: Timestamp) { end = start }

  /// Adds the frames of `pass` that start before `limit` and are not counted yet.
  mutating func add(_ pass: SurfacePass, until limit: Timestamp) {
    let basis = pass.surface.basis
    for evaluated in pass.frames where evaluated.isOwed && evaluated.frame.outcome != .dropped {
      guard let start = evaluated.frame.start, end <= start, start < limit,
        basis == .cadence || evaluated.isLatenessKnown && evaluated.lateness == .zero
      else { continue }
      if let time = evaluated.frame.presented { presented.add((time - start).nanoseconds) }
      if basis == .deadline, let deadline = evaluated.frame.deadline {
        estimated.add((deadline - start).nanoseconds)
      }
    }
    end = max(end, limit)
  }
}
