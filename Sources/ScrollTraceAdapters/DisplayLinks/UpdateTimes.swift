public import ScrollTraceRecorder

/// What UIKit says about an update of its views: the times of a `UIUpdateInfo`.
public struct UpdateTimes: Hashable, Sendable {
  /// The time that animations go by, close to the update's start: `modelTime`.
  public var model: Nanoseconds
  /// When changes have to be with the render server: `completionDeadlineTime`.
  public var deadline: Nanoseconds
  /// When they should be visible: `estimatedPresentationTime`.
  public var presentation: Nanoseconds

  /// Times in the recorder's clock.
  public init(model: Nanoseconds, deadline: Nanoseconds, presentation: Nanoseconds) {
    self.model = model
    self.deadline = deadline
    self.presentation = presentation
  }

  /// Times in seconds, as UIKit has them; `nil` for what is no time.
  public init?(
    modelInSeconds model: Double, deadlineInSeconds deadline: Double,
    presentationInSeconds presentation: Double
  ) {
    guard let model = Nanoseconds(seconds: model), let deadline = Nanoseconds(seconds: deadline),
      let presentation = Nanoseconds(seconds: presentation)
    else { return nil }
    self.init(model: model, deadline: deadline, presentation: presentation)
  }
}
