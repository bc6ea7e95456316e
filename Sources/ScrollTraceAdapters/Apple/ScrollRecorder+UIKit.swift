#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension ScrollRecorder {
    /// Records the end of a drag. Call this method from
    /// `scrollViewDidEndDragging(_:willDecelerate:)`.
    @MainActor
    public func didEndDragging(_ scrollView: UIScrollView, willDecelerate: Bool) {
      guard willDecelerate else { return scrollViewDid(.didEndDragging) }
      #if os(tvOS)
        scrollViewDid(.didEndDraggingWithDeceleration)
      #else
        let isPaging = scrollView.isPagingEnabled
        scrollViewDid(isPaging ? .didEndDraggingWithPaging : .didEndDraggingWithDeceleration)
      #endif
    }
  }
#endif
