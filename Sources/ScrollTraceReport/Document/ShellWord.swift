/// Text that a shell interprets as a single word.
package enum ShellWord {
  /// Returns `text` unchanged if no character has a meaning to a shell, otherwise quoted.
  ///
  /// Characters that the context would escape are written as bytes, so that a command is safe to
  /// display and works when it is copied.
  package static func quoted(_ text: String, for sink: EscapingContext) -> String {
    guard sink.escape(text) == text else {
      return "$'\(text.utf8.map(visible).joined())'"
    }
    if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
    return
      "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "._/+-=:,@%".utf8.contains(byte)
  }

  private static func visible(_ byte: UInt8) -> String {
    if byte.isLetterOrDigit || "._/+- ".utf8.contains(byte) {
      return String(Unicode.Scalar(byte))
    }
    let digits = String(byte, radix: 16)
    return "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
  }
}
