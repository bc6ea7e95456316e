#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  internal import Foundation
  public import ScrollTraceRecorder

  /// Records the live scrolling of an AppKit scroll view. AppKit does not separate the drag from
  /// the deceleration after it, so both are one drag.
  ///
  /// A class, because it owns the observers.
  @MainActor
  public final class LiveScrollRecorder {
    /// The recorder of the interactions, for `DisplayLinkRecorder.follow(_:)`.
    public let scroll: ScrollRecorder
    private var observers: [any NSObjectProtocol] = []

    /// Starts recording.
    ///
    /// - Parameter surface: The surface that moves, or `nil` for all surfaces.
    public init(
      _ recorder: TraceRecorder, _ scrollView: NSScrollView, surface: RecordedSurface? = nil
    ) {
      scroll = ScrollRecorder(recorder, surface: surface)
      observe(NSScrollView.willStartLiveScrollNotification, of: scrollView, .willBeginDragging)
      observe(NSScrollView.didEndLiveScrollNotification, of: scrollView, .didEndDragging)
    }

    /// Stops recording and ends a current interaction.
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
          [weak self] _ in MainActor.assumeIsolated { self?.scroll.scrollViewDid(event) }
        })
    }
  }
#endif
