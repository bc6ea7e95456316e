import ScrollTraceModel

/// Requests for data ahead, to find those whose items were passed by.
struct RequestLog {
  /// A request that was not cancelled, whose item was not displayed.
  private struct Open {
    var requested: Timestamp
    var loaded: Timestamp?
  }

  private var open: [Open] = []
  /// The requests whose items were displayed.
  private var displayed: [(requested: Timestamp, displayed: Timestamp)] = []

  mutating func addDisplayed(_ requested: Timestamp, _ time: Timestamp) {
    displayed.append((requested, time))
  }

  mutating func addOpen(_ requested: Timestamp, loaded: Timestamp?) {
    open.append(Open(requested: requested, loaded: loaded))
  }

  /// Adds the requests of a list with the same name.
  mutating func merge(_ other: RequestLog) {
    open += other.open
    displayed += other.displayed
  }

  /// Returns the requests whose items were passed by: an item requested later was displayed.
  ///
  /// A request is unseen if its data was ready by then, and uncancelled if it was not.
  func passedBy() -> (unseen: DurationStatistics, uncancelled: DurationStatistics) {
    var (unseen, uncancelled) = (DurationStatistics(), DurationStatistics())
    let displayed = displayed.sorted { $0.requested < $1.requested }
    // For each request, the first time an item of it or of a later one was displayed.
    var first = displayed.map(\.displayed)
    for index in first.indices.dropLast().reversed() {
      first[index] = min(first[index], first[index + 1])
    }
    for request in open {
      let next = displayed.partitionPoint { $0.requested > request.requested }
      guard next < displayed.count else { continue }
      let passed = first[next]
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
