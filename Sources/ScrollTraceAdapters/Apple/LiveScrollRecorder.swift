#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  internal import Foundation
  public import ScrollTraceRecorder

  /// Records the live scrolling of a scroll view of AppKit: fingers on the trackpad and what runs out
  /// after them are one drag, since AppKit tells no more.
  ///
  /// A class, since it ends its observation when it is told to.
  @MainActor
  public final class LiveScrollRecorder {
    /// What records the movement, for `DisplayLinkRecorder.follow(_:)`.
    public let scroll: ScrollRecorder
    private var observers: [any NSObjectProtocol] = []

    /// Records from now on.
    ///
    /// - Parameter surface: The surface that moves; `nil` for all.
    public init(
      _ recorder: TraceRecorder, _ scrollView: NSScrollView, surface: RecordedSurface? = nil
    ) {
      scroll = ScrollRecorder(recorder, surface: surface)
      observe(NSScrollView.willStartLiveScrollNotification, of: scrollView, .willBeginDragging)
      observe(NSScrollView.didEndLiveScrollNotification, of: scrollView, .didEndDragging)
    }

    /// Ends the recording, and the movement if there is one.
    public func stop() {
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
      observers = []
      scroll.scrollViewDid(.cancelled)
    }

    private func observe(
      _ name: Notification.Name, of scrollView: NSScrollView, _ event: ScrollEvent
    ) {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: scrollView, queue: .main) {
          [weak self] _ in
          MainActor.assumeIsolated { self?.scroll.scrollViewDid(event) }
        })
    }
  }
#endif
