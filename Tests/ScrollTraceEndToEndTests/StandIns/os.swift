// swift-format-ignore-file
// As much of an Apple framework as the adapters use, with the declarations of its documentation, so
// that their code can be checked where the framework is not. Nothing here does anything.
// Since when each is there: developer.apple.com/documentation/os/ossignposter.

@available(macOS 10.14, iOS 12, tvOS 12, watchOS 5, *)
public struct OSSignpostID: Sendable {
  public static let exclusive = OSSignpostID()
}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public final class OSSignpostIntervalState: Sendable {}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public struct OSSignposter: Sendable {
  public init(subsystem: String, category: String) {}
  public var isEnabled: Bool { false }
  public func makeSignpostID() -> OSSignpostID { .exclusive }
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState { OSSignpostIntervalState() }
  public func beginAnimationInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState { OSSignpostIntervalState() }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}
