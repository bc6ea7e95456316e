import ScrollTraceModel

/// Requests ahead, to find those whose items were passed by.
struct RequestLog {
  /// A request that was neither cancelled nor followed by its item coming into view.
  private struct Open {
    var requested: Timestamp
    var loaded: Timestamp?
  }

  private var open: [Open] = []
  /// The requests whose items came into view.
  private var shown: [(requested: Timestamp, shown: Timestamp)] = []

  /// Adds a request whose item came into view.
  mutating func addShown(_ requested: Timestamp, _ time: Timestamp) {
    shown.append((requested, time))
  }

  /// Adds a request whose item has not come into view.
  mutating func addOpen(_ requested: Timestamp, loaded: Timestamp?) {
    open.append(Open(requested: requested, loaded: loaded))
  }

  /// Adds what is of the same list.
  mutating func merge(_ other: RequestLog) {
    open += other.open
    shown += other.shown
  }

  /// The requests whose items were passed by: an item that was asked for later came into view.
  ///
  /// A request is unseen where its data was there by then, and uncancelled where that came later or
  /// not at all.
  func passedBy() -> (unseen: TimedCount, uncancelled: TimedCount) {
    var (unseen, uncancelled) = (TimedCount(), TimedCount())
    let shown = shown.sorted { $0.requested < $1.requested }
    // For each request and all later ones when the first of their items came into view.
    var firstShown = shown.map(\.shown)
    for index in firstShown.indices.dropLast().reversed() {
      firstShown[index] = min(firstShown[index], firstShown[index + 1])
    }
    for request in open {
      let next = shown.partitionPoint { $0.requested > request.requested }
      guard next < shown.count else { continue }
      let passed = firstShown[next]
      if let loaded = request.loaded, loaded <= passed {
        unseen.add(.zero, at: request.requested)
      } else {
        uncancelled.add(
          (request.loaded ?? passed) - min(passed, request.loaded ?? passed),
          at: request.requested)
      }
    }
    return (unseen, uncancelled)
  }
}
