/// The position and the reason of invalid JSON or XML.
package struct ScanFault: Error {
  /// The kinds of faults, which readers of traces handle differently.
  enum Kind {
    /// The bytes end inside a value or an element.
    case cutAtEnd
    /// The bytes violate the grammar or are rejected on purpose.
    case invalid
    /// A nesting depth, length or count exceeds the reader's limit.
    case limit
    case source
  }

  let kind: Kind
  let reason: String
  let offset: UInt64
}
