/// The exit status of a command. The numbers are stable.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Success, and within the budget if there is one.
  case done = 0
  /// A limit is exceeded, or the runs regressed.
  case exceeded = 1
  /// Input cannot be read or evaluated, or output cannot be written.
  case notEvaluated = 2
  /// Success, but a trace lost data.
  case lossy = 3
  /// The command line has an error.
  case usage = 64

  /// Returns the status that takes precedence: 1 over 2, 2 over 3, 3 over 0.
  package func merged(with other: ExitStatus) -> ExitStatus {
    let order: [ExitStatus] = [.usage, .exceeded, .notEvaluated, .lossy, .done]
    return order.first { $0 == self || $0 == other } ?? .done
  }

  package struct Meaning: Sendable {
    let status: ExitStatus
    let text: String
  }

  private static let exceededMeaning = Meaning(
    status: .exceeded, text: "limit exceeded or regression")
  private static let lossyMeaning = Meaning(
    status: .lossy, text: "success, but trace data was lost")
  private static let usageMeaning = Meaning(status: .usage, text: "usage error")

  /// The meanings for a command that reads traces.
  package static let meanings = [
    Meaning(status: .done, text: "success, even without data"),
    Meaning(status: .notEvaluated, text: "unreadable input, unwritable output or empty selection"),
    lossyMeaning, usageMeaning,
  ]

  static let meaningsOfCheck = [
    Meaning(status: .done, text: "passed"),
    exceededMeaning,
    Meaning(
      status: .notEvaluated,
      text: "not evaluated, unreadable input, unwritable output or empty selection"),
    lossyMeaning, usageMeaning,
  ]

  /// The meanings for a command that reads no traces.
  package static let meaningsWithoutTraces = [
    Meaning(status: .done, text: "success"),
    Meaning(status: .notEvaluated, text: "unreadable input or unwritable output"),
    usageMeaning,
  ]

  /// The meanings for the whole tool.
  static let allMeanings = [
    Meaning(status: .done, text: "success, even without data; check: passed"),
    exceededMeaning,
    Meaning(
      status: .notEvaluated,
      text: "unreadable input, unwritable output or empty selection; check: not evaluated"),
    lossyMeaning, usageMeaning,
  ]

  /// The order of precedence, for the help.
  static let precedence = "1 takes precedence over 2, 2 over 3."
}
