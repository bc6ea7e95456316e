internal import ScrollTraceRecorder

/// What follows from what UIKit says about an update: deadline and target as they are said.
///
/// The begin stays unknown: the model time is made for even animations, and Apple promises no exact
/// relation to the start of the update. It is near enough for the interval, since an app has one
/// refresh interval for its part of a frame: the interval is the deadline less the model time.
struct UpdateLinkTiming: FrameSource {
  /// The longest interval of a display, a tenth of a second, and a quarter more for the model time.
  private static var longest: Int64 { 125_000_000 }

  /// An update link that has not called yet.
  init() {}

  /// The frame of an update, or `nil` if the times are none of an update.
  mutating func tick(_ times: UpdateTimes) -> FrameTiming? {
    guard times.presentation >= times.deadline else { return nil }
    let (interval, overflow) = times.deadline.subtractingReportingOverflow(times.model)
    let isKnown = !overflow && interval > 0 && interval <= Self.longest
    return FrameTiming(
      deadline: times.deadline, target: times.presentation,
      refreshInterval: isKnown ? interval : nil)
  }
}
