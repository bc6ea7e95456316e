#if canImport(UIKit) && !os(watchOS)
  internal import CoreFoundation
  internal import Foundation
  public import QuartzCore
  public import ScrollTraceRecorder
  internal import UIKit
#elseif canImport(AppKit)
  public import AppKit
  internal import CoreFoundation
  internal import Foundation
  public import QuartzCore
  public import ScrollTraceRecorder
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  /// Records a frame for each call of a display link, which ends when the run loop has committed.
  ///
  /// A running link calls at every refresh, whether anything changes or not, and keeps the main thread
  /// awake: run it while something is measured. On iPhones links are called 60 times a second at most
  /// unless `CADisableMinimumFrameDurationOnPhone` is set in the app's `Info.plist`. Where there is
  /// UIKit, ``UpdateLinkRecorder`` does better.
  ///
  /// The recorder must have the clock `uptime`, the default: the link's times are of that clock. A
  /// class, since link and run loop call it.
  @MainActor
  public final class DisplayLinkRecorder {
    private var frames: DisplayLinkFrames
    private var pauses: AppPauses?
    private var observer: CFRunLoopObserver?

    /// The link, whose preferred frame rates are up to the app; `nil` once stopped.
    public private(set) var link: CADisplayLink?

    private var scrolls: [ScrollRecorder] = []

    #if canImport(UIKit)
      /// Records from now on.
      public init(_ recorder: TraceRecorder, surface name: String = "display") {
        frames = DisplayLinkFrames(recorder, rule: .commits, surface: name)
        let target = LinkTarget { [weak self] in self?.linkCalls() }
        start(CADisplayLink(target: target, selector: #selector(LinkTarget.call(_:))))
      }
    #else
      /// Records from now on, by the display that `view` is on.
      public init(_ recorder: TraceRecorder, view: NSView, surface name: String = "display") {
        frames = DisplayLinkFrames(recorder, rule: .commits, surface: name)
        let target = LinkTarget { [weak self] in self?.linkCalls() }
        start(view.displayLink(target: target, selector: #selector(LinkTarget.call(_:))))
      }
    #endif

    /// Ends what `scroll` records when the app goes into the background.
    public func follow(_ scroll: ScrollRecorder) {
      scrolls.append(scroll)
    }

    /// Ends the recording of frames.
    public func stop() {
      pauses?.stop()
      link?.invalidate()
      link = nil
      if let observer { CFRunLoopRemoveObserver(CFRunLoopGetMain(), observer, .commonModes) }
      observer = nil
      frames.pause()
    }

    private func start(_ link: CADisplayLink) {
      self.link = link
      // In the default mode the link would fall silent while a finger is on a list.
      link.add(to: .main, forMode: .common)
      // Core Animation commits before the run loop waits; the last in order comes after it.
      observer = CFRunLoopObserverCreateWithHandler(
        kCFAllocatorDefault, CFRunLoopActivity.beforeWaiting.rawValue, true, CFIndex.max
      ) { [weak self] _, _ in
        MainActor.assumeIsolated { self?.frames.commitEnded() }
      }
      CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
      pauses = AppPauses { [weak self] in
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

  /// What a display link calls, which has to be an object of Objective-C.
  @MainActor
  private final class LinkTarget: NSObject {
    private let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) {
      self.body = body
    }

    @objc func call(_ sender: AnyObject) {
      body()
    }
  }
#endif
