// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.
// Since when each is there: developer.apple.com/documentation/quartzcore/cadisplaylink.

@_exported import CoreFoundation
@_exported import Foundation
@_exported import ObjectiveC

@available(macOS 14, iOS 3.1, tvOS 9, *)
@available(watchOS, unavailable)
open class CADisplayLink: NSObject {
  @available(macOS, unavailable)
  public init(target: Any, selector: Selector) {}
  open var timestamp: CFTimeInterval { 0 }
  open var targetTimestamp: CFTimeInterval { 0 }
  open var isPaused: Bool = false
  open func add(to runLoop: RunLoop, forMode mode: RunLoop.Mode) {}
  open func invalidate() {}
}

public typealias CFTimeInterval = Double

// What Linux's Foundation lacks.
#if os(Linux)
// Apple's `CFRunLoopMode` is a type of its own; here it is a string.
extension CFString {
  public static var commonModes: CFString? { nil }
}

extension ProcessInfo {
  public var isLowPowerModeEnabled: Bool { false }
  public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }
  public var thermalState: ThermalState { .nominal }
  public static let thermalStateDidChangeNotification = NSNotification.Name("thermal")
}

extension NSNotification.Name {
  public static let NSProcessInfoPowerStateDidChange = NSNotification.Name("power")
}
#endif
