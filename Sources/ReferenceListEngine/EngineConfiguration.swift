/// The configuration of an engine. Scripts are independent of it.
package struct EngineConfiguration: Sendable {
  package var content: ListContent
  package var viewport: Millipoints = 800_000
  /// The number of items side by side.
  package var columns = 1
  package var sizing = Sizing.exact
  package var costs = CostModel()
  package var rates = [RefreshSchedule.Rate(from: 0, hertz: 60)]
  package var loaders = 2
  package var policies = EnginePolicies()
  /// The number of lines beyond the view for which data is prefetched.
  package var linesLoadedAhead = 10
  /// The number of lines beyond the view for which cells are prepared.
  package var linesPreparedAhead = 3
  /// The number of cells that are kept after they left the view or before they are displayed.
  package var cellsKept = 12
  /// The size at which cells display images.
  package var imageSize = ImageSize(width: 160, height: 120, scale: 2)
  /// The size of the cache of bitmaps in bytes.
  package var imageCacheBytes: Int64 = 96 << 20
  /// The speed, in thousandths of a point per second, from which no cells are prepared in idle
  /// time.
  package var fastScroll: Millipoints = 4_000_000

  /// Creates an engine configuration that does everything on demand.
  package init(content: ListContent) { self.content = content }
}
