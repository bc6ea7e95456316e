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

  package typealias Meaning = (status: ExitStatus, text: String)

  private static let exceededMeaning: Meaning = (.exceeded, "limit exceeded or regression")
  private static let lossyOrUsage: [Meaning] = [
    (.lossy, "success, but trace data was lost"), (.usage, "usage error"),
  ]
  private static let noInput = "unreadable input, unwritable output or empty selection"

  /// The meanings for a command that reads traces.
  package static let meanings: [Meaning] =
    [(.done, "success, even without data"), (.notEvaluated, noInput)] + lossyOrUsage

  static let meaningsOfCheck: [Meaning] =
    [(.done, "passed"), exceededMeaning, (.notEvaluated, "not evaluated, \(noInput)")]
    + lossyOrUsage

  /// The meanings for a command that reads no traces.
  package static let meaningsWithoutTraces: [Meaning] = [
    (.done, "success"), (.notEvaluated, "unreadable input or unwritable output"),
    (.usage, "usage error"),
  ]

  /// The meanings for the whole tool.
  static let allMeanings: [Meaning] =
    [
      (.done, "success, even without data; check: passed"), exceededMeaning,
      (.notEvaluated, "\(noInput); check: not evaluated"),
    ] + lossyOrUsage

  /// The order of precedence, for the help.
  static let precedence = "1 takes precedence over 2, 2 over 3."
}
