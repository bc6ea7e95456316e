public import ScrollTraceRecorder

/// Work of the app on the main thread that has nothing to do with the list.
public struct Errand: Hashable, Sendable {
  /// When it comes up, from the beginning of the session on.
  public let time: Nanoseconds
  /// What it is called in the trace.
  public let name: String
  /// How much work it is.
  public let cost: Nanoseconds

  /// An errand `name` that comes up at `time`.
  public init(at time: Nanoseconds, _ name: String, cost: Nanoseconds) {
    self.time = time
    self.name = name
    self.cost = cost
  }
}
