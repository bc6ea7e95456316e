import ScrollTraceModel

extension LiveAnalysis {
  /// Returns the blank time of each list by name (M-27), of those that are known to have displayed a cell.
  static func blankTimes(
    in trace: Trace, moving: TimeRangeSet, refreshInterval: TimeSpan?
  ) -> [String: BlankTime] {
    let context = ListPass.Context(
      late: LateWindows(of: []), moving: moving,
      measured: moving.isEmpty ? TimeRangeSet(union: [trace.range]) : moving,
      refreshInterval: refreshInterval)
    let known = ListPass.lists(of: trace, context).compactMap { list in
      list.blank.map { (list.name, $0) }
    }
    return Dictionary(known, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the blank time of each list in a range; empty if something moves, but not there.
  func blankTimes(in range: TimeRange) -> [String: LiveTotals.Blank] {
    guard !moving.isEmpty else {
      let recording = TimeRangeSet(union: [trace.range])
      return blanks.mapValues {
        LiveTotals.Blank(withoutMotion: $0.time(in: recording, within: range))
      }
    }
    guard moving.coveredLength(of: range) > .zero else { return [:] }
    return blanks.mapValues {
      LiveTotals.Blank(inMotion: $0.time(in: moving, within: range))
    }
  }
}
