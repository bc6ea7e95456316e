package import ScrollTraceRecorder

/// Work of the app on the main thread that has nothing to do with the list.
package struct Errand: Hashable, Sendable {
  /// When it comes up, from the beginning of the script on.
  package let time: Nanoseconds
  /// What it is called in the trace.
  package let name: String
  /// How much work it is.
  package let cost: Nanoseconds

  /// An errand `name` that comes up at `time`.
  package init(at time: Nanoseconds, _ name: String, cost: Nanoseconds) {
    self.time = time
    self.name = name
    self.cost = cost
  }
}
