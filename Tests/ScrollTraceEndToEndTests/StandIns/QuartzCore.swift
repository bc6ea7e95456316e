// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.

@_exported import CoreFoundation
@_exported import Foundation
@_exported import ObjectiveC

open class CADisplayLink: NSObject {
  public init(target: Any, selector: Selector) {}
  open var timestamp: CFTimeInterval { 0 }
  open var targetTimestamp: CFTimeInterval { 0 }
  open var isPaused: Bool = false
  open func add(to runLoop: RunLoop, forMode mode: RunLoop.Mode) {}
  open func invalidate() {}
}

public typealias CFTimeInterval = Double

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
