import ReferenceListEngine

/// The visible state of a running engine at one moment; times are nanoseconds.
struct LiveState: Sendable {
  /// The rows in view, and possibly more beyond.
  var rows: [LiveRow] = []
  /// The height of the viewport, in thousandths of a point.
  var viewport: Int64 = 0
  /// The latest refreshes, newest last.
  var refreshes: [LiveRefresh] = []
  var hertz = 60
  /// The refresh interval, by default that of `hertz`.
  var refreshInterval: Int64?
  /// The policies, in the order of their keys.
  var policies: [LivePolicy] = []
  var frames = 0
  /// The number of late frames.
  var missed = 0
  var hitchTime: Int64 = 0
  var movingTime: Int64 = 0
  /// The blank time in motion, or `nil` if no content is known to be missing or there.
  var blankTime: Int64?
  /// The counted time, in motion or not.
  var countedTime: Int64 = 0
  /// The work of the main thread since the start.
  var mainBusy: Int64 = 0
  /// The work of all other threads since the start.
  var backgroundBusy: Int64 = 0
  /// The number of cells prepared in advance, or `nil` if they are not counted.
  var preparedAhead: Int?
  /// The number of cells prepared on demand, or `nil` if they are not counted.
  var preparedOnDemand: Int?
  var isPaused = false
  var recording: String?
  var isHelpShown = false

  /// The refresh interval in nanoseconds, more than zero.
  var interval: Int64 { max(1, refreshInterval ?? 1_000_000_000 / Int64(max(1, hertz))) }
}

/// A row of the list; positions are in thousandths of a point.
struct LiveRow: Sendable {
  /// The title, from any source and therefore escaped when it is drawn.
  var title: String
  /// The line below the title, also from any source.
  var detail: String
  /// The position of the row below the top of the viewport, negative above it.
  var top: Int64
  var height: Int64
  var content = Cell.Content.final
  /// Whether the row displays the content of another item.
  var isWrong = false
  /// Whether the row is being dragged.
  var isHeld = false
}

/// The main thread's work for one refresh; times are nanoseconds.
struct LiveRefresh: Sendable {
  /// The duration of the main thread's work, all of it if it started in this refresh and was late.
  var mainWork: Int64
  /// The duration of the refresh, which is the time available for the work.
  var refreshInterval: Int64
  var missed = false
  /// Whether the work of an earlier refresh lasted beyond this one.
  var isSkipped = false
  /// The part of `mainWork` that was done in advance.
  var prefetch: Int64 = 0

  /// The time the main thread waited, which is not work.
  var waiting: Int64 = 0

  /// The work and the waiting as a multiple of the time available.
  var occupied: Double { load + multiple(waiting) }

  /// The work as a multiple of the time available; never negative.
  var load: Double { multiple(mainWork) }

  /// The work that could not be done in advance, as a multiple of the time available.
  var loadOnDemand: Double { multiple(mainWork) - min(multiple(mainWork), multiple(prefetch)) }

  private func multiple(_ time: Int64) -> Double {
    Double(max(0, time)) / Double(max(1, refreshInterval))
  }
}

/// A policy of the engine, as named in the status line.
struct LivePolicy: Sendable {
  /// The name of the policy: `prefetch`.
  var name: String
  /// The current choice: `two screens`.
  var value: String
}
