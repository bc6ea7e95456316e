// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.

public final class CFString: @unchecked Sendable {
  // Apple's `CFRunLoopMode` is a type of its own; here it is a string.
  public static var commonModes: CFString? { nil }
}
public final class CFRunLoop {}
public final class CFRunLoopObserver {}
public final class CFAllocator: @unchecked Sendable {}

public typealias CFIndex = Int
public typealias CFOptionFlags = UInt

public let kCFAllocatorDefault: CFAllocator! = nil

public struct CFRunLoopActivity: OptionSet, Sendable {
  public let rawValue: CFOptionFlags
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }
  public static let beforeWaiting = CFRunLoopActivity(rawValue: 1 << 5)
  public static let afterWaiting = CFRunLoopActivity(rawValue: 1 << 6)
}

public func CFRunLoopGetMain() -> CFRunLoop! { nil }
public func CFRunLoopAddObserver(
  _ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFString!
) {}
public func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver?) {}
public func CFRunLoopRemoveObserver(
  _ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFString!
) {}
public func CFRunLoopObserverCreateWithHandler(
  _ allocator: CFAllocator!, _ activities: CFOptionFlags, _ repeats: Bool, _ order: CFIndex,
  _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)!
) -> CFRunLoopObserver! { nil }
