/// A typed value of an argument.
package enum ArgumentValue: Hashable, Sendable {
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
package struct Argument: Hashable, Sendable {
  /// The argument's name.
  package let key: StringID
  /// The argument's value.
  package let value: ArgumentValue

  /// An argument `key` = `value`.
  package init(key: StringID, value: ArgumentValue) {
    self.key = key
    self.value = value
  }
}

/// The handle of an argument list; `none` stands for no arguments.
@usableFromInline package struct ArgumentListID: Hashable, Sendable {
  /// The position of the list, 0 for none.
  @usableFromInline package let rawValue: UInt32

  /// A handle for position `rawValue`.
  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// No arguments.
  @inlinable package static var none: ArgumentListID { ArgumentListID(rawValue: 0) }
}
