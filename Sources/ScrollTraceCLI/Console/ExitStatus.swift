/// How a command ended. The numbers are promised.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Done, and within the budget where there is one.
  case done = 0
  /// Over the budget, or worse than the baseline.
  case exceeded = 1
  /// Something could not be read, written or judged.
  case unjudged = 2
  /// Done, but a trace had lost data.
  case lossy = 3
  /// The command was called in a way it does not understand.
  case usage = 64

  /// The one of both that has more to say: 1 before 2 before 3 before 0.
  func merged(with other: ExitStatus) -> ExitStatus {
    let order: [ExitStatus] = [.usage, .exceeded, .unjudged, .lossy, .done]
    return order.first { $0 == self || $0 == other } ?? .done
  }
}
