internal import ScrollTraceRecorder

/// Whether a cell can be prepared before the next frame has to be committed, as far as what cells and
/// commits took before can tell.
struct SpareTime {
  /// What the slowest recent preparation of each kind took; `nil` before the first.
  private var preparations: [Nanoseconds?] = Array(
    repeating: nil, count: ItemKind.allCases.count)
  /// What a commit that prepares nothing takes.
  private var shortCommit: Nanoseconds = 0

  /// Notes what a commit took that prepared nothing.
  mutating func noteShortCommit(_ time: Nanoseconds) {
    shortCommit = Self.follow(shortCommit, time)
  }

  /// Notes what the preparation of a cell took.
  mutating func note(_ time: Nanoseconds, for kind: ItemKind) {
    preparations[kind.rawValue] = Self.follow(preparations[kind.rawValue] ?? time, time)
  }

  /// Notes what the preparation of a cell took, whenever that was, where nothing else is known.
  mutating func noteFirst(_ time: Nanoseconds, for kind: ItemKind) {
    preparations[kind.rawValue] = preparations[kind.rawValue] ?? time
  }

  /// Whether a cell of `kind` and the commit after it fit into the time that is left.
  ///
  /// Where nothing is known of the kind yet, it is taken to need half an interval. A tenth of the
  /// interval stays free for what differs from time to time.
  func allows(_ kind: ItemKind, in left: Nanoseconds, interval: Nanoseconds) -> Bool {
    let preparation = preparations[kind.rawValue] ?? interval / 2
    return preparation + shortCommit + interval / 10 <= left
  }

  /// Rises at once and falls slowly.
  private static func follow(_ known: Nanoseconds, _ time: Nanoseconds) -> Nanoseconds {
    time >= known ? time : known - (known - time) / 8
  }
}
