/// What the content of a scroll view is doing, from what its delegate is told.
///
/// It is in motion from the drag on until it rests, in one movement at a time. What comes too late,
/// such as the end of a deceleration that a new drag has cut short, changes nothing.
enum ScrollMotion: Hashable, Sendable, CaseIterable {
  /// The content rests.
  case rest
  /// A finger moves it.
  case drag
  /// It runs out.
  case deceleration
  /// It runs to the edge of a page.
  case paging
  /// The app moves it.
  case animation

  /// What the content does after `event`.
  func after(_ event: ScrollEvent) -> ScrollMotion {
    switch event {
    case .willBeginDragging: .drag
    // Without a drag there is nothing to run out: the view said so late, or the drag was cancelled.
    case .didEndDraggingWithDeceleration: self == .drag ? .deceleration : self
    case .didEndDraggingWithPaging: self == .drag ? .paging : self
    case .didEndDragging: self == .drag ? .rest : self
    case .didEndDecelerating: self == .deceleration || self == .paging ? .rest : self
    // A finger that holds the content stops an animation at once.
    case .willAnimate: self == .drag ? .drag : .animation
    case .didEndAnimation: self == .animation ? .rest : self
    case .cancelled: .rest
    }
  }
}
