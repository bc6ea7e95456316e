/// What a scroll view says about its movement, in the words of its delegate.
public enum ScrollEvent: Hashable, Sendable, CaseIterable {
  /// A finger begins to drag.
  case willBeginDragging
  /// The finger is up, and the content comes to rest by itself.
  case didEndDraggingWithDeceleration
  /// The finger is up, and the content comes to rest on a page.
  case didEndDraggingWithPaging
  /// The finger is up, and the content rests.
  case didEndDragging
  /// The content has come to rest.
  case didEndDecelerating
  /// The app begins to scroll by itself, animated.
  case willAnimate
  /// The app's own scroll is over.
  case didEndAnimation
  /// The list is gone from the screen, or the app is in the background.
  case cancelled
}
