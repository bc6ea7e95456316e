/// Why a text is no session or policy.
public struct SessionError: Error, Hashable, Sendable {
  /// What is wrong.
  public let reason: String
  /// The line it is in, from 1; `nil` where there is only one.
  public var line: Int?
  /// What could stand there.
  public let advice: String

  /// An error for `reason`.
  public init(reason: String, line: Int? = nil, advice: String) {
    self.reason = reason
    self.line = line
    self.advice = advice
  }
}
