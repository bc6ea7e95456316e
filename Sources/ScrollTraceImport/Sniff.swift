/// An importer's answer to whether the start of a file has its format.
package enum Sniff: Sendable {
  /// The bytes have this format; errors from here on are damage.
  case yes
  case no
  /// The bytes so far match but do not decide.
  case needMoreBytes
}

/// The search for a characteristic line near the start of a text.
extension Sniff {
  /// The maximum offset of such a line: the program that made the file can have printed others first.
  static let searchedByteCount = 1 << 16

  /// Takes the whole lines at the start of `text` until one gives an answer. Returns that answer, or
  /// `nil` if no line gives one.
  static func answer(
    ofLinesIn text: inout Slice<UnsafeRawBufferPointer>,
    _ answer: (UnsafeRawBufferPointer) -> Sniff?
  ) -> Sniff? {
    while let end = text.firstIndex(of: 0x0A) {
      let line = UnsafeRawBufferPointer(rebasing: text[..<end])
      text = text[(end + 1)...]
      if let found = answer(line) { return found }
    }
    return nil
  }
}
