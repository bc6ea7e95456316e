package import ScrollTraceModel

extension LiveAnalysis {
  /// Returns the blank time of the list with most of it in a range (M-27), or `nil` if no list is known to
  /// have displayed a cell or nothing moved.
  package func blankTime(in range: TimeRange) -> HitchTimeRatio? {
    let context = ListPass.Context(
      late: LateWindows(of: []), moving: moving.intersection(TimeRangeSet(union: [range])),
      refreshInterval: surfaces.lazy.compactMap(\.refreshInterval).min())
    return ListPass.lists(of: trace, context).compactMap(\.blank)
      .max { $0.time < $1.time }
      .flatMap { HitchTimeRatio(hitchTime: $0.time, duration: $0.motion) }
  }
}
