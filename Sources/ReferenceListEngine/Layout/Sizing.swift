/// How the layout knows the height of what was never in view.
package enum Sizing: Equatable, Sendable {
  /// All heights are known.
  case exact
  /// Cells size themselves; until then every line counts as this high.
  case estimate(Millipoints)
  /// Cells size themselves; until then every line counts as high as those before were on average,
  /// and at first as this high.
  case runningAverage(first: Millipoints)
}
