package import ScrollTraceModel

/// The figures of one range of a recording. Those of ranges that follow one another add up to
/// those of all of it.
package struct LiveTotals: Hashable, Sendable {
  /// Work in some time (M-11).
  package struct Work: Hashable, Sendable {
    /// Busy time of the main track.
    package var main = TimeSpan.zero
    /// Busy time of all other tracks of the host, summed.
    package var background = TimeSpan.zero
  }

  /// The figures of a surface.
  package struct Surface: Hashable, Sendable {
    /// Frames the display was owed, by the instant that places each.
    package var frames = 0
    /// Those of them that could be evaluated (M-2), and those in motion.
    package var evaluated = 0
    package var evaluatedInMotion = 0
    /// Whether the source lists hitches and no frames.
    package var listsHitches = false
    /// Every refresh in motion, counted once (M-23), or `nil` if none is known.
    package var ledger: RefreshLedger?
    /// Commits that ended after their deadline (M-1), by their ends.
    package var deadlineMisses = 0
    /// Hitches (M-4), by the instants at which they were over.
    package var hitches = 0
    /// Whole refreshes that they skipped (M-7), as far as an interval is known.
    package var refreshesMissed = 0
    /// Their length.
    package var hitchTime = TimeSpan.zero
    /// The part of it inside interactions.
    package var hitchTimeInside = TimeSpan.zero
    /// How long interactions moved the surface.
    package var movingTime = TimeSpan.zero

    /// Nothing yet.
    package init() {}
  }

  /// The length of the range, as far as it lies in the recording.
  package var time = TimeSpan.zero
  /// How long anything moved.
  package var movingTime = TimeSpan.zero
  /// The work in all of the time.
  package var work = Work()
  /// The work while something moved.
  package var movingWork = Work()
  /// The figures of each surface by its name.
  package var surfaces: [String: Surface] = [:]

  /// Nothing yet.
  package init() {}

  /// The surface to speak of first: the one with most hitch time, else most frames, else by name.
  package var evaluatedPrimarySurface: String? {
    surfaces.max {
      ($0.value.hitchTime, $0.value.frames, $1.key) < ($1.value.hitchTime, $1.value.frames, $0.key)
    }?.key
  }

  /// The hitch time ratio of a surface (M-5): against its interactions, or where there was none,
  /// against all of the time.
  package func ratio(of surface: String) -> HitchTimeRatio? {
    guard let figures = surfaces[surface] else { return nil }
    return figures.movingTime > .zero
      ? HitchTimeRatio(hitchTime: figures.hitchTimeInside, duration: figures.movingTime)
      : HitchTimeRatio(hitchTime: figures.hitchTime, duration: time)
  }

  /// The rating of a surface by `thresholds`, as uncertain as it would be in a report (M-24).
  package func rated(_ surface: String?, by thresholds: RatingThresholds) -> RatedHitches {
    let figures = surface.flatMap { surfaces[$0] } ?? Surface()
    let isMoving = figures.movingTime > .zero
    let evaluated = isMoving ? figures.evaluatedInMotion : figures.evaluated
    return RatedHitches(
      hitchTime: isMoving ? figures.hitchTimeInside : figures.hitchTime,
      duration: isMoving ? figures.movingTime : time,
      evaluated: figures.listsHitches ? nil : evaluated,
      ledger: isMoving ? figures.ledger : nil, by: thresholds)
  }

  /// The work that a report speaks of (M-11): while something moved, or where nothing ever did, in
  /// all of the time.
  package var reportedWork: Work { movingTime > .zero ? movingWork : work }

  /// The figures of two ranges.
  package static func + (left: LiveTotals, right: LiveTotals) -> LiveTotals {
    var sum = left
    sum.time += right.time
    sum.movingTime += right.movingTime
    sum.work += right.work
    sum.movingWork += right.movingWork
    sum.surfaces.merge(right.surfaces) { $0 + $1 }
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
    sum.listsHitches = left.listsHitches || right.listsHitches
    if let other = right.ledger { sum.ledger = left.ledger.map { $0 + other } ?? other }
    sum.deadlineMisses += right.deadlineMisses
    sum.hitches += right.hitches
    sum.refreshesMissed =
      sum.refreshesMissed.addingReportingOverflow(right.refreshesMissed)
        .overflow ? .max : sum.refreshesMissed + right.refreshesMissed
    sum.hitchTime += right.hitchTime
    sum.hitchTimeInside += right.hitchTimeInside
    sum.movingTime += right.movingTime
    return sum
  }
}
