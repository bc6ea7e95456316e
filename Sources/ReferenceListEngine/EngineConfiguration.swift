/// What an engine is made of; sessions are the same for all of them.
public struct EngineConfiguration: Sendable {
  /// The list.
  public var content: ListContent
  /// The height of the part of it that is in view.
  public var viewport: Millipoints = 800_000
  /// How many items lie side by side.
  public var columns = 1
  /// How the heights of lines are known that were never in view.
  public var sizing = Sizing.exact
  /// What the steps cost.
  public var costs = CostModel()
  /// The refresh rates of the display, ascending by time.
  public var rates = [RefreshSchedule.Rate(from: 0, hertz: 60)]
  /// How many threads load data.
  public var loaders = 2
  /// How it does what can be done in several ways.
  public var policies = EnginePolicies()
  /// For how many lines beyond the view data is asked for ahead.
  public var linesLoadedAhead = 10
  /// For how many lines beyond the view cells are prepared ahead.
  public var linesPreparedAhead = 3
  /// How many cells that left the view, or were not shown yet, are kept as they are.
  public var cellsKept = 12
  /// How many bytes of bitmaps are kept in memory.
  public var imageCacheBytes: Int64 = 96 << 20
  /// From how many thousandths of a point a second on no cells are prepared in spare time.
  public var fastScroll: Millipoints = 4_000_000

  /// An engine that shows `content` and does everything when it is needed.
  public init(content: ListContent) {
    self.content = content
  }
}
