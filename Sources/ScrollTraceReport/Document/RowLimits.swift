/// The numbers of rows of each kind in a document; the omitted ones are counted below them.
package struct RowLimits: Sendable {
  /// Hitches of each surface, or `nil` for all.
  var hitches: Int? = 5
  /// Drawings of the work around the worst hitches.
  var timelines = 0
  /// Runs, the worst first.
  var runs = 24
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

  static let summary = RowLimits(
    hitches: 10, runs: 100, trendRows: 100, causes: 10, interactions: 50, tracks: 16, lists: 8,
    findings: 10, openSpans: 16, notices: 40, pairs: 5, differences: 12, samplePaths: 24,
    nameColumns: 80)
  /// The limits of a page that can be scrolled.
  static let page = RowLimits(
    hitches: 200, timelines: 12, runs: 2_000, trendRows: 300, causes: 40, interactions: 200,
    tracks: 40, lists: 20, findings: 40, openSpans: 40, notices: 100, pairs: 20, differences: 40,
    samplePaths: 80, nameColumns: 120)
}
