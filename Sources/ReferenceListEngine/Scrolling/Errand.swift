public import ScrollTraceRecorder

/// Work of the app on the main thread that has nothing to do with the list.
public struct Errand: Hashable, Sendable {
  /// When it comes up, from the beginning of the session on.
  public let time: Nanoseconds
  /// What it is called in the trace.
  public let name: StaticString
  /// How much work it is.
  public let cost: Nanoseconds

  /// An errand `name` that comes up at `time`.
  public init(at time: Nanoseconds, _ name: StaticString, cost: Nanoseconds) {
    self.time = time
    self.name = name
    self.cost = cost
  }

  /// Whether two errands are the same.
  public static func == (left: Errand, right: Errand) -> Bool {
    left.time == right.time && left.cost == right.cost
      && left.name.description == right.name.description
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(cost)
    hasher.combine(name.description)
  }
}
