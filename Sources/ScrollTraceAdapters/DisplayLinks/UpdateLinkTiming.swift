internal import ScrollTraceRecorder

/// The frame timing that UIKit reports for an update, with its deadline and target.
///
/// The start stays unknown: the model time is meant for smooth animations, and Apple does not
/// specify its relation to the start of the update. The refresh interval is the time between the
/// presentations of successive updates; after a pause, it is the deadline minus the model time, because an
/// app's part of a frame takes one refresh interval.
struct UpdateLinkTiming: FrameSource {
  /// The longest accepted interval: a tenth of a second, and a quarter more for the inaccuracy of
  /// the model time.
  private static var longest: RecorderTime { .milliseconds(125) }

  private var lastPresentation: RecorderTime?

  /// Creates the timing of a link that has not called yet.
  init() {}

  /// Returns the frame of an update, or `nil` if the times are not those of an update.
  mutating func tick(_ times: UpdateTimes) -> FrameTiming? {
    guard times.presentation >= times.deadline else { return nil }
    let estimate = Self.interval(from: times.model, to: times.deadline)
    let spacing = lastPresentation.flatMap { Self.interval(from: $0, to: times.presentation) }
    lastPresentation = times.presentation
    // A longer time is a refresh without an update.
    let isOfOneRefresh = spacing.map { spacing in
      estimate.map { spacing + spacing < $0 + $0 + $0 } ?? true
    }
    return FrameTiming(
      deadline: times.deadline, target: times.presentation,
      refreshInterval: isOfOneRefresh == true ? spacing : estimate)
  }

  private static func interval(from start: RecorderTime, to end: RecorderTime) -> RecorderTime? {
    let interval = end - start
    return interval > .zero && interval <= longest ? interval : nil
  }
}
