/// What an engine is made of; scripts are the same for all of them.
package struct EngineConfiguration: Sendable {
  /// The list.
  package var content: ListContent
  /// The height of the part of it that is in view.
  package var viewport: Millipoints = 800_000
  /// How many items lie side by side.
  package var columns = 1
  /// How the heights of lines are known that were never in view.
  package var sizing = Sizing.exact
  /// What the steps cost.
  package var costs = CostModel()
  /// The refresh rates of the display, ascending by time.
  package var rates = [RefreshSchedule.Rate(from: 0, hertz: 60)]
  /// How many threads load data.
  package var loaders = 2
  /// How it does what can be done in several ways.
  package var policies = EnginePolicies()
  /// For how many lines beyond the view data is asked for ahead.
  package var linesLoadedAhead = 10
  /// For how many lines beyond the view cells are prepared ahead.
  package var linesPreparedAhead = 3
  /// How many cells that left the view, or were not shown yet, are kept as they are.
  package var cellsKept = 12
  /// How many bytes of bitmaps are kept in memory.
  package var imageCacheBytes: Int64 = 96 << 20
  /// From how many thousandths of a point a second on no cells are prepared in spare time.
  package var fastScroll: Millipoints = 4_000_000

  /// An engine that shows `content` and does everything when it is needed.
  package init(content: ListContent) {
    self.content = content
  }
}
