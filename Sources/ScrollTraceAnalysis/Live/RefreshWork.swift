public import ScrollTraceModel

/// What the main thread did between a refresh of the display and the next.
public struct RefreshWork: Hashable, Sendable {
  /// When the refresh was.
  public let begin: Timestamp
  /// The time to the next one.
  public let interval: TimeSpan
  /// How much of it the main thread was busy.
  public internal(set) var mainBusy = TimeSpan.zero
  /// The part of that for cells prepared before they were needed.
  public internal(set) var aheadBusy = TimeSpan.zero
  /// Whether the frame that was begun at the refresh missed its deadline (M-1).
  public internal(set) var missedDeadline = false

  /// From the refresh to the next one.
  var range: TimeRange { TimeRange(begin: begin, end: begin + interval) }
}
