import ScrollTraceModel

/// What the heights of several graphs are held against, so that they can be compared by eye.
struct FrameScale {
  /// The highest load of all.
  let highestLoad: Double
  /// The longest length of all.
  let longest: TimeSpan

  /// The scale that graphs of all `series` fit into.
  init(_ series: [FrameSeries]) {
    let points = series.flatMap(\.points)
    highestLoad = points.map(\.load).max() ?? 0
    longest = points.map(\.length).max() ?? .zero
  }
}
