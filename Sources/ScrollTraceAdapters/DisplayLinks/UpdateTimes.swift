/// What UIKit says about an update of its views: the times of a `UIUpdateInfo`.
struct UpdateTimes: Hashable, Sendable {
  /// The time that animations go by, close to the update's start: `modelTime`.
  var model: Int64
  /// When changes have to be with the render server: `completionDeadlineTime`.
  var deadline: Int64
  /// When they should be visible: `estimatedPresentationTime`.
  var presentation: Int64

  /// Times in the recorder's clock.
  init(model: Int64, deadline: Int64, presentation: Int64) {
    self.model = model
    self.deadline = deadline
    self.presentation = presentation
  }

  /// Times in seconds, as UIKit has them; `nil` for what is no time.
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
