// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.
// Since when each is there: developer.apple.com/documentation/appkit/nsview/displaylink(target:selector:).

@_exported import CoreGraphics
@_exported import QuartzCore

@MainActor open class NSWindow: NSResponder {
  public struct OcclusionState: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let visible = OcclusionState(rawValue: 2)
  }
  open var occlusionState: OcclusionState { .visible }
  public nonisolated static let didChangeOcclusionStateNotification = Notification.Name("occlusion")
}

@MainActor open class NSResponder: NSObject {}

@MainActor open class NSView: NSResponder {
  open var window: NSWindow? { nil }
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
