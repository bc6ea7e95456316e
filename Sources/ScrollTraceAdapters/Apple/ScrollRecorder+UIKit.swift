#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension ScrollRecorder {
    /// To be called in `scrollViewDidEndDragging(_:willDecelerate:)`.
    @MainActor
    public func didEndDragging(_ scrollView: UIScrollView, willDecelerate: Bool) {
      guard willDecelerate else { return take(.didEndDragging) }
      #if os(tvOS)
        take(.didEndDraggingWithDeceleration)
      #else
        let isPaging = scrollView.isPagingEnabled
        take(isPaging ? .didEndDraggingWithPaging : .didEndDraggingWithDeceleration)
      #endif
    }
  }
#endif
