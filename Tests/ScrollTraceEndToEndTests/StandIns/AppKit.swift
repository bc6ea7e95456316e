// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.
// Since when each is there: developer.apple.com/documentation/appkit/nsview/displaylink(target:selector:).

@_exported import CoreGraphics
@_exported import QuartzCore

@MainActor open class NSView: NSObject {
  @available(macOS 14, *)
  open func displayLink(target: Any, selector: Selector) -> CADisplayLink {
    fatalError()
  }
}

@MainActor open class NSScrollView: NSView {
  public nonisolated static let willStartLiveScrollNotification = Notification.Name("start")
  public nonisolated static let didEndLiveScrollNotification = Notification.Name("end")
}

@MainActor open class NSApplication: NSObject {
  public nonisolated static let didHideNotification = Notification.Name("hide")
  public nonisolated static let didUnhideNotification = Notification.Name("unhide")
}
