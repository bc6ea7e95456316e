// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.
// Since when each is there: the pages of developer.apple.com/documentation/foundation.
// On Linux, the other stand-ins use the Foundation that is there.

@_exported import CoreFoundation
@_exported import ObjectiveC

public typealias TimeInterval = Double

public protocol NSObjectProtocol: AnyObject {}
public protocol NSCopying { func copy(with zone: NSZone?) -> Any }
public struct NSZone {}

open class NSObject: NSObjectProtocol {
  public init() {}
}

open class NSNotification: NSObject {
  public struct Name: Hashable, Sendable {
    public init(_ rawValue: String) {}
  }
}

public struct Notification: @unchecked Sendable {
  public typealias Name = NSNotification.Name
}

open class OperationQueue: NSObject, @unchecked Sendable {
  open class var main: OperationQueue { OperationQueue() }
}

open class NotificationCenter: NSObject, @unchecked Sendable {
  open class var `default`: NotificationCenter { NotificationCenter() }
  open func addObserver(
    forName name: NSNotification.Name?, object obj: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { self }
  open func removeObserver(_ observer: Any) {}
}

open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { ProcessInfo() }
  @available(macOS 12, iOS 9, tvOS 9, watchOS 2, *)
  open var isLowPowerModeEnabled: Bool { false }
  @available(macOS 10.10.3, iOS 11, tvOS 11, watchOS 4, *)
  public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }
  @available(macOS 10.10.3, iOS 11, tvOS 11, watchOS 4, *)
  open var thermalState: ThermalState { .nominal }
  @available(macOS 10.10.3, iOS 11, tvOS 11, watchOS 4, *)
  public static let thermalStateDidChangeNotification = NSNotification.Name("thermal")
  open var arguments: [String] { [] }
  open var operatingSystemVersion: OperatingSystemVersion { OperatingSystemVersion() }
}

public struct OperatingSystemVersion: Sendable {
  public var majorVersion = 0, minorVersion = 0, patchVersion = 0
}

open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { Bundle() }
  open func object(forInfoDictionaryKey key: String) -> Any? { nil }
}

public struct CGRect: Hashable, Sendable {
  public static let zero = CGRect()
  public init() {}
}

open class NSCoder: NSObject {}

extension NSNotification.Name {
  @available(macOS 12, iOS 9, tvOS 9, watchOS 2, *)
  public static let NSProcessInfoPowerStateDidChange = NSNotification.Name("power")
}

open class RunLoop: NSObject {
  public struct Mode: Hashable, Sendable {
    public static let common = Mode()
  }
  open class var main: RunLoop { RunLoop() }
}
@available(*, unavailable) extension RunLoop: @unchecked Sendable {}

public struct URL: Sendable {
  public init(fileURLWithPath path: String) {}
  init() {}
  public var path: String { "" }
  public func appendingPathComponent(_ pathComponent: String) -> URL { self }
  public func appendingPathComponent(_ pathComponent: String, isDirectory: Bool) -> URL { self }
}

open class FileManager: NSObject, @unchecked Sendable {
  public enum SearchPathDirectory { case cachesDirectory }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
  }
  open class var `default`: FileManager { FileManager() }
  open func url(
    for directory: SearchPathDirectory, in domain: SearchPathDomainMask, appropriateFor url: URL?,
    create shouldCreate: Bool
  ) throws -> URL { URL() }
  open func createDirectory(
    at url: URL, withIntermediateDirectories createIntermediates: Bool
  ) throws {}
}

public struct CGPoint: Hashable, Sendable {
  public static let zero = CGPoint()
}

public struct IndexPath: Hashable, Sendable {
  public init(indexes: [Int]) {}
  public subscript(index: Int) -> Int { 0 }
}
