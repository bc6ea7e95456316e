/// Where and why bytes are not the text that a scanner is to read, JSON or XML.
struct ScanFault: Error {
  /// The kinds of faults, which a reader of traces treats differently.
  enum Kind {
    /// The bytes end inside a value or an element.
    case cutAtEnd
    /// The bytes are not what the grammar allows, or what is refused on purpose.
    case invalid
    /// Something is deeper, longer or more than the reader allows.
    case limit
    /// The source of the bytes failed.
    case source
  }

  let kind: Kind
  let reason: String
  let offset: UInt64
}
