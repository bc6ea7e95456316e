/// How many rows of each kind a report has; what they leave out is counted below them.
struct RowLimits {
  /// Causes, where not all hitches are listed.
  var causes = 5
  /// Interactions, and states.
  var interactions = 24
  /// Tracks, and other processes.
  var tracks = 8
  /// Lists.
  var lists = 4
  /// Findings.
  var findings = 5
  /// Spans that were open at the end.
  var openSpans = 8
  /// Notices.
  var notices = 40
  /// Pairs of changes.
  var pairs = 5
  /// Categories and causes of a comparison.
  var differences = 6
  /// The columns that a name has at least, whatever room there is for it in a terminal.
  var nameColumns = 0

  /// The limits of a summary.
  static let summary = RowLimits(
    causes: 10, interactions: 50, tracks: 16, lists: 8, findings: 10, openSpans: 16, notices: 40,
    pairs: 5, differences: 12, nameColumns: 80)
  /// The limits of a page that can be scrolled.
  static let page = RowLimits(
    causes: 40, interactions: 200, tracks: 40, lists: 20, findings: 40, openSpans: 40, notices: 100,
    pairs: 20, differences: 40, nameColumns: 120)
}
