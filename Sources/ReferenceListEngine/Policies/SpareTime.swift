internal import ScrollTraceRecorder

/// Estimates from previous cells and commits whether a cell can be prepared before the next
/// deadline.
struct SpareTime {
  /// The duration of the slowest recent preparation of each kind, `nil` before the first.
  private var preparations: [Nanoseconds?] = Array(
    repeating: nil, count: ItemKind.allCases.count)
  /// The duration of a commit that prepares nothing.
  private var shortCommit: Nanoseconds = 0

  /// Records the duration of a commit that prepared nothing.
  mutating func noteShortCommit(_ time: Nanoseconds) {
    shortCommit = Self.follow(shortCommit, time)
  }

  /// Records the duration of a cell's preparation.
  mutating func note(_ time: Nanoseconds, for kind: ItemKind) {
    preparations[kind.rawValue] = Self.follow(preparations[kind.rawValue] ?? time, time)
  }

  /// Records the duration of a cell's preparation if none is known for its kind.
  mutating func noteFirst(_ time: Nanoseconds, for kind: ItemKind) {
    preparations[kind.rawValue] = preparations[kind.rawValue] ?? time
  }

  /// Returns whether a cell of `kind` and the next commit fit into the remaining time.
  ///
  /// An unknown kind is assumed to take half a refresh interval. A tenth of the interval is
  /// reserved for variation.
  /// interval stays free for what differs from time to time.
  func allows(_ kind: ItemKind, in left: Nanoseconds, interval: Nanoseconds) -> Bool {
    let preparation = preparations[kind.rawValue] ?? interval / 2
    return preparation + shortCommit + interval / 10 <= left
  }

  /// Increases immediately and decreases slowly.
  private static func follow(_ known: Nanoseconds, _ time: Nanoseconds) -> Nanoseconds {
    time >= known ? time : known - (known - time) / 8
  }
}
