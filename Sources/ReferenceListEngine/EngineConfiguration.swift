/// What an engine is made of; sessions are the same for all of them.
public struct EngineConfiguration: Sendable {
  /// The list.
  public var content: ListContent
  /// The height of the part of it that is in view.
  public var viewport: Millipoints = 800_000
  /// What the steps cost.
  public var costs = CostModel()
  /// The refresh rates of the display, ascending by time.
  public var rates = [RefreshSchedule.Rate(from: 0, hertz: 60)]
  /// How many threads load data.
  public var loaders = 2
  /// For how many rows beyond the view data is asked for ahead; with 0 only when a row comes into
  /// view.
  public var rowsLoadedAhead = 0
  /// Whether the threads that load images make bitmaps of them too; else the main thread does, in
  /// the commit.
  public var decodesInBackground = false

  /// An engine that shows `content` and asks for data only when it needs it.
  public init(content: ListContent) {
    self.content = content
  }
}
