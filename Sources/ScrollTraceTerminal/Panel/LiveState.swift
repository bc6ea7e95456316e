import ScrollTraceCLI

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
  /// How many cells were prepared before they were needed, or `nil` if nobody counts.
  var preparedAhead: Int?
  /// How many cells were prepared when they were needed, or `nil` if nobody counts.
  var preparedOnDemand: Int?
  /// Whether time stands still.
  var isPaused = false
  /// The file that is recorded into.
  var recording: String?
  /// Whether the keys are explained.
  var isHelpShown = false
}

/// A row of the list as it is to be seen; places are thousandths of a point.
struct LiveRow: Sendable {
  /// The number of the item, which decides what its picture looks like.
  var item: UInt64
  /// What the item is called; from anywhere, so escaped when it is drawn.
  var title: String
  /// A line below the title; from anywhere, too.
  var detail: String
  /// Where the row begins below the top of the viewport; negative above it.
  var top: Int64
  /// How high the row is.
  var height: Int64
  /// Which of `columns` it stands in, from 0.
  var column = 0
  /// How many rows stand beside each other.
  var columns = 1
  /// Whether the item is a photo; others have a small picture beside their text.
  var isPhoto = true
  /// How far the picture is.
  var content = LiveContent.final
  /// Whether it shows the picture of another item.
  var isWrong = false
  /// Whether somebody holds it to put it elsewhere.
  var isHeld = false
}

/// How far the picture of a row is.
enum LiveContent: Sendable, CaseIterable {
  /// Nothing of it is there.
  case placeholder
  /// Its bytes are there, not its pixels.
  case undecoded
  /// It is what it will be.
  case final
}

/// What the main thread did for one refresh; times are nanoseconds.
struct LiveRefresh: Sendable {
  /// How long the main thread worked.
  var mainWork: Int64
  /// How long the refresh was, which is the time there was for the work.
  var refreshInterval: Int64
  /// Whether the frame was not ready in time.
  var missed = false
  /// The part of `mainWork` that was done ahead of its need.
  var prefetch: Int64 = 0

  /// How long the main thread waited, which is no work.
  var waiting: Int64 = 0

  /// The work and the waiting as a multiple of the time there was.
  var occupied: Double { load + multiple(waiting) }

  /// The work as a multiple of the time there was; never negative.
  var load: Double { multiple(mainWork) }

  /// The work that could not have been done ahead, as a multiple of the time there was.
  var loadOnDemand: Double { multiple(mainWork) - min(multiple(mainWork), multiple(prefetch)) }

  private func multiple(_ time: Int64) -> Double {
    Double(max(0, time)) / Double(max(1, refreshInterval))
  }
}

/// A choice the engine works by, as the status line names it.
struct LivePolicy: Sendable {
  /// What is chosen: `prefetch`.
  var name: String
  /// What it is now: `two screens`.
  var value: String
}
