/// An event of a scroll view, named after its delegate's methods.
public enum ScrollEvent: Hashable, Sendable, CaseIterable {
  case willBeginDragging
  /// The finger is lifted, and the content decelerates.
  case didEndDraggingWithDeceleration
  /// The finger is lifted, and the content moves to a page.
  case didEndDraggingWithPaging
  /// The finger is lifted, and the content is at rest.
  case didEndDragging
  case didEndDecelerating
  case willAnimate
  case didEndAnimation
  /// A tap on the status bar starts to scroll to the top: `scrollViewShouldScrollToTop` returns `true`.
  case willScrollToTop
  case didScrollToTop
  /// The list is no longer on screen, or the app is in the background.
  case cancelled
}
