/// Why a text is no script or policy.
package struct ScriptError: Error, Hashable, Sendable {
  /// What is wrong.
  package let reason: String
  /// The line it is in, from 1, or `nil` if there is only one.
  package var line: Int?
  /// What could stand there.
  package let advice: String

  /// An error for `reason`.
  package init(reason: String, line: Int? = nil, advice: String) {
    self.reason = reason
    self.line = line
    self.advice = advice
  }
}
