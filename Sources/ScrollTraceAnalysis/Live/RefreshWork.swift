package import ScrollTraceModel

/// What the main thread did between a refresh of the display and the next.
package struct RefreshWork: Hashable, Sendable {
  /// When the refresh was.
  package let start: Timestamp
  /// The time to the next one.
  package let refreshInterval: TimeSpan
  /// How much of it the main thread was busy.
  package internal(set) var mainBusy = TimeSpan.zero
  /// How much of it the main thread waited, which is no work (M-11).
  package internal(set) var mainWaiting = TimeSpan.zero
  /// The part of the busy time for cells prepared before they were needed.
  package internal(set) var aheadBusy = TimeSpan.zero
  /// Whether the frame that was begun at the refresh missed its deadline (M-1).
  package internal(set) var missedDeadline = false

  /// From the refresh to the next one.
  var range: TimeRange { TimeRange(start: start, end: start + refreshInterval) }
}
