import ScrollTraceModel

/// Finds the scrolls of a page in a trace without scroll input, such as those by keys and scripts.
///
/// The compositor says of each refresh whether it animates. That is a scroll if the page was told of one, by an event
/// `scroll`. All other such events are of scrolls by the page itself, and come with its updates, however late.
struct ChromeScrolls {
  /// What is further apart belongs to two scrolls.
  private static let pause = TimeSpan.milliseconds(100)

  /// The refreshes and the events, by time.
  private let refreshes: [ChromeInteractions.Refresh]
  private let events: [Timestamp]

  init(_ refreshes: [ChromeInteractions.Refresh], events: [Timestamp]) {
    self.refreshes = refreshes
    self.events = events.sorted()
  }

  /// The ranges of the scrolls, from the refresh of the first picture to the last picture.
  var ranges: [TimeRange] {
    guard !events.isEmpty else { return [] }
    let animations = TimeRangeSet(union: animations()).ranges
    return TimeRangeSet(union: animations + runs(outside: animations), joining: Self.pause).ranges
  }

  /// Returns whether the page was told of a scroll in a range.
  private func hasEvent(from start: Timestamp, to end: Timestamp) -> Bool {
    let index = events.partitionPoint { $0 >= start }
    return index < events.count && events[index] <= end
  }

  /// The scrolls that the compositor animated. Where nothing is scrolled, it needs no update of the page for that.
  private func animations() -> [TimeRange] {
    var found: [TimeRange] = []
    let moving = refreshes.filter { $0.isMoving && !$0.isRest && ($0.hasUpdate || !$0.isComplete) }
    var rest = moving[...]
    while let first = rest.first {
      let pairs = zip(rest, rest.dropFirst()).prefix { $1.start - $0.start <= Self.pause }
      let pictures = rest.prefix(pairs.count + 1).filter(\.isShown)
      rest = rest.dropFirst(pairs.count + 1)
      // The page's update for the same refresh can come much later.
      guard let last = pictures.last?.start, pictures.contains(where: { $0.start < last }),
        let end = pictures.filter({ $0.start == last }).map(\.end).min(),
        hasEvent(from: first.start, to: end + ChromeInteractions.joining)
      else { continue }
      found.append(TimeRange(start: first.start, end: end))
    }
    return found
  }

  /// The scrolls by the page itself: runs of events between the compositor's animations.
  private func runs(outside animations: [TimeRange]) -> [TimeRange] {
    let busy = TimeRangeSet(
      union: refreshes.filter {
        !$0.isRest
          && ($0.isMoving || $0.isAnimated || $0.hasUpdate && hasEvent(from: $0.start, to: $0.end))
      }.map { TimeRange(start: $0.start, end: $0.end) }, joining: Self.pause
    ).ranges
    var runs: [(range: TimeRange, next: Int)] = []
    for event in events {
      let next = animations.partitionPoint { $0.end >= event }
      if next < animations.count, animations[next].start <= event { continue }
      if let last = runs.last, last.next == next, goesOn(from: last.range.end, to: event, busy) {
        runs[runs.count - 1].range = TimeRange(start: last.range.start, end: event)
      } else {
        runs.append((TimeRange(start: event, end: event), next))
      }
    }
    return runs.compactMap { pictures(of: $0.range) }
  }

  /// Returns whether the page can have been scrolled all the time between two events: they are near, or it was
  /// animated or busy with the first one, and made no whole update without an event.
  private func goesOn(from start: Timestamp, to end: Timestamp, _ busy: [TimeRange]) -> Bool {
    guard end - start > Self.pause else { return true }
    let index = busy.partitionPoint { $0.end + Self.pause >= end }
    guard index < busy.count, busy[index].start <= start + Self.pause else { return false }
    return !refreshes[refreshes.partitionPoint { $0.start > start }...].prefix { $0.start < end }
      .contains {
        ($0.isMoving || $0.isAnimated) && $0.hasUpdate && $0.isShown && $0.end < end
      }
  }

  /// Returns the range of the pictures of a run of events, or `nil` if it is a jump, of one picture.
  private func pictures(of run: TimeRange) -> TimeRange? {
    guard run.start < run.end else { return nil }
    let own = refreshes[..<refreshes.partitionPoint { $0.start > run.start }].reversed()
      .prefix { $0.start + Self.pause >= run.start }
      .first { $0.isShown && $0.end >= run.start }
    let start = own?.start ?? run.start
    let pictures = refreshes[refreshes.partitionPoint { $0.start >= start }...]
      .prefix { $0.start <= run.end }.filter(\.isShown)
    guard let end = pictures.map(\.end).max(), pictures.contains(where: { $0.start > start })
    else { return nil }
    return TimeRange(start: start, end: end)
  }
}
