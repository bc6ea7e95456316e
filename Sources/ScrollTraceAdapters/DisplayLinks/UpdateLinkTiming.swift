internal import ScrollTraceRecorder

/// The frame timing that UIKit reports for an update, with its deadline and target.
///
/// The start stays unknown: the model time is meant for smooth animations, and Apple does not
/// specify its relation to the start of the update. It is accurate enough for the refresh interval,
/// which is the deadline minus the model time, because an app's part of a frame takes one refresh
/// interval.
struct UpdateLinkTiming: FrameSource {
  /// The longest accepted interval: a tenth of a second, and a quarter more for the inaccuracy of
  /// the model time.
  private static var longest: Int64 { 125_000_000 }

  /// Creates the timing of a link that has not called yet.
  init() {}

  /// Returns the frame of an update, or `nil` if the times are not those of an update.
  mutating func tick(_ times: UpdateTimes) -> FrameTiming? {
    guard times.presentation >= times.deadline else { return nil }
    let (interval, overflow) = times.deadline.subtractingReportingOverflow(times.model)
    let isKnown = !overflow && interval > 0 && interval <= Self.longest
    return FrameTiming(
      deadline: times.deadline, target: times.presentation,
      refreshInterval: isKnown ? interval : nil)
  }
}
