/// What a scroll view says of its motion when it is asked, for hosts without its delegate.
struct ScrollSample: Equatable, Sendable {
  var isDragging = false
  var isDecelerating = false
  var isPaging = false

  var isMoving: Bool { isDragging || isDecelerating }

  /// What happened since an earlier sample.
  func events(since before: ScrollSample) -> [ScrollEvent] {
    var events: [ScrollEvent] = []
    if before.isDragging, !isDragging {
      events.append(
        !isDecelerating
          ? .didEndDragging
          : isPaging ? .didEndDraggingWithPaging : .didEndDraggingWithDeceleration)
    }
    if before.isDecelerating, !isDecelerating, !isDragging { events.append(.didEndDecelerating) }
    if isDragging, !before.isDragging { events.append(.willBeginDragging) }
    return events
  }
}

/// The phases of a scroll view of SwiftUI.
enum ScrolledPhase: CaseIterable, Sendable {
  case idle, tracking, interacting, decelerating, animating

  /// What a change to this phase means. A finger that only touches moves nothing.
  func events(after before: ScrolledPhase) -> [ScrollEvent] {
    guard self != before else { return [] }
    if before == .interacting, self == .decelerating { return [.didEndDraggingWithDeceleration] }
    let end: ScrollEvent? =
      switch before {
      case .interacting: .didEndDragging
      case .decelerating: .didEndDecelerating
      case .animating: .didEndAnimation
      case .idle, .tracking: nil
      }
    let begin: ScrollEvent? =
      switch self {
      case .interacting: .willBeginDragging
      // Without a drag before, such as after a wheel or a key.
      case .decelerating, .animating: .willAnimate
      case .idle, .tracking: nil
      }
    return [end, begin].compactMap(\.self)
  }
}
