/// All that is seen of a running engine at one moment; times are nanoseconds.
struct LiveState: Sendable {
  /// The rows in view, and as many beyond as there may be.
  var rows: [LiveRow] = []
  /// How high the viewport is, in thousandths of a point.
  var viewport: Int64 = 0
  /// The latest refreshes, newest last.
  var refreshes: [LiveRefresh] = []
  /// How many refreshes there were before the first of `refreshes`.
  ///
  /// Refreshes that share a column stay together by it while the graph moves.
  var earlierRefreshes = 0
  /// How many refreshes share a column of the graph, which then shows the worst of them.
  var refreshesPerColumn = 1
  /// The refresh rate.
  var hertz = 60
  /// The refresh interval; that of `hertz` where it is not known better.
  var refreshInterval: Int64?
  /// The choices, in the order of their keys.
  var policies: [LivePolicy] = []
  /// How many frames there were.
  var frames = 0
  /// How many of them were late.
  var missed = 0
  /// The hitch time of all movements.
  var hitchTime: Int64 = 0
  /// For how long something moved.
  var movingTime: Int64 = 0
  /// For how long the figures were counted, moving or not.
  var countedTime: Int64 = 0
  /// The work of the main thread since the start.
  var mainBusy: Int64 = 0
  /// The work of all other threads since the start.
  var backgroundBusy: Int64 = 0
  /// How many cells were prepared before they were needed; `nil` where nobody counts.
  var preparedAhead: Int?
  /// How many cells were prepared when they were needed; `nil` where nobody counts.
  var preparedOnDemand: Int?
  /// Whether time stands still.
  var isPaused = false
  /// The file that is recorded into.
  var recording: String?
  /// Whether the keys are explained.
  var isHelpShown = false
}
