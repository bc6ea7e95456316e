/// The times that UIKit reports for an update, from `UIUpdateInfo`.
struct UpdateTimes: Equatable, Sendable {
  /// The time for animations, close to the start of the update: `modelTime`.
  var model: Int64
  /// The time by which the render server must have the changes: `completionDeadlineTime`.
  var deadline: Int64
  /// The time at which the changes should be visible: `estimatedPresentationTime`.
  var presentation: Int64

  /// Creates times on the recorder's clock, in nanoseconds.
  init(model: Int64, deadline: Int64, presentation: Int64) {
    self.model = model
    self.deadline = deadline
    self.presentation = presentation
  }

  /// Creates times from seconds, as UIKit reports them, or returns `nil` if one is not a valid
  /// time.
  init?(
    modelInSeconds model: Double, deadlineInSeconds deadline: Double,
    presentationInSeconds presentation: Double
  ) {
    guard let model = Int64(seconds: model), let deadline = Int64(seconds: deadline),
      let presentation = Int64(seconds: presentation)
    else { return nil }
    self.init(model: model, deadline: deadline, presentation: presentation)
  }
}
