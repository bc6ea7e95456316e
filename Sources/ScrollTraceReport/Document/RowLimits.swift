/// The numbers of rows of each kind in a document; the omitted ones are counted below them.
package struct RowLimits: Sendable {
  /// Hitches of each surface, or `nil` for all.
  var hitches: Int? = 5
  /// Drawings of the work around the worst hitches.
  var timelines = 0
  /// Runs, the worst first.
  var runs = 24
  /// Runs that have all their sections, the worst.
  var wholeRuns = Int.max
  /// Graphs beside each other; more cannot be compared at a glance.
  var graphs = 8
  /// Values of a trend, the latest ones.
  var trendRows = 40
  /// Causes, where not all hitches are listed.
  var causes = 5
  /// Interactions, and states.
  var interactions = 24
  /// Tracks, and other processes.
  var tracks = 8
  var lists = 4
  var findings = 5
  /// Spans that were open at the end.
  var openSpans = 8
  var notices = 40
  /// Pairs of changes.
  var pairs = 5
  /// Categories and causes of a comparison.
  var differences = 6
  /// Call paths of samples.
  var samplePaths = 12
  /// The columns that every name may take, whatever its kind; 0 for a terminal, where room is short.
  var nameColumns = 0
  /// The columns of a track's name.
  var trackColumns = 20

  /// The share of the whole below which a row is combined with others.
  static let minimumShare = 0.005

  /// The name of a row for combined ones.
  static func others(_ count: Int) -> String { "other: \(count) more" }

  static let summary = RowLimits(
    hitches: 10, runs: 100, wholeRuns: 1, graphs: 0, trendRows: 100, causes: 10, interactions: 50,
    tracks: 16, lists: 8,
    findings: 10, openSpans: 16, notices: 40, pairs: 5, differences: 12, samplePaths: 24,
    nameColumns: 80)
  /// The limits of a page that would be too large.
  static let smallPage = RowLimits(
    hitches: 20, timelines: 4, runs: 200, trendRows: 100, causes: 20, interactions: 40, tracks: 20,
    lists: 8, findings: 12, openSpans: 20, notices: 40, pairs: 8, differences: 20, samplePaths: 24,
    nameColumns: 80)
  /// The limits of a page that can be scrolled.
  static let page = RowLimits(
    hitches: 60, timelines: 8, runs: 400, trendRows: 300, causes: 40, interactions: 200,
    tracks: 40, lists: 20, findings: 40, openSpans: 40, notices: 100, pairs: 20, differences: 40,
    samplePaths: 80, nameColumns: 120)
}

extension Array {
  /// Returns the elements with rows of their own, and the others; a single one is never combined.
  ///
  /// - Parameter share: Returns the share of the whole; the elements are sorted by it.
  func withoutTiny(
    maximum limit: Int, share: (Element) -> Double
  ) -> (shown: ArraySlice<Element>, rest: ArraySlice<Element>) {
    let large = (prefix(limit).lastIndex { share($0) >= RowLimits.minimumShare } ?? 0) + 1
    let shown = large + 1 >= count ? count : large
    return (prefix(shown), dropFirst(shown))
  }
}
