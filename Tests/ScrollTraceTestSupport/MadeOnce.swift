internal import ScrollTraceLayout

/// Values that several tests need, each made when it is first asked for.
public final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Locked<[Key: Value]>([:])
  private let make: @Sendable (Key) throws -> Value

  /// Values that `make` makes.
  public init(_ make: @escaping @Sendable (Key) throws -> Value) {
    self.make = make
  }

  /// The value for `key`. Two tests that ask for it at once may both make it.
  public func value(for key: Key) throws -> Value {
    if let value = values.withLock({ $0[key] }) { return value }
    let value = try make(key)
    values.withLock { $0[key] = value }
    return value
  }
}
