/// The reason why a text is not a valid script or policy.
package struct ScriptError: Error, Equatable, Sendable {
  package let reason: String
  /// The line, from 1, or `nil` if there is only one.
  package var line: Int?
  /// The valid alternatives.
  package let advice: String

  package init(reason: String, line: Int? = nil, advice: String) {
    self.reason = reason
    self.line = line
    self.advice = advice
  }
}
