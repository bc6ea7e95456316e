/// What a JSON value is.
enum JSONKind: UInt8 {
  /// Nothing there.
  case missing
  /// A string without escapes: its bytes are its text.
  case plainString
  /// A string with escapes.
  case escapedString
  /// A number.
  case number
  /// `true`, `false` or `null`.
  case literal
  /// An object.
  case object
  /// An array.
  case array

  var isString: Bool { self == .plainString || self == .escapedString }
}
