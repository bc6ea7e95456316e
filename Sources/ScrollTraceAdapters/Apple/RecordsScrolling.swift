#if canImport(SwiftUI) && !os(watchOS)
  public import ScrollTraceRecorder
  public import SwiftUI

  #if canImport(UIKit)
    internal import QuartzCore
    internal import UIKit
  #endif

  extension View {
    /// Records the scrolling of this `ScrollView` or `List`.
    ///
    /// From iOS 18 and macOS 15 on, it follows the phases that SwiftUI reports; on earlier versions of iOS,
    /// the scroll view that SwiftUI uses. It has no effect on earlier systems without UIKit.
    @MainActor @ViewBuilder
    public func recordsScrolling(_ scroll: ScrollRecorder) -> some View {
      if #available(iOS 18, macOS 15, tvOS 18, visionOS 2, *) {
        onScrollPhaseChange { before, phase in
          for event in ScrolledPhase(phase).events(after: ScrolledPhase(before)) {
            scroll.scrollViewDid(event)
          }
        }
      } else {
        #if canImport(UIKit)
          background { ScrollProbe(scroll: scroll) }
        #else
          self
        #endif
      }
    }
  }

  @available(iOS 18, macOS 15, tvOS 18, visionOS 2, *)
  extension ScrolledPhase {
    fileprivate init(_ phase: ScrollPhase) {
      self =
        switch phase {
        case .idle: .idle
        case .tracking: .tracking
        case .interacting: .interacting
        case .decelerating: .decelerating
        case .animating: .animating
        @unknown default: .idle
        }
    }
  }

  /// A row whose content is recorded as a span of its item whenever SwiftUI evaluates it.
  ///
  /// ```swift
  /// ForEach(posts) { post in
  ///   RecordedRow(recorder, item: ItemID(post.id)) { PostView(post) }
  /// }
  /// ```
  public struct RecordedRow<Content: View>: View {
    private let recorder: TraceRecorder
    private let item: ItemID
    private let name: RecordedName
    private let content: () -> Content

    /// Creates a row.
    public init(
      _ recorder: TraceRecorder, item: ItemID, name: RecordedName = "configure",
      @ViewBuilder content: @escaping () -> Content
    ) {
      self.recorder = recorder
      self.item = item
      self.name = name
      self.content = content
    }

    /// The content.
    public var body: some View { recorder.withSpan(name, .cell, item: item) { content() } }
  }

  #if canImport(UIKit)
    /// Finds the scroll view around or beside it, and asks it for its motion at each refresh while it moves.
    private struct ScrollProbe: UIViewRepresentable {
      let scroll: ScrollRecorder

      func makeUIView(context: Context) -> ScrollProbeView { ScrollProbeView(scroll) }

      func updateUIView(_ view: ScrollProbeView, context: Context) {}
    }

    private final class ScrollProbeView: UIView {
      private static let maximumViews = 256

      private let scroll: ScrollRecorder
      private weak var scrollView: UIScrollView?
      private var link: CADisplayLink?
      private var last = ScrollSample()

      init(_ scroll: ScrollRecorder) {
        self.scroll = scroll
        super.init(frame: .zero)
        isUserInteractionEnabled = false
      }

      required init?(coder: NSCoder) { nil }

      override func didMoveToWindow() {
        super.didMoveToWindow()
        guard window != nil else { return stop() }
        guard scrollView == nil, let found = enclosing() ?? beside() else { return }
        scrollView = found
        found.panGestureRecognizer.addTarget(self, action: #selector(pan))
      }

      private func enclosing() -> UIScrollView? {
        var view = superview
        while let next = view {
          if let found = next as? UIScrollView { return found }
          view = next.superview
        }
        return nil
      }

      /// The first scroll view in the nearest view that contains one.
      private func beside() -> UIScrollView? {
        var seen = 0
        var around = superview
        while let root = around, seen < Self.maximumViews {
          var views = [root]
          while !views.isEmpty, seen < Self.maximumViews {
            let view = views.removeFirst()
            seen += 1
            if let found = view as? UIScrollView { return found }
            views += view.subviews
          }
          around = root.superview
        }
        return nil
      }

      @objc private func pan() {
        sample()
        guard link == nil, last.isMoving else { return }
        let link = CADisplayLink(target: self, selector: #selector(sample))
        link.add(to: .main, forMode: .common)
        self.link = link
      }

      @objc private func sample() {
        guard let scrollView else { return stop() }
        var now = ScrollSample(
          isDragging: scrollView.isDragging, isDecelerating: scrollView.isDecelerating)
        #if !os(tvOS)
          now.isPaging = scrollView.isPagingEnabled
        #endif
        for event in now.events(since: last) { scroll.scrollViewDid(event) }
        last = now
        if !now.isMoving { stopLink() }
      }

      private func stopLink() {
        link?.invalidate()
        link = nil
      }

      private func stop() {
        stopLink()
        if last.isMoving { scroll.scrollViewDid(.cancelled) }
        last = ScrollSample()
      }
    }
  #endif
#endif
