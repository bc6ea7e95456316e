/// What a piece of work is, on a machine's own time.
package enum WorkKind: Int, CaseIterable, Sendable {
  /// Bytes are hashed: everything that has no kind of its own.
  case hashing
  /// Lines of text are broken and measured, as when a cell is configured.
  case shaping
  /// The bytes of a picture become its dots.
  case decoding
}
