/// A typed value of an argument.
public enum ArgumentValue: Hashable, Sendable {
  /// A signed integer.
  case integer(Int64)
  /// An unsigned integer, also pointers and kernel object ids.
  case unsigned(UInt64)
  /// A floating-point number.
  case double(Double)
  /// A truth value.
  case bool(Bool)
  /// A name in the trace's string table.
  case string(StringID)
  /// An argument without a value.
  case null
}

/// One named value of a span or mark.
public struct Argument: Hashable, Sendable {
  /// The argument's name.
  public let key: StringID
  /// The argument's value.
  public let value: ArgumentValue

  /// An argument `key` = `value`.
  public init(key: StringID, value: ArgumentValue) {
    self.key = key
    self.value = value
  }
}

/// The handle of an argument list; `none` stands for no arguments.
public struct ArgumentListID: Hashable, Sendable {
  /// The position of the list, 0 for none.
  public let rawValue: UInt32

  /// A handle for position `rawValue`.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// No arguments.
  public static let none = ArgumentListID(rawValue: 0)
}

/// The arguments of all spans and marks of a trace, in columns.
public struct ArgumentTable: Sendable {
  private var ends: [UInt32] = [0]
  private var keys: [StringID] = []
  private var kinds: [UInt8] = []
  private var payloads: [UInt64] = []

  /// A table without arguments.
  public init() {}

  /// The most arguments that a table keeps.
  public static let maximumCount = Int(UInt32.max) - 16

  /// Stores `arguments` and gives their handle; `none` for an empty list and for a full table.
  public mutating func append(_ arguments: some Collection<Argument>) -> ArgumentListID {
    guard !arguments.isEmpty, keys.count + arguments.count <= Self.maximumCount else {
      return .none
    }
    for argument in arguments {
      keys.append(argument.key)
      let (kind, payload) = Self.encode(argument.value)
      kinds.append(kind)
      payloads.append(payload)
    }
    ends.append(UInt32(keys.count))
    return ArgumentListID(rawValue: UInt32(ends.count - 1))
  }

  /// The arguments of the list `id`, in the order of the source.
  public subscript(id: ArgumentListID) -> [Argument] {
    range(of: id).map { Argument(key: keys[$0], value: Self.decode(kinds[$0], payloads[$0])) }
  }

  /// The value of the first argument called `key` in the list `id`.
  public func value(of key: StringID, in id: ArgumentListID) -> ArgumentValue? {
    for index in range(of: id) where keys[index] == key {
      return Self.decode(kinds[index], payloads[index])
    }
    return nil
  }

  private func range(of id: ArgumentListID) -> Range<Int> {
    let index = Int(id.rawValue)
    guard index > 0, index < ends.count else { return 0..<0 }
    return Int(ends[index - 1])..<Int(ends[index])
  }

  private static func encode(_ value: ArgumentValue) -> (UInt8, UInt64) {
    switch value {
    case .null: (0, 0)
    case .integer(let value): (1, UInt64(bitPattern: value))
    case .unsigned(let value): (2, value)
    case .double(let value): (3, value.bitPattern)
    case .bool(let value): (4, value ? 1 : 0)
    case .string(let id): (5, UInt64(id.rawValue))
    }
  }

  private static func decode(_ kind: UInt8, _ payload: UInt64) -> ArgumentValue {
    switch kind {
    case 1: .integer(Int64(bitPattern: payload))
    case 2: .unsigned(payload)
    case 3: .double(Double(bitPattern: payload))
    case 4: .bool(payload != 0)
    case 5: .string(StringID(rawValue: UInt32(truncatingIfNeeded: payload)))
    default: .null
    }
  }
}
