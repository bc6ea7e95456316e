package import ScrollTraceModel

/// The main-thread work between two refreshes of the display. A late commit belongs as a whole to the
/// refresh in which it started.
package struct RefreshWork: Equatable, Sendable {
  /// The time of the refresh.
  package let start: Timestamp
  /// The time to the next refresh.
  package let refreshInterval: TimeSpan
  /// The end of a late commit that started in this refresh, or `nil` if none did.
  var lateCommitEnd: Timestamp?
  /// A Boolean value indicating whether the late commit of an earlier refresh lasted beyond this one.
  package internal(set) var isSkipped = false
  /// The busy time of the main thread.
  package internal(set) var mainBusy = TimeSpan.zero
  /// How much of it the main thread waited, which is no work (M-11).
  package internal(set) var mainWaiting = TimeSpan.zero
  /// The part of the busy time for cells prepared before they were needed.
  package internal(set) var aheadBusy = TimeSpan.zero
  /// A Boolean value indicating whether the frame that started at the refresh missed its deadline
  /// (M-1).
  package internal(set) var missedDeadline = false

  /// The range from the refresh to the next one.
  var range: TimeRange { TimeRange(start: start, end: start + refreshInterval) }
}
