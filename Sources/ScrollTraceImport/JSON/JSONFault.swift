/// Where and why bytes are no JSON.
struct JSONFault: Error {
  /// The kinds of faults, which a reader of traces treats differently.
  enum Kind {
    /// The bytes end inside a value.
    case cutAtEnd
    /// The bytes are not what the grammar allows.
    case invalid
    /// The value is deeper or larger than the reader allows.
    case limit
    /// The source of the bytes failed.
    case source
  }

  let kind: Kind
  let reason: String
  let offset: UInt64
}
