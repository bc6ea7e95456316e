package import ScrollTraceRecorder

/// Main-thread work of the app that is unrelated to the list.
package struct Errand: Equatable, Sendable {
  /// The time from the start of the script.
  package let time: Nanoseconds
  /// The name in the trace.
  package let name: String
  /// The amount of work.
  package let cost: Nanoseconds

  package init(at time: Nanoseconds, _ name: String, cost: Nanoseconds) {
    self.time = time
    self.name = name
    self.cost = cost
  }
}
