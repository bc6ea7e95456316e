#if canImport(UIKit) && !os(watchOS)
  public import ScrollTraceRecorder
  public import UIKit
#elseif canImport(AppKit)
  public import AppKit
  public import ScrollTraceRecorder
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  /// Records the frames of an app with the best link that the system has, and the states of the device.
  ///
  /// It uses an ``UpdateLinkRecorder`` on iOS 18, tvOS 18 and visionOS 2, and otherwise a
  /// ``DisplayLinkRecorder``. Keep a reference while you record frames.
  @available(macOS 14, *)
  @MainActor
  public final class FrameRecorder {
    private let states: DeviceStateRecorder
    private let follows: (ScrollRecorder) -> Void
    private let stops: () -> Void

    #if canImport(UIKit)
      /// Starts recording while `view` is in a visible window.
      public init(_ recorder: TraceRecorder, in view: UIView, surface name: String = "display") {
        states = DeviceStateRecorder(recorder, screen: view.window?.screen)
        // Mac Catalyst has no update links.
        #if !targetEnvironment(macCatalyst)
          if #available(iOS 18, tvOS 18, visionOS 2, *) {
            let link = UpdateLinkRecorder(recorder, view: view, surface: name)
            follows = { link.follow($0) }
            stops = { link.stop() }
            return
          }
        #endif
        let link = DisplayLinkRecorder(recorder, surface: name)
        follows = { link.follow($0) }
        stops = { link.stop() }
      }
    #else
      /// Starts recording, with the display that `view` is on.
      public init(_ recorder: TraceRecorder, in view: NSView, surface name: String = "display") {
        states = DeviceStateRecorder(recorder)
        let link = DisplayLinkRecorder(recorder, view: view, surface: name)
        follows = { link.follow($0) }
        stops = { link.stop() }
      }
    #endif

    /// Requests a frame at every refresh while `scroll` is moving, if the system supports that, and ends its
    /// interactions when the app enters the background.
    public func follow(_ scroll: ScrollRecorder) { follows(scroll) }

    /// Stops recording frames and states.
    public func stop() {
      states.stop()
      stops()
    }
  }
#endif
