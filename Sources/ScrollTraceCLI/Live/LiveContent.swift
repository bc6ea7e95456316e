/// How far the picture of a row is.
enum LiveContent: Sendable, CaseIterable {
  /// Nothing of it is there.
  case placeholder
  /// Its bytes are there, not its pixels.
  case undecoded
  /// It is what it will be.
  case final
}
