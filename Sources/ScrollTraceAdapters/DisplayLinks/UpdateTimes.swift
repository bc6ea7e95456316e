internal import ScrollTraceRecorder

/// The times that UIKit reports for an update, from `UIUpdateInfo`.
struct UpdateTimes: Equatable, Sendable {
  /// The time for animations, close to the start of the update: `modelTime`.
  var model: RecorderTime
  /// The time by which the render server must have the changes: `completionDeadlineTime`.
  var deadline: RecorderTime
  /// The time at which the changes should be visible: `estimatedPresentationTime`.
  var presentation: RecorderTime
}

extension UpdateTimes {
  /// Creates times from seconds, as UIKit reports them, or returns `nil` if one is not a valid
  /// time.
  init?(
    modelInSeconds model: Double, deadlineInSeconds deadline: Double,
    presentationInSeconds presentation: Double
  ) {
    guard let model = RecorderTime(exactSeconds: model),
      let deadline = RecorderTime(exactSeconds: deadline),
      let presentation = RecorderTime(exactSeconds: presentation)
    else { return nil }
    self.init(model: model, deadline: deadline, presentation: presentation)
  }
}
