/// The motion of a scroll view's content, according to its delegate.
///
/// The content has one kind of motion at a time, from the drag until it rests. An event that comes
/// too late, such as the end of a deceleration that a new drag has interrupted, has no effect.
enum ScrollMotion: Equatable, Sendable, CaseIterable {
  case rest
  case drag
  case deceleration
  /// The content moves to the edge of a page.
  case paging
  /// The app scrolls the content.
  case animation

  func after(_ event: ScrollEvent) -> ScrollMotion {
    switch event {
    case .willBeginDragging: .drag
    // Without a drag, nothing can decelerate: the event is late, or the drag was cancelled.
    case .didEndDraggingWithDeceleration: self == .drag ? .deceleration : self
    case .didEndDraggingWithPaging: self == .drag ? .paging : self
    case .didEndDragging: self == .drag ? .rest : self
    case .didEndDecelerating: self == .deceleration || self == .paging ? .rest : self
    // A finger on the content stops an animation immediately.
    case .willAnimate, .willScrollToTop: self == .drag ? .drag : .animation
    case .didEndAnimation, .didScrollToTop: self == .animation ? .rest : self
    case .cancelled: .rest
    }
  }
}
