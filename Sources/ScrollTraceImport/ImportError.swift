/// Why a source could not be read as a trace; one line for a person.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in plain words, without the file's name.
  package let reason: String

  /// Where it is wrong, in bytes from the start, or `nil` if it has no place.
  package let offset: UInt64?

  /// What to do next, as a sentence without a period; empty where there is nothing to do.
  package let advice: String

  /// An error at `offset`.
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
