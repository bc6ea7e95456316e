extension InteractionToken {
  /// Its kind and what joins begin and end, `nil` where it is not recorded: for the C interface.
  package var parts: (kind: RecordedName, id: UInt64?) { (kind, id) }

  /// The token of the given parts.
  package init(parts: (kind: RecordedName, id: UInt64)) {
    self.init(kind: parts.kind, id: parts.id)
  }
}
