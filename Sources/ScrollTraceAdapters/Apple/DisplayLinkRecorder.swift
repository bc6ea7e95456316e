#if canImport(UIKit) && !os(watchOS)
  internal import Foundation
  public import QuartzCore
  public import ScrollTraceRecorder
  internal import UIKit
#elseif canImport(AppKit)
  public import AppKit
  internal import Foundation
  public import QuartzCore
  public import ScrollTraceRecorder
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  /// Records a frame for each call of a display link. The frame ends when the run loop has
  /// committed.
  ///
  /// A running link calls at every refresh, whether or not anything changes, and keeps the main
  /// thread awake, so run it only while you measure. On iPhone, links are called at most 60 times a
  /// second unless `CADisableMinimumFrameDurationOnPhone` is set in the app's `Info.plist`. In
  /// UIKit apps, ``UpdateLinkRecorder`` is more accurate.
  ///
  /// The recorder must use the clock `uptime`, which is the default and the clock of the link's
  /// times. A class, because the link and the run loop call it.
  @available(macOS 14, *)
  @MainActor
  public final class DisplayLinkRecorder {
    private var frames: DisplayLinkFrames
    private var pauses: AppPauses?
    private var turns: RunLoopTurns?

    /// The link, or `nil` after `stop()`. The app sets its preferred frame rates.
    public private(set) var link: CADisplayLink?

    private var scrolls: [ScrollRecorder] = []

    #if canImport(UIKit)
      /// Starts recording.
      public init(_ recorder: TraceRecorder, surface name: String = "display") {
        recorder.setState("host", to: "UIKit")
        frames = DisplayLinkFrames(recorder, rule: .commits, surface: name)
        let target = LinkTarget { [weak self] in self?.linkCalls() != nil }
        start(CADisplayLink(target: target, selector: #selector(LinkTarget.call(_:))))
      }
    #else
      /// Starts recording, with the display that `view` is on.
      public init(_ recorder: TraceRecorder, view: NSView, surface name: String = "display") {
        recorder.setState("host", to: "AppKit")
        frames = DisplayLinkFrames(recorder, rule: .commits, surface: name)
        let target = LinkTarget { [weak self] in self?.linkCalls() != nil }
        start(view.displayLink(target: target, selector: #selector(LinkTarget.call(_:)))) {
          [weak view] in view?.window.map { !$0.occlusionState.contains(.visible) } ?? true
        }
      }
    #endif

    /// Ends the interactions of `scroll` when the app enters the background.
    public func follow(_ scroll: ScrollRecorder) { scrolls.append(scroll) }

    /// Stops recording frames.
    public func stop() {
      pauses?.stop()
      link?.invalidate()
      link = nil
      turns?.stop()
      frames.runLoopWaits()
      frames.pause()
    }

    private func start(_ link: CADisplayLink, isHidden: @escaping @MainActor () -> Bool = { false })
    {
      self.link = link
      // In the default mode, the link would pause while a finger is on a list.
      link.add(to: .main, forMode: .common)
      turns = RunLoopTurns { [weak self] in
        self?.frames.runLoopWakes()
      } waits: { [weak self] in
        self?.frames.runLoopWaits()
      }
      pauses = AppPauses(isHidden: isHidden) { [weak self] in
        self?.pause()
      } resume: { [weak self] in
        self?.link?.isPaused = false
      }
    }

    private func pause() {
      link?.isPaused = true
      frames.pause()
      for scroll in scrolls { scroll.scrollViewDid(.cancelled) }
    }

    private func linkCalls() {
      guard let link,
        let times = LinkTimes(
          timestampInSeconds: link.timestamp, targetInSeconds: link.targetTimestamp)
      else { return }
      frames.displayLinkDidFire(times)
    }
  }

  /// The target of a display link, which must be an Objective-C object. The link retains it, and ends when
  /// its owner is gone.
  @available(macOS 14, *)
  @MainActor
  private final class LinkTarget: NSObject {
    private let body: @MainActor () -> Bool

    /// Creates a target that calls `body`, which returns whether its owner is still there.
    init(_ body: @escaping @MainActor () -> Bool) { self.body = body }

    @objc func call(_ sender: AnyObject) { if !body() { (sender as? CADisplayLink)?.invalidate() } }
  }
#endif
