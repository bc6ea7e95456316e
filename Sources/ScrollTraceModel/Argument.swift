package enum ArgumentValue: Hashable, Sendable {
  case integer(Int64)
  /// An unsigned integer, including pointers and kernel object IDs.
  case unsigned(UInt64)
  case double(Double)
  case bool(Bool)
  /// A name in the trace's string table.
  case string(StringID)
  case null
}

/// A named value of a span or mark.
package struct Argument: Equatable, Sendable {
  package let key: StringID
  package let value: ArgumentValue

  package init(key: StringID, value: ArgumentValue) {
    self.key = key
    self.value = value
  }
}

/// The handle of an argument list.
@usableFromInline package struct ArgumentListID: Hashable, Sendable {
  /// The position of the list, or 0 for no arguments.
  @usableFromInline package let rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  @inlinable package static var none: ArgumentListID { ArgumentListID(rawValue: 0) }

  /// The handle after the table has removed the first `shift` lists.
  func moved(by shift: UInt32) -> ArgumentListID {
    self == .none ? self : ArgumentListID(rawValue: rawValue - min(rawValue, shift))
  }
}
