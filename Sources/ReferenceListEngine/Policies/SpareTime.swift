internal import ScrollTraceRecorder

/// Estimates from previous cells and commits whether a cell can be prepared before the next
/// deadline.
struct SpareTime {
  /// What determines the duration of a preparation, and is known before it.
  struct Preparation: Hashable {
    var kind: ItemKind
    /// Whether a cell of the kind waits in the pool; otherwise one is created.
    var isReused: Bool
    /// Whether the item's data was requested before.
    var hasData: Bool
  }

  /// The duration of the slowest recent ones, ahead or on demand.
  private var preparations: [Preparation: Nanoseconds] = [:]
  /// The duration of a commit that prepares nothing.
  private var shortCommit: Nanoseconds = 0

  /// Records the duration of a commit that prepared nothing.
  mutating func recordShortCommit(_ time: Nanoseconds) {
    shortCommit = Self.follow(shortCommit, time)
  }

  /// Records the duration of a cell's preparation.
  mutating func record(_ time: Nanoseconds, for preparation: Preparation) {
    preparations[preparation] = Self.follow(preparations[preparation] ?? time, time)
  }

  /// Returns whether a cell and the next commit fit into the remaining time.
  ///
  /// A preparation that was never seen is assumed to take as long as the shortest one of its kind, or
  /// half a refresh interval. A tenth of the interval is reserved for variation.
  func allows(_ preparation: Preparation, in left: Nanoseconds, interval: Nanoseconds) -> Bool {
    let known = preparations[preparation] ?? shortest(of: preparation.kind) ?? interval / 2
    return known + shortCommit + interval / 10 <= left
  }

  private func shortest(of kind: ItemKind) -> Nanoseconds? {
    preparations.lazy.filter { $0.key.kind == kind }.map(\.value).min()
  }

  /// Increases immediately and decreases slowly.
  private static func follow(_ known: Nanoseconds, _ time: Nanoseconds) -> Nanoseconds {
    time >= known ? time : known - (known - time) / 8
  }
}
