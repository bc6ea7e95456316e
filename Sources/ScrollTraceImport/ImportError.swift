/// The reason a source could not be read as a trace, as one line.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, in plain words, without the file's name.
  package let reason: String

  /// The offset of the problem in bytes, or `nil` if it has none.
  package let offset: UInt64?

  /// The recommended next step, as a sentence without a period, or an empty string.
  package let advice: String

  /// Creates an error at `offset`.
  package init(_ reason: String, at offset: UInt64? = nil, advice: String = "") {
    self.reason = reason
    self.offset = offset
    self.advice = advice
  }

  /// `reason at byte offset; advice`
  public var description: String {
    var text = reason
    if let offset { text += " at byte \(offset)" }
    if !advice.isEmpty { text += "; " + advice }
    return text
  }
}
