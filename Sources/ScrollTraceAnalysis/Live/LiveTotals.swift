package import ScrollTraceModel

/// The totals of a range of a recording. Those of consecutive ranges add up to those of the whole.
package struct LiveTotals: Hashable, Sendable {
  /// Work in a range of time (M-11).
  package struct Work: Hashable, Sendable {
    /// The busy time of the main track.
    package var main = TimeSpan.zero
    /// The total busy time of all other tracks of the host.
    package var background = TimeSpan.zero
  }

  /// The totals of a surface.
  package struct Surface: Hashable, Sendable {
    /// The number of expected frames, at the time that places each.
    package var frames = 0
    /// The number of deadline misses (M-1), at the commit's end.
    package var deadlineMisses = 0
    /// The number of hitches (M-4), at their end.
    package var hitches = 0
    /// The number of whole refreshes that they skipped (M-7), if the refresh interval is known.
    package var refreshesMissed = 0
    package var hitchTime = TimeSpan.zero
    /// The part of the hitch time in interactions.
    package var hitchTimeInside = TimeSpan.zero
    /// The time in motion.
    package var movingTime = TimeSpan.zero

    package init() {}
  }

  /// The length of the range within the recording.
  package var time = TimeSpan.zero
  /// The time in which any surface was in motion.
  package var movingTime = TimeSpan.zero
  /// The work in the whole range.
  package var work = Work()
  /// The work in motion.
  package var movingWork = Work()
  /// The totals of each surface by name.
  package var surfaces: [String: Surface] = [:]

  package init() {}

  /// The primary surface: the one with most hitch time, then most frames, then the first name.
  package var evaluatedPrimarySurface: String? {
    surfaces.max {
      ($0.value.hitchTime, $0.value.frames, $1.key) < ($1.value.hitchTime, $1.value.frames, $0.key)
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

  /// The work that a report shows (M-11): in motion, or in the whole range if nothing was in
  /// motion.
  package var reportedWork: Work { movingTime > .zero ? movingWork : work }

  /// Combines the totals of two ranges.
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
